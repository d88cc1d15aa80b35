/** Disputes in the API: payments that the buyer’s bank took back, or may. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Component,
  Currency,
  Described,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { ListedDisputeRow } from './listed-disputes.queries.ts';

const STATUSES = ['open', 'won', 'lost', 'closed'] as const;
const STAGES = ['inquiry', 'open', 'won', 'lost', 'none'] as const;
type Status = (typeof STATUSES)[number];
type Stage = (typeof STAGES)[number];

/** What is not decided is open, also where a bank only asks. */
const STATUS_OF: Readonly<Record<Stage, Status>> = {
  inquiry: 'open',
  open: 'open',
  won: 'won',
  lost: 'lost',
  none: 'closed',
};

/** The stages that have one of these statuses. */
export function toStages(statuses: readonly Status[] | undefined): Stage[] | undefined {
  return statuses && STAGES.filter((stage) => statuses.includes(STATUS_OF[stage]));
}

export const Dispute = Answer('Dispute', {
  object: StringEnum(['dispute']),
  id: Uuid(),
  status: StringEnum(STATUSES, {
    description:
      '`open`: not decided, also while a bank only asks. `closed`: an inquiry that came to nothing.',
  }),
  stage: StringEnum(STAGES, {
    description:
      '`inquiry`: a bank asks and has taken nothing. `open`: the money is gone while the bank decides. `won`, `lost`: ' +
      'decided. `none`: it came to nothing.',
  }),
  amount: Minor({ description: 'No more than what was left of the payment.' }),
  tax: Minor({ description: 'The part of the amount that is tax.' }),
  currency: Currency(),
  reason: Nullable(Type.String({ description: 'The processor’s word, such as `product_not_received`.' })),
  evidenceDueAt: Nullable(Ms({ description: 'Until when the bank takes an answer; null: it takes none.' })),
  processorUrl: Nullable(Type.String({ description: 'Where it is answered, at the processor.' })),
  // What the processor tells of the answer.
  evidence: Described(
    Nullable(
      Answer(null, {
        submitted: Type.Boolean({ description: 'An answer was given there.' }),
        pastDue: Type.Boolean({ description: 'The time for an answer is over.' }),
      }),
    ),
    'What has become of the answer at the processor; null where it does not tell.',
  ),
  chargeId: Uuid(),
  orderId: Uuid(),
  orderNumber: Type.String(),
  paymentId: Uuid(),
  paymentNumber: Type.String(),
  userId: Uuid(),
  userEmail: Nullable(Type.String()),
  openedAt: Ms(),
  closedAt: Nullable(Ms()),
});

export const ListDisputes = Type.Object({
  ...pageQuery,
  ...statusQuery(STATUSES),
  orderId: Type.Optional(Uuid()),
  paymentId: Type.Optional(Uuid()),
  userId: Type.Optional(Uuid()),
  createdFrom: Type.Optional(TimeInput({ description: 'Opened at this moment or later.' })),
  createdTo: Type.Optional(TimeBoundTo()),
  term: Type.Optional(
    Type.String({
      maxLength: 320,
      description: 'Order’s number, e-mail or the processor’s id of the dispute.',
    }),
  ),
  returnCount: Type.Optional(Type.Boolean()),
});
export const DisputeData = Answer(null, { dispute: Component(Dispute) });
export const DisputesData = Answer(null, { disputes: Type.Array(Component(Dispute)), ...pageAnswer });

export function toDispute(row: ListedDisputeRow): Static<typeof Dispute> {
  return {
    object: 'dispute',
    id: row.id,
    status: STATUS_OF[row.status],
    stage: row.status,
    amount: Number(row.amount),
    tax: Number(row.tax),
    // A currency of the seed's list: checked on the way in.
    currency: row.currency as Static<typeof Dispute>['currency'],
    reason: row.reason,
    evidenceDueAt: row.evidenceDueAt,
    processorUrl: row.processorUrl,
    evidence: row.evidence,
    chargeId: row.chargeId,
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    paymentId: row.paymentId,
    paymentNumber: row.paymentNumber,
    userId: row.userId,
    userEmail: row.userEmail,
    openedAt: row.openedAt,
    closedAt: row.closedAt,
  };
}
