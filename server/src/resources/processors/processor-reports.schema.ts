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
  Described,
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
  counts: Described(
    Answer(null, {
      repaired: Described(Count(), 'What was there and not yet here, and was brought here.'),
      imported: Described(Count(), 'Refunds that were made there, and were written here.'),
      adopted: Described(Count(), 'Charges there whose row here was lost, and was written anew.'),
      missing_money: Described(Count(), 'Charges that are paid here and not there.'),
      unknown_money: Described(Count(), 'Money there that is of no payment here.'),
      amount_differs: Described(Count(), 'Charges of another sum there than here.'),
      foreign: Described(Count(), 'What other programs did over the same account.'),
    }),
    'How many of each kind were found.',
  ),
  rows: Type.Array(
    Answer(null, {
      kind: StringEnum(FINDING_KINDS),
      processorId: Nullable(Type.String({ description: 'As the processor names it.' })),
      chargeId: Nullable(Uuid()),
      ours: Nullable(Sum({ description: 'Minor units here; null: it is not here.' })),
      theirs: Nullable(Sum({ description: 'Minor units there; null: it is not there.' })),
      currency: Nullable(Currency()),
    }),
    { description: 'The first 1,000; `counts` has all.' },
  ),
  sums: Type.Array(
    Answer(null, {
      currency: Currency(),
      ours: Sum({
        description:
          'What your ledger says that the account holds, less pending refunds that have left it there.',
      }),
      theirs: Sum({ description: 'What it holds, with what is on its way into it.' }),
    }),
    { description: 'What the account holds, by currency.' },
  ),
  acknowledgedAt: Nullable(Ms()),
  note: Nullable(Type.String({ description: 'Of who has acknowledged it, or before it all that it found.' })),
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
