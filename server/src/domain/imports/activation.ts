/** Whether a subscription that waits may be charged here from now on. */

export const CLOSEST_MS = 24 * 3_600_000;

export type ActivationRefusal =
  | 'too_close'
  | 'paid_until_passed'
  | 'payment_method_required'
  | 'country_required'
  | 'subscription_state';

export interface Activating {
  nowMs: number;
  paidUntilMs: number;
  hasMethod: boolean;
  country: string | null;
  /** The merchant wants the running period to be charged where what was paid for has ended. */
  chargeMissed: boolean;
}

/** Null = it may. The source may be about to charge, or to have charged, what ends within a day. */
export function refuseActivation(asked: Activating): ActivationRefusal | null {
  const { nowMs, paidUntilMs, hasMethod, country, chargeMissed } = asked;
  if (country === null) return 'country_required';
  if (paidUntilMs <= nowMs && !chargeMissed) return 'paid_until_passed';
  if (paidUntilMs > nowMs && paidUntilMs - nowMs < CLOSEST_MS) return 'too_close';
  return hasMethod ? null : 'payment_method_required';
}
