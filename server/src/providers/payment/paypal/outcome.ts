/** What an order means for our charge. */
import type { LookUpOutcome, SucceededCharge } from '../payment-provider.ts';
import { PAYPAL_METHOD, toDeclined } from './declines.ts';
import type { Order } from './orders.ts';
import { toReference } from './vault.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A bank's cheque takes six business days, a review three. */
const EXPECTED_MS = 10 * DAY_MS;

const TAKEN = new Set(['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED']);
const NOT_TAKEN = new Set(['DECLINED', 'FAILED']);

type OrderOutcome = Exclude<LookUpOutcome, { kind: 'no_answer' | 'unknown' }>;

export interface Moment {
  nowMs: number;
  /** What was said of one that waits when it was first waited for; null = nothing yet. */
  expectedByMs: number | null;
}

/** `absent` = nothing was asked of anybody yet. A word that is not known is one that waits. */
export function toOutcome(order: Order, moment: Moment): OrderOutcome {
  const { id, status, payerUrl, capture } = order;
  if (capture && TAKEN.has(capture.status)) return toSucceeded(order) ?? toPending(id, moment);
  if (capture && NOT_TAKEN.has(capture.status))
    return toDeclined(id, { decline: 'soft', reason: `capture_${capture.status.toLowerCase()}` });
  if (capture || status === 'COMPLETED') return toPending(id, moment);
  if (status === 'APPROVED') return { kind: 'ready', processorId: id };
  if (status === 'VOIDED') return toDeclined(id, null);
  if (status === 'CREATED') return { kind: 'absent' };
  if (payerUrl === null) return toPending(id, moment);
  return toAction(id, payerUrl);
}

export function toAction(processorId: string, url: string): OrderOutcome & { kind: 'needs_action' } {
  return { kind: 'needs_action', processorId, method: PAYPAL_METHOD, action: { kind: 'redirect', url } };
}

/** Null = PayPal says no sum that can be read. */
export function toSucceeded({ id, capture, vaultId, payerCountry }: Order): SucceededCharge | null {
  if (!capture?.taken) return null;
  return {
    kind: 'succeeded',
    processorId: id,
    ...capture.taken,
    feeMinor: capture.feeMinor,
    method: PAYPAL_METHOD,
    storedReference: vaultId === null ? null : toReference(vaultId),
    cardCountry: payerCountry,
    cardExpiry: null,
  };
}

/** A payer who is kept without a payment. */
export function toKept(processorId: string, storedReference: string, currency: string): SucceededCharge {
  const taken = { amountMinor: 0n, currency, feeMinor: 0n };
  const none = { cardCountry: null, cardExpiry: null };
  return { kind: 'succeeded', processorId, ...taken, method: PAYPAL_METHOD, storedReference, ...none };
}

function toPending(processorId: string, { nowMs, expectedByMs }: Moment): OrderOutcome & { kind: 'pending' } {
  const byMs = expectedByMs ?? nowMs + EXPECTED_MS;
  const lookAgainAtMs = nowMs + DAY_MS;
  return { kind: 'pending', processorId, method: PAYPAL_METHOD, lookAgainAtMs, expectedByMs: byMs };
}
