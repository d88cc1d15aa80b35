/** What comparing processors' books with ours has found. */
import { invalidField, Refusal } from '../domain/errors.ts';
import { acknowledge } from '../flows/processors/acknowledge-report.ts';
import { reconcileProcessor } from '../flows/processors/reconcile-processor.ts';
import { flow, type Route, read, write } from '../http/route.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';
import { countReports, findReport, listReports } from '../resources/processors/processor-reports.queries.ts';
import {
  AcknowledgeReport,
  ListProcessorReports,
  ProcessorReportData,
  ProcessorReportParams,
  ProcessorReportsData,
  ReconcileProcessor,
  toProcessorReport,
} from '../resources/processors/processor-reports.schema.ts';
import { findProcessor } from '../resources/processors/processors.queries.ts';
import { ProcessorParams } from '../resources/processors/processors.schema.ts';

const list = read({
  method: 'GET',
  path: '/v0/processors/:processorId/reports/list',
  operationId: 'listProcessorReports',
  tag: 'processors',
  needsSecret: true,
  summary: "List what comparing a processor's books with yours has found, newest first",
  params: ProcessorParams,
  query: ListProcessorReports,
  data: ProcessorReportsData,
  errors: ['not_found'],
  handler: async ({ db, scope, params: { processorId: connectionId }, query }) => {
    if (!(await findProcessor(db, scope, connectionId))) throw new Refusal('not_found');
    const page = toPage(query);
    const rows = await listReports(db, scope, { connectionId, page });
    const shown = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const asked = { page, shown, returnCount: query.returnCount };
    const count = await countMatches(asked, (limit) => countReports(db, scope, { connectionId, limit }));
    return { reports: shown.rows.map(toProcessorReport), count, ...shown.page };
  },
});

const reconcile = flow({
  method: 'POST',
  path: '/v0/processors/:processorId/reconcile',
  operationId: 'reconcileProcessor',
  tag: 'processors',
  summary: "Compare a processor's books with yours",
  description:
    'As is done every day by itself: what is behind here is brought up, what was given back there is imported, and what ' +
    'only you can explain is reported.',
  params: ProcessorParams,
  body: ReconcileProcessor,
  data: ProcessorReportData,
  errors: ['not_found', 'processor_state', 'processor_unreachable'],
  example: { from: 1_767_225_600_000, to: 1_767_312_000_000 },
  handler: async ({ ctx, scope, params: { processorId: id }, body: { from, to }, claim, finish }) => {
    const known = claim.resumeId === null ? undefined : await findReport(ctx.db, scope, claim.resumeId);
    if (known) return { report: toProcessorReport(known) };
    if (to <= from) throw invalidField('to', 'must be later than from');
    if (to > ctx.realNowMs()) throw invalidField('to', 'must not be later than now');
    const report = await reconcileProcessor(ctx, scope, {
      ...{ id, fromMs: from, toMs: to },
      finish: async (tx, row) => {
        await claim.begin(tx, row.id);
        await finish(tx, { report: toProcessorReport(row) });
      },
    });
    return { report: toProcessorReport(report) };
  },
});

const acknowledgeReport = write({
  method: 'POST',
  path: '/v0/processors/:processorId/reports/:reportId/acknowledge',
  operationId: 'acknowledgeProcessorReport',
  tag: 'processors',
  summary: 'Acknowledge what a report has found',
  description:
    'Once you have seen to it. Nothing is changed by it but that nobody is asked to look any more.',
  params: ProcessorReportParams,
  body: AcknowledgeReport,
  data: ProcessorReportData,
  errors: ['not_found'],
  example: { note: 'Deleted at Stripe by support, ticket 4711.' },
  handler: async ({ ctx, scope, tx, params: { processorId, reportId: id }, body: { note }, audit }) => {
    const before = await findReport(tx, scope, id);
    if (before) audit({ report: toProcessorReport(before) }, id);
    const row = await acknowledge(ctx, scope, { tx, connectionId: processorId, id, note });
    return { report: toProcessorReport(row) };
  },
});

export const processorReportRoutes: Route[] = [list, reconcile, acknowledgeReport];
