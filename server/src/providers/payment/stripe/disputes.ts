/** Where disputes of a charge stand at Stripe. */
import type Stripe from 'stripe';
import type { ChargeReference, DisputeOutcome } from '../payment-provider.ts';
import { fromStripeAmount } from './amounts.ts';
import type { StripeClient } from './client.ts';

/** Events tell of each step; this is for those that were lost. */
const LOOK_MS = 86_400_000;
/** A charge is not disputed more often. */
const DISPUTES_MAX = 100;

type End = 'won' | 'lost';
/** Words that end a dispute, and those of one that takes no money: an inquiry, and what came of it. */
const ENDS: Readonly<Record<string, End | 'none'>> = {
  won: 'won',
  lost: 'lost',
  prevented: 'none',
  warning_needs_response: 'none',
  warning_under_review: 'none',
  warning_closed: 'none',
};

/** Of several the one that is open, else the newest; a word that is not known is one that is open. */
export async function lookUpStripeDispute(
  client: StripeClient,
  { processorId, nowMs }: ChargeReference,
): Promise<DisputeOutcome> {
  if (processorId === null || !processorId.startsWith('pi_')) return { kind: 'none' };
  const { data } = await client.ask((sdk, asking) =>
    sdk.disputes.list({ payment_intent: processorId, limit: DISPUTES_MAX }, asking),
  );
  const told = data
    .map((dispute) => ({ dispute, end: ENDS[dispute.status] ?? 'open' }))
    .filter(({ end }) => end !== 'none')
    .sort((a, b) => b.dispute.created - a.dispute.created);
  const found = told.find(({ end }) => end === 'open') ?? told[0];
  if (!found) {
    // An inquiry may become one.
    const isAsked = data.some(({ status }) => ENDS[status] === 'none' && !/closed|prevented/.test(status));
    return isAsked ? { kind: 'awaited', lookAgainAtMs: nowMs + LOOK_MS } : { kind: 'none' };
  }
  const known = { processorId: found.dispute.id, disputed: toMoney(found.dispute) };
  if (found.end === 'won' || found.end === 'lost') return { kind: found.end, ...known };
  return { kind: 'open', ...known, lookAgainAtMs: nowMs + LOOK_MS };
}

function toMoney({ amount, currency }: Stripe.Dispute) {
  return fromStripeAmount(amount, currency);
}
