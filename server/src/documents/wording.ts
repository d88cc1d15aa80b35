/** How amounts, dates, rates and places are written in a document. */
import type { Party, SnapshotRate } from '../domain/invoicing/snapshot.ts';
import { currencyDecimals } from '../domain/money/currency.ts';

/** Minor units as people write them: 123456 EUR → 1,234.56. */
export function toAmount(minor: number, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(Math.abs(minor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minor < 0 ? '−' : ''}${whole}${fraction}`;
}

/** With the currency beside it. */
export function toMoney(minor: number, currency: string): string {
  return `${toAmount(minor, currency)} ${currency}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** The day in UTC. */
export function toDay(ms: number): string {
  const date = new Date(ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export function toPercent({ percentage }: Pick<SnapshotRate, 'percentage'>): string {
  return `${percentage}%`;
}

const REASONS: Record<string, string> = {
  reverse_charge: 'reverse charge',
  not_registered: 'not collected',
  exempt: 'exempt',
  zero_rated: 'zero-rated',
  outside_scope: 'outside the scope of tax',
};

/** A tax by its name and rate, its place, and the reason of a zero. */
export function toRateName(rate: SnapshotRate): string {
  const place = [rate.country, rate.region].filter(Boolean).join('-');
  const reason = rate.percentage === 0 ? REASONS[rate.reason] : undefined;
  return [`${rate.name} ${toPercent(rate)}`, place ? `(${place})` : '', reason ? `· ${reason}` : '']
    .filter(Boolean)
    .join(' ');
}

const BEFORE_CITY = new Set(['US', 'CA', 'AU', 'IN', 'GB', 'IE', 'NZ', 'SG', 'HK', 'ZA']);

/** The address block under a name: only what is known. */
export function toAddressLines(party: Party): string[] {
  const { city, state, postalCode, country } = party;
  const place = BEFORE_CITY.has(country ?? '')
    ? [[city, state].filter(Boolean).join(', '), postalCode]
    : [postalCode, [city, state].filter(Boolean).join(', ')];
  return [party.address, party.addressLine2, place.filter(Boolean).join(' '), toCountryName(country)].filter(
    (line): line is string => Boolean(line),
  );
}

function toCountryName(country: string | null): string | null {
  if (country === null) return null;
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country;
}

const BRANDS: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

export function toMethodName({
  type,
  brand,
  last4,
}: {
  type: string;
  brand: string | null;
  last4: string | null;
}) {
  const name = brand === null ? type.replaceAll('_', ' ') : (BRANDS[brand] ?? brand);
  return last4 === null ? name : `${name} ending in ${last4}`;
}

const CREDIT_REASONS: Record<string, string> = {
  requested_by_customer: 'requested by the customer',
  duplicate: 'duplicate payment',
  fraudulent: 'fraudulent payment',
  dispute: 'payment disputed',
  other: 'other',
};

export function toCreditReason(reason: string): string {
  return CREDIT_REASONS[reason] ?? reason;
}
