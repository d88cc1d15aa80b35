/** Refunds in the API. */
import { type Static, Type } from 'typebox';
import type { Row } from '../../db/schema.ts';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  CurrencyInput,
  Lines,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  TimeBoundTo,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import type { ListedRefundRow } from './listed-refunds.queries.ts';

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
  byHand: Type.Boolean({
    description: 'No processor gives it back: it is pending until POST /v0/refunds/{refundId}/settle.',
  }),
  creditNoteNumber: Nullable(Type.String()),
  creditNoteUrl: Nullable(Type.String()),
  returnedAt: Nullable(Ms({ description: 'When a processor gave the money back to us after all.' })),
  returnReason: Nullable(Type.String()),
  createdAt: Ms(),
});

/** Why a refund is refused, and with it its preview. */
export const REFUND_ERRORS = [
  'not_found',
  'refund_exceeds_paid',
  'already_refunded',
  'payment_not_paid',
  'payment_disputed',
  'amount_not_chargeable',
] as const;

export const CreateRefund = Body({
  amount: Type.Optional(Minor({ minimum: 1, description: 'Minor units; all that is left when missing.' })),
  paymentId: Type.Optional(
    Uuid({ description: "One of the order's payments; the newest with money left when missing." }),
  ),
  reason: Type.Optional(StringEnum(['requested_by_customer', 'duplicate', 'fraudulent', 'other'])),
  note: Type.Optional(Nullable(Lines(500, { minLength: 1 }))),
});

const { amount, paymentId } = CreateRefund.properties;
export const PreviewRefund = Type.Object({ amount, paymentId });
export const RefundPreviewData = Answer(null, {
  refundPreview: Answer(null, {
    object: StringEnum(['refund_preview']),
    paymentId: Uuid(),
    amount: Minor(),
    tax: Minor({ description: 'The part of the amount that is tax.' }),
    currency: Currency(),
    byHand: Type.Boolean({ description: 'No processor gives it back.' }),
  }),
});

interface Previewed {
  paymentId: string;
  amountMinor: bigint;
  taxMinor: bigint;
  currency: string;
  isByHand: boolean;
}

export function toRefundPreview({ paymentId, amountMinor, taxMinor, currency, isByHand }: Previewed) {
  return {
    object: 'refund_preview' as const,
    paymentId,
    amount: Number(amountMinor),
    tax: Number(taxMinor),
    // A currency of the seed's list: checked where it came in.
    currency: currency as Static<typeof Refund>['currency'],
    byHand: isByHand,
  };
}

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
    byHand: row.processor === 'manual',
    creditNoteNumber: row.creditNoteNumber,
    creditNoteUrl,
    // The processors there are return no refund.
    returnedAt: row.returnedAt,
    returnReason: row.returnReason,
    createdAt: row.createdAt,
  } as Static<typeof Refund>;
}

/** A row of the list. */
export const ListedRefund = Answer('ListedRefund', {
  ...Refund.properties,
  orderNumber: Type.String(),
  userId: Uuid(),
  userEmail: Nullable(Type.String()),
});

const Reason = StringEnum(['requested_by_customer', 'duplicate', 'fraudulent', 'other', 'dispute']);
export const ListRefunds = Type.Object({
  ...pageQuery,
  ...statusQuery(['pending', 'succeeded', 'failed']),
  reasons: Type.Optional(Type.Array(Reason, { maxItems: 10 })),
  currencies: Type.Optional(Type.Array(CurrencyInput(), { maxItems: 100 })),
  orderId: Type.Optional(Uuid()),
  paymentId: Type.Optional(Uuid()),
  userId: Type.Optional(Uuid()),
  createdFrom: Type.Optional(TimeInput()),
  createdTo: Type.Optional(TimeBoundTo()),
  term: Type.Optional(
    Type.String({
      maxLength: 320,
      description: 'Order’s number, e-mail or the processor’s id of the refund.',
    }),
  ),
  returnCount: Type.Optional(Type.Boolean()),
});
export const RefundsData = Answer(null, { refunds: Type.Array(Component(ListedRefund)), ...pageAnswer });

export function toListedRefund(row: ListedRefundRow, publicUrl: string): Static<typeof ListedRefund> {
  const { orderNumber, userId, userEmail, creditNoteToken } = row;
  const url = creditNoteToken === null ? null : toDocumentUrl(publicUrl, creditNoteToken);
  return { ...toRefund(row, url), orderNumber, userId, userEmail };
}
