/** Reports on processors' books, in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { FINDING_KINDS, type Finding, type FindingCounts } from '../../domain/processors/findings.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  Ms,
  Nullable,
  StringEnum,
  Sum,
  Text,
  TimeInput,
  Uuid,
} from '../shapes.ts';

const Count = () => Type.Integer({ minimum: 0 });

export const ProcessorReport = Answer('ProcessorReport', {
  object: StringEnum(['processor_report']),
  id: Uuid(),
  processorId: Uuid(),
  from: Ms({ description: 'In real time, as all times of a report.' }),
  to: Ms(),
  counts: Answer(null, {
    repaired: Count(),
    imported: Count(),
    adopted: Count(),
    missing_money: Count(),
    unknown_money: Count(),
    amount_differs: Count(),
    foreign: Count(),
  }),
  rows: Type.Array(
    Answer(null, {
      kind: StringEnum(FINDING_KINDS),
      processorId: Nullable(Type.String({ description: 'As the processor names it.' })),
      chargeId: Nullable(Uuid()),
      ours: Nullable(Sum()),
      theirs: Nullable(Sum()),
      currency: Nullable(Currency()),
    }),
    { description: 'The first 1,000; `counts` has all.' },
  ),
  sums: Type.Array(
    Answer(null, {
      currency: Currency(),
      ours: Sum({ description: 'What your ledger says that the account holds.' }),
      theirs: Sum({ description: 'What it holds, with what is on its way into it.' }),
    }),
  ),
  acknowledgedAt: Nullable(Ms()),
  note: Nullable(Type.String({ description: 'Of who has acknowledged it.' })),
  createdAt: Ms(),
});

export const ListProcessorReports = Type.Object({
  ...pageQuery,
  returnCount: Type.Optional(Type.Boolean()),
});
export const ReconcileProcessor = Body({
  id: Type.Optional(Uuid()),
  from: TimeInput({ description: 'In real time.' }),
  to: TimeInput({ description: 'Later than `from`, and no later than now.' }),
});
export const AcknowledgeReport = Body({ id: Type.Optional(Uuid()), note: Text(1000) });
export const ProcessorReportParams = Type.Object({ processorId: Uuid(), reportId: Uuid() });
export const ProcessorReportData = Answer(null, { report: Component(ProcessorReport) });
export const ProcessorReportsData = Answer(null, {
  reports: Type.Array(Component(ProcessorReport)),
  ...pageAnswer,
});

export function toProcessorReport(row: Row<'processorReports'>): Static<typeof ProcessorReport> {
  return {
    object: 'processor_report',
    id: row.id,
    processorId: row.connectionId,
    from: row.fromAt,
    to: row.toAt,
    // Written by the comparison, in these very forms.
    counts: row.counts as FindingCounts,
    rows: row.findings as Array<
      Finding & { currency: Static<typeof ProcessorReport>['rows'][number]['currency'] }
    >,
    sums: row.sums as Static<typeof ProcessorReport>['sums'],
    acknowledgedAt: row.acknowledgedAt,
    note: row.acknowledgedNote,
    createdAt: row.createdAt,
  };
}
