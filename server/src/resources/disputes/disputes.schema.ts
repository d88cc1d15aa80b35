/** Disputes in the API: payments that the buyer’s bank took back, or may. */
import { type Static, Type } from 'typebox';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import { Answer, Component, Currency, Minor, Ms, Nullable, StringEnum, TimeInput, Uuid } from '../shapes.ts';
import type { ListedDisputeRow } from './listed-disputes.queries.ts';

const STATUSES = ['open', 'won', 'lost'] as const;

export const Dispute = Answer('Dispute', {
  object: StringEnum(['dispute']),
  id: Uuid({ description: 'Of the charge, which is disputed once.' }),
  status: StringEnum(STATUSES),
  amount: Minor(),
  tax: Minor({ description: 'The part of the amount that is tax.' }),
  currency: Currency(),
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
  createdTo: Type.Optional(TimeInput()),
  returnCount: Type.Optional(Type.Boolean()),
});
export const DisputesData = Answer(null, { disputes: Type.Array(Component(Dispute)), ...pageAnswer });

export function toDispute(row: ListedDisputeRow): Static<typeof Dispute> {
  return {
    object: 'dispute',
    id: row.chargeId,
    status: row.status,
    amount: Number(row.amount),
    tax: Number(row.tax),
    // A currency of the seed's list: checked on the way in.
    currency: row.currency as Static<typeof Dispute>['currency'],
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
