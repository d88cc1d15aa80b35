/** Imports in the API. */
import { type Static, Type } from 'typebox';
import { LINE_KINDS } from '../../domain/imports/lines.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  Described,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';
import type { ImportRow, ListedImportRow } from './imports.queries.ts';

/** More lines than a file may have. */
const LINES_MAX = 2_147_483_647;

/** Of warnings, refused lines and price changes so many are answered at once. */
export const SHOWN_MAX = 1_000;

const LineKinds = StringEnum(LINE_KINDS);

export const ImportCounts = Answer('ImportCounts', {
  kind: LineKinds,
  new: Type.Integer({ description: 'Lines that will be made here.' }),
  changed: Type.Integer({ description: 'Lines whose object changes here, since they changed there.' }),
  same: Type.Integer({ description: 'Lines that change nothing.' }),
  conflict: Type.Integer({ description: 'Lines that changed there and here: ours stays.' }),
  refused: Type.Integer({ description: 'Lines that are not brought in.' }),
});

export const ImportWarning = Answer('ImportWarning', {
  line: Type.Integer({ description: 'Of the file, from 1.' }),
  kind: LineKinds,
  ref: Nullable(Type.String({ description: 'The id there.' })),
  code: Type.String({ description: 'What to look at, as a word that does not change.' }),
});

export const ImportFault = Answer('ImportFault', {
  line: Type.Integer({ description: 'Of the file, from 1.' }),
  kind: Nullable(Type.String()),
  ref: Nullable(Type.String({ description: 'The id there.' })),
  code: Type.String({ description: 'Why it is refused, as a word that does not change.' }),
  path: Nullable(Type.String({ description: 'The field that is wrong.' })),
  message: Type.String(),
});

export const ImportCharge = Answer('ImportCharge', {
  day: Type.String({ description: 'Of UTC, such as `2026-11-23`.' }),
  currency: Currency(),
  count: Type.Integer({ description: 'How many charges.' }),
  amount: Minor(),
});

export const ImportPriceChange = Answer('ImportPriceChange', {
  line: Type.Integer({ description: 'Of the file, from 1.' }),
  ref: Type.String({ description: 'The id there.' }),
  currency: Currency(),
  theirs: Minor({ description: 'What the source would charge next.' }),
  ours: Minor({ description: 'What will be charged here instead.' }),
});

export const ImportPlan = Answer('ImportPlan', {
  hash: Type.String({ description: 'Names this very plan: a commit is given it.' }),
  lines: Type.Integer({ description: 'How many lines the file has.' }),
  counts: Type.Array(Component(ImportCounts), { description: 'How many lines of each kind do what.' }),
  warnings: Type.Array(Component(ImportWarning), { description: 'The first thousand.' }),
  warningCount: Type.Integer({ description: 'How many warnings there are in all.' }),
  errors: Type.Array(Component(ImportFault), {
    description: 'A thousand refused lines, those after `errorsAfter`.',
  }),
  errorCount: Type.Integer({ description: 'How many lines are refused in all.' }),
  charges: Type.Array(Component(ImportCharge), {
    description: 'What will be charged within the first month, by day.',
  }),
  priceChanges: Type.Array(Component(ImportPriceChange), { description: 'The first thousand.' }),
  priceChangeCount: Type.Integer({ description: 'How many prices change in all.' }),
});

export const RehearsedCharge = Answer('RehearsedCharge', {
  ref: Type.String({ description: 'The id there.' }),
  subscriptionId: Type.String(),
  currency: Currency(),
  theirs: Described(
    Nullable(Answer(null, { at: Ms(), amount: Nullable(Minor()) })),
    'When the source would charge, and what; null: it would not.',
  ),
  ours: Described(
    Nullable(Answer(null, { at: Ms(), amount: Minor() })),
    'When we charged, and what; null: we did not.',
  ),
});

export const Rehearsal = Answer('ImportRehearsal', {
  until: Ms({ description: 'Where the test clock was moved to.' }),
  subscriptions: Type.Integer({ description: 'How many the import has.' }),
  charged: Type.Integer({ description: 'How many were charged.' }),
  equal: Type.Integer({ description: 'Charged at the moment and by the sum of the source.' }),
  waiting: Type.Integer({ description: 'Not activated, for want of what an activation asks.' }),
  differences: Type.Array(Component(RehearsedCharge), { description: 'The first thousand.' }),
});

const asWhole = {
  object: StringEnum(['import']),
  id: Uuid(),
  source: Type.String({ description: 'Where it comes from, as the first line says.' }),
  status: StringEnum(['planning', 'planned', 'committing', 'committed', 'failed']),
  reason: Nullable(Type.String({ description: 'Why it failed.' })),
  waiting: Type.Integer({ description: 'Its subscriptions that are not activated.' }),
  createdBy: Type.String({ description: 'As the audit log names who asks.' }),
  createdAt: Ms(),
  committedAt: Nullable(Ms({ description: 'When it was brought in (Unix ms); null before.' })),
};

export const Import = Answer('Import', {
  ...asWhole,
  plan: Nullable(Component(ImportPlan)),
  progress: Described(
    Nullable(
      Answer(null, {
        done: Type.Integer({ description: 'Lines that are seen to.' }),
        total: Type.Integer({ description: 'All of the plan.' }),
      }),
    ),
    'How far a commit has come; null: none runs.',
  ),
  rehearsal: Described(
    Nullable(Component(Rehearsal)),
    'What was tried before, in test mode; null: nothing was.',
  ),
});

/** A row of the list, without the plan. */
export const ListedImport = Answer('ListedImport', {
  ...asWhole,
  lines: Type.Integer({ description: 'Of the file, with its first.' }),
});

export const Activation = Answer('Activation', {
  subscriptionId: Nullable(Type.String({ description: 'Null where the import has none by this name.' })),
  ref: Type.String({ description: 'The id there.' }),
  status: StringEnum(['activated', 'refused']),
  code: Nullable(
    StringEnum(
      [
        'too_close',
        'paid_until_passed',
        'payment_method_required',
        'country_required',
        'subscription_state',
        'not_found',
      ],
      { description: 'Why it was refused.' },
    ),
  ),
  invited: Type.Boolean({ description: 'Its buyer was mailed a link that stores a card.' }),
});

export const ImportParams = Type.Object({ importId: Uuid() });
export const GetImport = Type.Object({
  errorsAfter: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LINES_MAX,
      description: 'Refused lines after this one; missing = from the first.',
    }),
  ),
});
export const CommitImport = Body({
  plan: Text(128, { description: 'The hash of the plan that was looked at.' }),
  skipErrors: Type.Optional(
    Type.Boolean({ description: 'Leaves out lines that were refused; default false.' }),
  ),
  acceptPriceChanges: Type.Optional(
    Type.Boolean({ description: 'Some are charged other sums from now on; default false.' }),
  ),
  rehearse: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,2}(day|week|month|year)s?$',
      description:
        'Test mode only: each method becomes the card 4242, all that can be is activated, and the test clock goes forward ' +
        'by this, such as `1month`, before the call answers.',
    }),
  ),
});
export const ActivateImport = Body({
  subscriptions: Type.Optional(
    Type.Array(Text(255), {
      maxItems: 10_000,
      description: 'Ids here or refs there; missing = all that wait.',
    }),
  ),
  chargeMissed: Type.Optional(
    Type.Boolean({
      description: 'Charges the running period where what was paid for has ended; default false.',
    }),
  ),
  invite: Type.Optional(
    Type.Boolean({ description: 'Mails a link that stores a card to who has none; default false.' }),
  ),
});
export const ListImports = Type.Object({ ...pageQuery });
export const ImportsData = Answer(null, { imports: Type.Array(Component(ListedImport)), ...pageAnswer });
export const ImportData = Answer(null, { import: Component(Import) });
export const ActivatedData = Answer(null, {
  import: Component(Import),
  results: Type.Array(Component(Activation), { description: 'What became of each subscription.' }),
});

/** The plan as it is kept: what is answered of it but for the refused lines after the first thousand. */
export type StoredPlan = Omit<Static<typeof ImportPlan>, 'hash' | 'errors'>;

export interface ShownImport {
  row: ImportRow;
  waiting: number;
  /** Lines that a commit has still before it; null = none is under way. */
  toDo: number | null;
  errors: Static<typeof ImportFault>[];
}

function toWhole({ id, source, reason, createdAt, committedAt, ...row }: Omit<ListedImportRow, 'waiting'>) {
  return {
    object: 'import' as const,
    ...{ id, source, reason },
    status: row.status === 'receiving' ? ('planning' as const) : row.status,
    createdBy: row.maker,
    ...{ createdAt, committedAt },
  };
}

export function toImport({ row, waiting, toDo, errors }: ShownImport): Static<typeof Import> {
  // Written by `toPlan` and `toRehearsal`.
  const plan = row.plan as StoredPlan | null;
  const rehearsal = row.rehearsal as Static<typeof Rehearsal> | null;
  const hash = row.planHash;
  const shown = plan === null || hash === null ? null : { hash, ...plan, errors };
  const progress = plan === null || toDo === null ? null : { done: plan.lines - toDo, total: plan.lines };
  return { ...toWhole(row), plan: shown, progress, rehearsal, waiting };
}

export function toListedImport(row: ListedImportRow): Static<typeof ListedImport> {
  return { ...toWhole(row), waiting: row.waiting, lines: row.lineCount };
}
