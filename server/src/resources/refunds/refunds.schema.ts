/** Refunds in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { Answer, Body, Currency, Minor, Ms, Nullable, StringEnum, Text, Uuid } from '../shapes.ts';

export const Refund = Answer('Refund', {
  object: StringEnum(['refund']),
  id: Uuid(),
  status: StringEnum(['pending', 'succeeded', 'failed']),
  amount: Minor(),
  tax: Minor({ description: 'The part of the amount that is tax.' }),
  currency: Currency(),
  reason: StringEnum(['requested_by_customer', 'duplicate', 'fraudulent', 'other', 'dispute']),
  note: Nullable(Type.String()),
  orderId: Uuid(),
  paymentId: Uuid(),
  creditNoteNumber: Nullable(Type.String()),
  creditNoteUrl: Nullable(Type.String()),
  returnedAt: Nullable(Ms({ description: 'When a processor gave the money back to us after all.' })),
  returnReason: Nullable(Type.String()),
  createdAt: Ms(),
});

export const CreateRefund = Body({
  amount: Type.Optional(Minor({ minimum: 1, description: 'Minor units; all that is left when missing.' })),
  paymentId: Type.Optional(
    Uuid({ description: "One of the order's payments; the newest with money left when missing." }),
  ),
  reason: Type.Optional(StringEnum(['requested_by_customer', 'duplicate', 'fraudulent', 'other'])),
  note: Type.Optional(Nullable(Text(500))),
});

/** `creditNoteUrl`: where the credit note opens; null while there is none. */
export function toRefund(row: Row<'refunds'>, creditNoteUrl: string | null): Static<typeof Refund> {
  // Enumerated columns hold only what our own schemas let in.
  return {
    object: 'refund',
    id: row.id,
    status: row.status,
    amount: Number(row.amount),
    tax: Number(row.tax),
    currency: row.currency,
    reason: row.reason,
    note: row.note,
    orderId: row.orderId,
    paymentId: row.paymentId,
    creditNoteNumber: row.creditNoteNumber,
    creditNoteUrl,
    // The processors there are return no refund.
    ...{ returnedAt: null, returnReason: null },
    createdAt: row.createdAt,
  } as Static<typeof Refund>;
}
