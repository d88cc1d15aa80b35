/**
 * Money given back. Which refund is ours is told by its metadata, which Stripe keeps for good, unlike keys: it is looked
 * for before it is asked for.
 */
import type Stripe from 'stripe';
import { WHOLE_ID } from '../../../domain/numbers.ts';
import { toFailedRefund } from '../failed-refund.ts';
import type { RefundLookUp, RefundOutcome, RefundRequest } from '../payment-provider.ts';
import { toStripeUnits } from './amounts.ts';
import { askAgain } from './ask-again.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

const DAY_MS = 86_400_000;
/** A look at more would take longer than a call may. */
const REFUNDS_MAX = 1_000;
/** By Stripe's code, in our word. */
const REFUSALS: ReadonlyMap<string, string> = new Map([
  ['charge_already_refunded', 'not_refundable'],
  ['charge_not_refundable', 'not_refundable'],
  ['payment_intent_unexpected_state', 'not_refundable'],
  // Another account's.
  ['resource_missing', 'not_refundable'],
  ['charge_disputed', 'charge_disputed'],
  ['refund_disputed_payment', 'charge_disputed'],
  ['balance_insufficient', 'insufficient_funds'],
  ['insufficient_funds', 'insufficient_funds'],
]);
/** By which a refund there is known as ours. */
export const REFUND_KEY = 'cf_refund';

/** Anybody with the account may write metadata: what is no id of ours names nothing. */
export function toOwnRefund(value: string | undefined): string | null {
  return value !== undefined && WHOLE_ID.test(value) ? value : null;
}

export async function refundCharge(client: StripeClient, request: RefundRequest): Promise<RefundOutcome> {
  const { refundId, processorId, nowMs } = request;
  const amount = toStripeUnits(request);
  if (processorId === null || !processorId.startsWith('pi_')) return toFailedRefund('not_refundable');
  if (amount === null) return toFailedRefund('amount_not_chargeable');
  // Where the list cannot be had, it may have been made by an earlier call.
  const earlier = await findRefund(client, { processorId, refundId });
  if (earlier) return toRefundOutcome(earlier, nowMs);
  try {
    const asked = {
      payment_intent: processorId,
      amount: Number(amount),
      metadata: { [REFUND_KEY]: refundId },
    };
    const made = await askAgain(client, refundId, (sdk, options) => sdk.refunds.create(asked, options));
    return toRefundOutcome(made, nowMs);
  } catch (error) {
    const reason = error instanceof StripeFailure ? toRefusal(error) : null;
    if (reason === null) throw error;
    return toFailedRefund(reason);
  }
}

/** What Stripe says of the charge. Null = the call itself is not right, which is our fault and says nothing of the money. */
function toRefusal({ kind, facts: { code, param } }: StripeFailure): string | null {
  if (kind === 'missing') return 'not_refundable';
  if (kind !== 'refused') return null;
  // More than is left of it has no code.
  if (code === null) return param === 'amount' ? 'not_refundable' : null;
  return REFUSALS.get(code) ?? null;
}

/** By its metadata alone, which Stripe keeps for good. */
export async function lookUpStripeRefund(
  client: StripeClient,
  { processorId, refundId, nowMs }: RefundRequest,
): Promise<RefundLookUp> {
  if (processorId === null || !processorId.startsWith('pi_')) return { kind: 'absent' };
  const found = await findRefund(client, { processorId, refundId });
  return found ? toRefundOutcome(found, nowMs) : { kind: 'absent' };
}

export async function listRefunds(client: StripeClient, processorId: string): Promise<Stripe.Refund[]> {
  return client.ask((sdk, options) =>
    sdk.refunds
      .list({ payment_intent: processorId, limit: 100 }, options)
      .autoPagingToArray({ limit: REFUNDS_MAX }),
  );
}

async function findRefund(
  client: StripeClient,
  { processorId, refundId }: { processorId: string; refundId: string },
): Promise<Stripe.Refund | null> {
  try {
    const refunds = await listRefunds(client, processorId);
    return refunds.find(({ metadata }) => metadata?.[REFUND_KEY] === refundId) ?? null;
  } catch (error) {
    // Of what is another account's nothing was ever given back by this one.
    if (error instanceof StripeFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/** A word that is not known is one that waits. */
function toRefundOutcome({ id, status, failure_reason }: Stripe.Refund, nowMs: number): RefundOutcome {
  if (status === 'succeeded') return { kind: 'succeeded', processorId: id };
  if (status === 'failed' || status === 'canceled') return toFailedRefund(failure_reason ?? status);
  return { kind: 'pending', processorId: id, lookAgainAtMs: nowMs + DAY_MS };
}
