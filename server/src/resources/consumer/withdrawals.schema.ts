/** Withdrawals in the API. */
import { type Static, Type } from 'typebox';
import {
  WITHDRAWAL_REASONS,
  WITHDRAWAL_STATUSES,
  type WithdrawalStatement,
} from '../../domain/consumer/withdrawal.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Lines,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  Text,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { WithdrawalRow } from './withdrawals.queries.ts';

const Reason = StringEnum(WITHDRAWAL_REASONS, {
  description: 'Why the law gives no right, or why the merchant has refused.',
});

export const Withdrawal = Answer('Withdrawal', {
  object: StringEnum(['withdrawal']),
  id: Uuid(),
  number: Type.String(),
  orderNumber: Type.String({ description: 'As it was typed.' }),
  part: Nullable(Type.String({ description: 'As it was typed: which part of the order.' })),
  orderId: Nullable(Uuid({ description: 'Null while it names no order of its sender’s.' })),
  userId: Nullable(Uuid()),
  name: Type.String(),
  email: Type.String(),
  items: Nullable(Type.Array(Uuid(), { description: 'Items that were ticked; null = the whole order.' })),
  source: StringEnum(['page', 'portal'], {
    description: 'Whether it was stated on the open page or in the portal.',
  }),
  receivedAt: Ms(),
  acknowledgedAt: Nullable(Ms({ description: 'When the receipt was mailed to the address given.' })),
  status: StringEnum(WITHDRAWAL_STATUSES),
  reason: Nullable(Reason),
  refundIds: Type.Array(Uuid(), { description: 'Of the refunds that it led to.' }),
  sha256: Type.String({ description: 'Of the canonical JSON (RFC 8785) of what was stated.' }),
});

export const StateWithdrawal = Body({
  store: Text(40, { description: 'The portal’s name in its address.' }),
  testMode: Type.Optional(Type.Boolean()),
  name: Text(200),
  email: Text(320),
  orderNumber: Text(100),
  part: Type.Optional(
    Nullable(Lines(1000, { description: 'Which part of the order, in words; null: all of it.' })),
  ),
  items: Type.Optional(Nullable(Type.Array(Uuid(), { minItems: 1, maxItems: 100 }))),
  language: Type.Optional(Nullable(Text(20))),
});
export const StatedWithdrawalData = Answer(null, {
  withdrawal: Component(Withdrawal),
  confirmationUrl: Type.String({ description: 'Where the confirmation opens as a PDF.' }),
});

export const DecideWithdrawal = Body({
  id: Type.Optional(Uuid()),
  accept: Type.Boolean({ description: 'Whether the money goes back.' }),
  orderId: Type.Optional(
    Nullable(Text(50, { description: 'Id or number of the order, of one that is unmatched.' })),
  ),
  amount: Type.Optional(
    Nullable(
      Minor({ minimum: 0, description: 'What is given back, in minor units; missing = what the law says.' }),
    ),
  ),
  reason: Type.Optional(Nullable(Reason)),
  note: Type.Optional(Nullable(Lines(500, { minLength: 1, description: 'For the buyer, who is mailed.' }))),
});
export const WithdrawalData = Answer(null, { withdrawal: Component(Withdrawal) });

export const ListWithdrawals = Type.Object({
  ...pageQuery,
  ...statusQuery(WITHDRAWAL_STATUSES),
  reasons: Type.Optional(Type.Array(Reason, { maxItems: 10 })),
  orderId: Type.Optional(Uuid()),
  userId: Type.Optional(Uuid()),
  dueFrom: Type.Optional(
    TimeInput({ description: 'To be decided at this moment or later: 14 days after it came.' }),
  ),
  dueTo: Type.Optional(TimeBoundTo({ description: 'To be decided at this moment or earlier.' })),
  term: Type.Optional(
    Type.String({ maxLength: 320, description: 'Its number, the order’s as typed, or the e-mail.' }),
  ),
  returnCount: Type.Optional(Type.Boolean()),
});
export const WithdrawalsData = Answer(null, {
  withdrawals: Type.Array(Component(Withdrawal)),
  ...pageAnswer,
});

export function toWithdrawal(row: WithdrawalRow): Static<typeof Withdrawal> {
  return {
    object: 'withdrawal',
    ...toStatement(row),
    items: row.items,
    source: row.source,
    orderId: row.orderId,
    userId: row.userId,
    acknowledgedAt: row.acknowledgedAt,
    status: row.status,
    reason: row.reason,
    refundIds: row.refundIds,
    sha256: row.sha256,
  };
}

/** What whoever stated it is answered: the same whether the number is anybody's or not. */
export function toOpenWithdrawal(row: WithdrawalRow): Static<typeof Withdrawal> {
  const hidden = { orderId: null, userId: null, acknowledgedAt: null, reason: null, refundIds: [] };
  return { ...toWithdrawal(row), ...hidden, status: 'received' };
}

/** What is hashed. */
export function toStatement(row: WithdrawalRow): WithdrawalStatement {
  const { id, number, orderNumber, part, name, email, items, source, receivedAt } = row;
  return { id, number, orderNumber, part, name, email, items, source, receivedAt };
}
