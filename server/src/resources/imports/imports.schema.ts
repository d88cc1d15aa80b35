/** Imports in the API. */
import { type Static, Type } from 'typebox';
import { LINE_KINDS } from '../../domain/imports/lines.ts';
import { Answer, Body, Component, Currency, Minor, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';
import type { ImportRow } from './imports.queries.ts';

/** Of warnings, refused lines and price changes so many are answered at once. */
/** More lines than a file may have. */
const LINES_MAX = 2_147_483_647;

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
  line: Type.Integer(),
  kind: LineKinds,
  ref: Nullable(Type.String()),
  code: Type.String(),
});

export const ImportFault = Answer('ImportFault', {
  line: Type.Integer({ description: 'Of the file, from 1.' }),
  kind: Nullable(Type.String()),
  ref: Nullable(Type.String()),
  code: Type.String(),
  path: Nullable(Type.String({ description: 'The field that is wrong.' })),
  message: Type.String(),
});

export const ImportCharge = Answer('ImportCharge', {
  day: Type.String({ description: 'Of UTC, such as `2026-11-23`.' }),
  currency: Currency(),
  count: Type.Integer(),
  amount: Minor(),
});

export const ImportPriceChange = Answer('ImportPriceChange', {
  line: Type.Integer(),
  ref: Type.String(),
  currency: Currency(),
  theirs: Minor({ description: 'What the source would charge next.' }),
  ours: Minor({ description: 'What will be charged here instead.' }),
});

export const ImportPlan = Answer('ImportPlan', {
  hash: Type.String({ description: 'Names this very plan: a commit is given it.' }),
  lines: Type.Integer(),
  counts: Type.Array(Component(ImportCounts)),
  warnings: Type.Array(Component(ImportWarning), { description: 'The first thousand.' }),
  warningCount: Type.Integer(),
  errors: Type.Array(Component(ImportFault), {
    description: 'A thousand refused lines, those after `errorsAfter`.',
  }),
  errorCount: Type.Integer(),
  charges: Type.Array(Component(ImportCharge), {
    description: 'What will be charged within the first month, by day.',
  }),
  priceChanges: Type.Array(Component(ImportPriceChange), { description: 'The first thousand.' }),
  priceChangeCount: Type.Integer(),
});

export const RehearsedCharge = Answer('RehearsedCharge', {
  ref: Type.String(),
  subscriptionId: Type.String(),
  theirs: Nullable(Answer(null, { at: Ms(), amount: Nullable(Minor()) })),
  ours: Nullable(Answer(null, { at: Ms(), amount: Minor() })),
});

export const Rehearsal = Answer('ImportRehearsal', {
  until: Ms({ description: 'Where the test clock was moved to.' }),
  subscriptions: Type.Integer(),
  charged: Type.Integer(),
  equal: Type.Integer({ description: 'Charged at the moment and by the sum of the source.' }),
  waiting: Type.Integer({ description: 'Not activated, for want of what an activation asks.' }),
  differences: Type.Array(Component(RehearsedCharge), { description: 'The first thousand.' }),
});

export const Import = Answer('Import', {
  object: StringEnum(['import']),
  id: Uuid(),
  source: Type.String({ description: 'Where it comes from, as the first line says.' }),
  status: StringEnum(['planning', 'planned', 'committing', 'committed', 'failed']),
  reason: Nullable(Type.String({ description: 'Why it failed.' })),
  plan: Nullable(Component(ImportPlan)),
  rehearsal: Nullable(Component(Rehearsal)),
  waiting: Type.Integer({ description: 'Its subscriptions that are not activated.' }),
  createdBy: Type.String({ description: 'As the audit log names who asks.' }),
  createdAt: Ms(),
  committedAt: Nullable(Ms()),
});

export const Activation = Answer('Activation', {
  subscriptionId: Nullable(Type.String({ description: 'Null where the import has none by this name.' })),
  ref: Type.String(),
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
export const ImportData = Answer(null, { import: Component(Import) });
export const ActivatedData = Answer(null, {
  import: Component(Import),
  results: Type.Array(Component(Activation)),
});

/** The plan as it is kept: what is answered of it but for the refused lines after the first thousand. */
export type StoredPlan = Omit<Static<typeof ImportPlan>, 'hash' | 'errors'>;

export interface ShownImport {
  row: ImportRow;
  waiting: number;
  errors: Static<typeof ImportFault>[];
}

export function toImport({ row, waiting, errors }: ShownImport): Static<typeof Import> {
  const { id, source, reason, createdAt, committedAt, planHash } = row;
  // Written by `toPlan` and `toRehearsal`.
  const plan = row.plan as StoredPlan | null;
  const rehearsal = row.rehearsal as Static<typeof Rehearsal> | null;
  return {
    object: 'import',
    ...{ id, source, reason, rehearsal, waiting },
    status: row.status === 'receiving' ? 'planning' : row.status,
    plan: plan === null || planHash === null ? null : { hash: planHash, ...plan, errors },
    createdBy: row.maker,
    ...{ createdAt, committedAt },
  };
}
