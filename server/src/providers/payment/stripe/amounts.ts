/**
 * How Stripe counts money. It counts some currencies in other units than ISO 4217, takes no part of a unit of some, and
 * takes neither too little nor too much of any.
 *
 * As of November 2026: https://docs.stripe.com/currencies, which has the currencies, the special cases, the smallest
 * charge of each currency that accounts are held in, and the largest.
 */
import { divideHalfAwayFromZero } from '../../../domain/money/rounding.ts';

/** In capitals, as we write them. */
export const STRIPE_CURRENCIES: readonly string[] = [
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN',
  'BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD',
  'CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP',
  'GBP GEL GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY',
  'KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL',
  'MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR',
  'PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL',
  'THB TJS TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW',
].flatMap((line) => line.split(' '));

/** Stripe's units for one of ours. */
const MULTIPLIED: Readonly<Record<string, bigint>> = { ISK: 100n, UGX: 100n };
/** Ours for one of Stripe's: what is not whole there cannot be charged. */
const DIVIDED: Readonly<Record<string, bigint>> = { MGA: 100n };
/** Only these steps of Stripe's units can be charged. */
const STEPS: Readonly<Record<string, bigint>> = { BHD: 10n, JOD: 10n, KWD: 10n, OMR: 10n, TND: 10n };

/** Of the currencies that have one, in Stripe's units. Of others Stripe converts, and says so itself. */
const MINIMA: Readonly<Record<string, bigint>> = {
  ...{ AED: 200n, AUD: 50n, BGN: 100n, BRL: 50n, CAD: 50n, CHF: 50n, CZK: 1500n, DKK: 250n, EUR: 50n },
  ...{ GBP: 30n, HKD: 400n, HUF: 17500n, INR: 50n, JPY: 50n, MXN: 1000n, MYR: 200n, NOK: 300n, NZD: 50n },
  ...{ PLN: 200n, RON: 200n, SEK: 300n, SGD: 50n, THB: 1000n, USD: 50n },
};
const DIGITS_MAX = 8n;
const DIGITS_MAX_OF: Readonly<Record<string, bigint>> = { IDR: 12n };

export interface Money {
  /** Of ISO 4217, as everywhere with us. */
  amountMinor: bigint;
  currency: string;
}

export type StripeAmount =
  /** A whole number of twelve digits at most, in Stripe's units. */
  | { kind: 'amount'; amount: number }
  /** Too much, or a part of a unit that Stripe does not know, or its currency. */
  | { kind: 'not_chargeable' }
  /** `minimumMinor` is the least that can be charged. */
  | { kind: 'below_minimum'; minimumMinor: bigint };

const known = new Set(STRIPE_CURRENCIES);

/** What a charge of this much is at Stripe. 0 and less is below every minimum. */
export function toStripeAmount({ amountMinor, currency }: Money): StripeAmount {
  if (!known.has(currency)) return { kind: 'not_chargeable' };
  const minimum = MINIMA[currency] ?? STEPS[currency] ?? MULTIPLIED[currency] ?? 1n;
  const minimumMinor = toMinor(minimum, currency);
  if (amountMinor < minimumMinor) return { kind: 'below_minimum', minimumMinor };
  const amount = toStripeUnits({ amountMinor, currency });
  const isTooMuch = amount !== null && amount >= 10n ** (DIGITS_MAX_OF[currency] ?? DIGITS_MAX);
  return amount === null || isTooMuch
    ? { kind: 'not_chargeable' }
    : { kind: 'amount', amount: Number(amount) };
}

/** Before anything is asked for. */
export function judgeStripeAmount(money: Money) {
  const asked = toStripeAmount(money);
  return asked.kind === 'amount' ? { kind: 'fits' as const } : asked;
}

/** Every sum that can be moved is a multiple of it, in our units. */
export function stripeStepOf(currency: string): bigint {
  return DIVIDED[currency] ?? STEPS[currency] ?? 1n;
}

/** Any sum in Stripe's units, such as a refund, which may be as small as a unit; null where it has none of it. */
export function toStripeUnits({ amountMinor, currency }: Money): bigint | null {
  const divisor = DIVIDED[currency] ?? 1n;
  const amount = (amountMinor * (MULTIPLIED[currency] ?? 1n)) / divisor;
  const isWhole = amountMinor % divisor === 0n && amount % (STEPS[currency] ?? 1n) === 0n;
  return isWhole ? amount : null;
}

/**
 * A sum that Stripe tells of, in our units; `currency` in either case. Whatever it says can be told: where its unit is
 * the finer one, parts of ours are rounded half away from zero.
 */
export function fromStripeAmount(amount: number, currency: string): Money {
  const code = currency.toUpperCase();
  return { amountMinor: toMinor(BigInt(amount), code), currency: code };
}

function toMinor(amount: bigint, code: string): bigint {
  return divideHalfAwayFromZero(amount * (DIVIDED[code] ?? 1n), MULTIPLIED[code] ?? 1n);
}
