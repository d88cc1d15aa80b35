/** What a processor says of a dispute beside its money. */
import { toJson } from '../../db/scope.ts';
import type { ToldDispute } from '../../providers/payment/payment-provider.ts';

/** What may change while nothing moves. */
export function toDisputeFacts({ reason, evidenceDueAtMs, processorUrl, evidence }: ToldDispute) {
  return {
    reason,
    evidenceDueAt: evidenceDueAtMs,
    processorUrl,
    evidence: evidence && toJson(evidence),
  };
}
