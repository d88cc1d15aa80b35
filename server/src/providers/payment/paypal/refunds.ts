/**
 * Money given back on a capture. PayPal keeps the request id of a refund for 45 days, and what names it as ours for good: it
 * is looked for before it is asked for.
 */
import { toFailedRefund } from '../failed-refund.ts';
import type { RefundOutcome, RefundRequest } from '../payment-provider.ts';
import { toPayPalMoney } from './amounts.ts';
import type { PayPalClient } from './client.ts';
import { PayPalFailure } from './failure.ts';
import { type RawRefund, readOrder, toText } from './orders.ts';

const DAY_MS = 86_400_000;
/**
 * By PayPal's issue, in our word: those that its description of payments, version 2, names for a refund and that say
 * something of this money. Of the others the call, or the account that gives, is at fault.
 */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['CAPTURE_FULLY_REFUNDED', 'not_refundable'],
  ['MAX_NUMBER_OF_REFUNDS_EXCEEDED', 'not_refundable'],
  ['PARTIAL_REFUND_NOT_ALLOWED', 'not_refundable'],
  ['PAYER_ACCOUNT_LOCKED_OR_CLOSED', 'not_refundable'],
  ['PENDING_CAPTURE', 'not_refundable'],
  ['REFUND_AMOUNT_EXCEEDED', 'not_refundable'],
  ['REFUND_AMOUNT_TOO_LOW', 'not_refundable'],
  ['REFUND_IS_RESTRICTED', 'not_refundable'],
  ['REFUND_NOT_ALLOWED', 'not_refundable'],
  ['REFUND_TIME_LIMIT_EXCEEDED', 'not_refundable'],
  ['REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK', 'charge_disputed'],
  ['TRANSACTION_DISPUTED', 'charge_disputed'],
  ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'insufficient_funds'],
]);

export async function refundOrder(client: PayPalClient, request: RefundRequest): Promise<RefundOutcome> {
  const { processorId, refundId, nowMs } = request;
  const amount = toPayPalMoney(request);
  const order = processorId === null ? null : await readOrder(client, processorId);
  if (!order?.capture) return toFailedRefund('not_refundable');
  if (!amount) return toFailedRefund('amount_not_chargeable');
  const earlier = order.refunds.find(({ custom_id }) => custom_id === refundId);
  if (earlier) return toOutcome(earlier, nowMs);
  try {
    const made = await client.ask<RawRefund>({
      method: 'POST',
      path: `/v2/payments/captures/${encodeURIComponent(order.capture.id)}/refund`,
      requestId: refundId,
      body: { amount, custom_id: refundId },
    });
    // The same request id answers what was so when it was made.
    return toOutcome(isOver(made) ? made : await readRefund(client, made), nowMs);
  } catch (error) {
    const reason = error instanceof PayPalFailure ? toRefusal(error) : null;
    if (reason === null) throw error;
    return toFailedRefund(reason);
  }
}

/** What PayPal says of the capture. Null = the call itself is not right, which is our fault and says nothing of the money. */
function toRefusal({ kind, facts: { issue } }: PayPalFailure): string | null {
  if (kind === 'missing') return 'not_refundable';
  return kind === 'refused' && issue !== null ? (REFUSALS.get(issue) ?? null) : null;
}

const isOver = ({ status }: RawRefund): boolean => status === 'COMPLETED';

function readRefund(client: PayPalClient, { id }: RawRefund): Promise<RawRefund> {
  const path = `/v2/payments/refunds/${encodeURIComponent(String(id))}`;
  return client.ask<RawRefund>({ method: 'GET', path });
}

/** A word that is not known is one that waits. */
function toOutcome({ id, status, status_details }: RawRefund, nowMs: number): RefundOutcome {
  const processorId = toText(id);
  if (processorId === null) return { kind: 'unknown', lookAgainAtMs: null };
  if (status === 'COMPLETED') return { kind: 'succeeded', processorId };
  if (status === 'FAILED' || status === 'CANCELLED')
    return toFailedRefund(toText(status_details?.reason)?.toLowerCase() ?? status.toLowerCase());
  return { kind: 'pending', processorId, lookAgainAtMs: nowMs + DAY_MS };
}
