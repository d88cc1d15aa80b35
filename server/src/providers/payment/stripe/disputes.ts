/** Where disputes of a charge stand at Stripe, and whether its issuer warns of it. */
import type Stripe from 'stripe';
import {
  type ChargeReference,
  type DisputeStage,
  type DisputesOutcome,
  type FraudWarning,
  type ToldDispute,
  UNDISPUTED,
} from '../payment-provider.ts';
import { fromStripeAmount } from './amounts.ts';
import type { StripeClient } from './client.ts';

/** Events tell of each step; this is for those that were lost. */
const LOOK_MS = 86_400_000;
/** A charge is not disputed more often. */
const DISPUTES_MAX = 100;
const WARNINGS_MAX = 10;

/** A word that is not known is one that is open. */
const STAGES: Readonly<Record<string, DisputeStage>> = {
  won: 'won',
  lost: 'lost',
  prevented: 'none',
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'none',
};

export async function lookUpStripeDisputes(
  client: StripeClient,
  { processorId, nowMs }: ChargeReference,
  testMode: boolean,
): Promise<DisputesOutcome> {
  if (processorId === null || !processorId.startsWith('pi_')) return UNDISPUTED;
  const [told, warnings] = await Promise.all([
    client.ask((sdk, asking) =>
      sdk.disputes.list({ payment_intent: processorId, limit: DISPUTES_MAX }, asking),
    ),
    client.ask((sdk, asking) =>
      sdk.radar.earlyFraudWarnings.list({ payment_intent: processorId, limit: WARNINGS_MAX }, asking),
    ),
  ]);
  const disputes = [...told.data]
    .sort((a, b) => a.created - b.created)
    .map((dispute) => toTold(dispute, testMode));
  const isUndecided = disputes.some(({ stage }) => stage === 'open' || stage === 'inquiry');
  return {
    kind: 'told',
    disputes,
    warnings: warnings.data.map(toWarning),
    lookAgainAtMs: isUndecided ? nowMs + LOOK_MS : null,
  };
}

function toTold(dispute: Stripe.Dispute, testMode: boolean): ToldDispute {
  const { id, status, amount, currency, reason, evidence_details: details } = dispute;
  return {
    processorId: id,
    stage: STAGES[status] ?? 'open',
    disputed: fromStripeAmount(amount, currency),
    reason,
    // None where the bank takes no answer.
    evidenceDueAtMs: typeof details?.due_by === 'number' ? details.due_by * 1000 : null,
    processorUrl: `https://dashboard.stripe.com/${testMode ? 'test/' : ''}disputes/${encodeURIComponent(id)}`,
    evidence: details ? { submitted: details.submission_count > 0, pastDue: details.past_due } : null,
  };
}

function toWarning({ id, actionable }: Stripe.Radar.EarlyFraudWarning): FraudWarning {
  return { processorId: id, isActionable: actionable };
}
