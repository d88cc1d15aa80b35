/** Why a charge was declined, as its buyer may read it: what a bank suspects is for the seller alone. */

/** The seller reads them with the charge. */
const SUSPICIONS: ReadonlySet<string> = new Set([
  ...['fraudulent', 'merchant_blacklist', 'highest_risk_level', 'security_violation', 'blocked'],
  ...['lost_card', 'stolen_card', 'pickup_card', 'restricted_card'],
]);

/** The word that is said for all of them. */
const GENERIC = 'card_declined';

export function toShownReason(reason: string): string {
  return SUSPICIONS.has(reason) ? GENERIC : reason;
}

/** The same for what is shown with its message, which says nothing of it. */
export function toShownFailure<Failure extends { reason: string }>(failure: Failure | null): Failure | null {
  return failure && { ...failure, reason: toShownReason(failure.reason) };
}
