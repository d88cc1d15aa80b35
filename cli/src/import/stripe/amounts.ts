/** How Stripe counts money, in ours: the minor units of ISO 4217. */
import { toMinorCount } from '../values.ts';

/**
 * Stripe's units for one of ours, and ours for one of Stripe's: it writes krónur and shillings with two decimals that are
 * always 0, and ariary without those that they have. The service charges them the same way
 * (server/src/providers/payment/stripe/amounts.ts).
 */
const MULTIPLIED: Readonly<Record<string, number>> = { isk: 100, ugx: 100 };
const DIVIDED: Readonly<Record<string, number>> = { mga: 100 };

/** Null for a part of a unit, and for less than nothing. */
export function toStripeMinor(value: unknown, currency: unknown): number | null {
  const counted = toMinorCount(value);
  const name = String(currency).toLowerCase();
  return counted === null ? null : toMinorCount((counted * (DIVIDED[name] ?? 1)) / (MULTIPLIED[name] ?? 1));
}
