import type { Place } from './location.ts';
import type { TaxRateOverride } from './overrides.ts';
import type { LineTaxRule, TaxRate, TaxReason } from './rate.ts';
import type { TaxRow } from './row.ts';
import type { TaxCategory } from './taxability.ts';

export interface TaxCustomer {
  type: 'individual' | 'company';
  taxNumber: string | null;
  /** Whether the number held, by format and check digit or by an online answer; never guessed as true. */
  taxNumberValid: boolean;
}

export interface TaxRegistration {
  /** ISO 3166-1 alpha-2, or `EU` for a one-stop-shop registration, which covers every member state. */
  country: string;
  /** State or province; missing = the whole country. */
  region?: string | null;
}

export interface TaxSettings {
  taxCollection: 'everywhere' | 'registered' | 'off';
  registrations: readonly TaxRegistration[];
  /** Missing = none. */
  taxRateOverrides?: readonly TaxRateOverride[];
}

export interface TaxQuestion {
  /** The table's rows for this place, category and date of supply: what `findRates` answers. */
  rows: readonly TaxRow[];
  /** Null while the buyer's country is not known yet. */
  place: Place | null;
  category: TaxCategory;
  customer: TaxCustomer;
  /** `countryCode` null = established outside the EU. */
  seller: { countryCode: string | null };
  settings: TaxSettings;
}

const REVERSE_CHARGE_EU =
  'Reverse charge: VAT to be accounted for by the recipient (Article 196, Directive 2006/112/EC).';
const REVERSE_CHARGE_ELSEWHERE = 'Reverse charge: tax to be accounted for by the recipient.';

/**
 * Decides the tax of a line, in this order: collection off; nothing known or nothing taxed at the place of
 * supply; the recipient owes it; no registration there; the table's rates. Every zero has its reason, and the
 * place's own zero goes before the seller's, because it holds whatever the seller does.
 */
export function decideTax(question: TaxQuestion): LineTaxRule {
  const { place, rows, settings } = question;
  if (settings.taxCollection === 'off') return untaxed(question, 'not_registered');
  if (place === null || question.category === 'voucher') return untaxed(question, 'outside_scope');
  const taxed = rows.filter((row) => row.taxable);
  const [first] = taxed;
  if (first === undefined) return untaxed(question, rows[0]?.reason ?? 'outside_scope');
  const sentence = reverseChargeSentence(question, first, place);
  if (sentence !== null) return { ...untaxed(question, 'reverse_charge'), sentence };
  if (settings.taxCollection === 'registered' && !isRegistered(settings.registrations, place)) {
    return untaxed(question, 'not_registered');
  }
  return { reason: first.reason, rates: taxed.map(toTaxRate), sentence: null };
}

/** The sentence of the invoice when the recipient owes the tax, else null. */
function reverseChargeSentence({ customer, seller }: TaxQuestion, row: TaxRow, place: Place): string | null {
  const isBusiness = customer.type === 'company' && customer.taxNumber !== null && customer.taxNumberValid;
  if (!isBusiness || seller.countryCode === place.country) return null;
  if (place.isInEuVat) return REVERSE_CHARGE_EU;
  return row.b2b === 'reverse_charge' ? REVERSE_CHARGE_ELSEWHERE : null;
}

function isRegistered(registrations: readonly TaxRegistration[], place: Place): boolean {
  return registrations.some((registration) => {
    if (registration.country === 'EU') return place.isInEuVat;
    if (registration.country !== place.country) return false;
    return (registration.region ?? null) === null || registration.region === place.region;
  });
}

// One row of 0 % keeps the reason with the line, and names the tax that is not taken.
function untaxed({ rows, place }: TaxQuestion, reason: TaxReason): LineTaxRule {
  if (place === null) return { reason, rates: [], sentence: null };
  const name = rows[0]?.name ?? 'Tax';
  const region = rows[0]?.region ?? null;
  return { reason, rates: [{ name, country: place.country, region, ratePpm: 0, reason }], sentence: null };
}

function toTaxRate(row: TaxRow): TaxRate {
  return {
    name: row.name,
    country: row.country,
    region: row.region,
    ratePpm: row.ratePpm,
    reason: row.reason,
  };
}
