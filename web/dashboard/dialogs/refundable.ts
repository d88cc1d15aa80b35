import { numberOf, type Row, textOf } from '../api/objects.ts';

const RETURNS: ReadonlySet<string> = new Set(['PAID', 'PARTIALLY_REFUNDED']);

export const leftOf = (payment: Row): number =>
  (numberOf(payment, 'value') ?? 0) - (numberOf(payment, 'refundedValue') ?? 0);

/** A payment of which something can go back, whatever became of its order: one that was cancelled keeps its money. */
export const isRefundable = (payment: Row): boolean =>
  RETURNS.has(textOf(payment, 'status')) && leftOf(payment) > 0;
