/** A row of Gumroad's sales table. "($)" is USD, whatever the buyer paid with. */
import type { Interval } from '../lines.ts';
import type { TableRow } from '../source.ts';
import { toMinor, toMs, toNumber, toText } from '../values.ts';

export const CURRENCY = 'USD';
export const COLUMNS = ['Purchase ID', 'Purchase Email', 'Item Name'] as const;

const TOTALS = 'Totals';

const RECURRENCES: Readonly<Record<string, Interval>> = {
  monthly: { unit: 'month', count: 1 },
  quarterly: { unit: 'month', count: 3 },
  biannually: { unit: 'month', count: 6 },
  every_6_months: { unit: 'month', count: 6 },
  yearly: { unit: 'year', count: 1 },
  every_two_years: { unit: 'year', count: 2 },
  every_2_years: { unit: 'year', count: 2 },
};

export interface Sale {
  ref: string;
  email: string;
  name: string | null;
  productRef: string;
  productName: string;
  variantName: string | null;
  offerRef: string;
  interval: Interval | null;
  atMs: number;
  quantity: number;
  /** All that was paid, tax in, and the tax. */
  value: number;
  tax: number;
  isTaxIn: boolean;
  /** Of one, as it was sold. */
  unitPrice: number;
  isDiscounted: boolean;
  isRecurringCharge: boolean;
  isFreeTrial: boolean;
  /** Null = nobody has ended it. */
  endsAt: number | null;
  country: string | null;
  details: Record<string, string | null>;
  key: { text: string; isRevoked: boolean; uses: number | null } | null;
}

export type ReadRow =
  | { sale: Sale }
  | { leaves: 'refunded' | 'disputed' | 'no_price' | 'no_period'; ref: string }
  | null;

const isYes = (text: string | undefined) => /^(1|true|yes|y)$/i.test(text ?? '');

/** Null for the last row, which sums up the others. */
export function readRow(row: TableRow): ReadRow {
  // What a spreadsheet would take for a formula has a mark before it.
  const said = (name: string) => (row[name] ?? '').replace(/^'(?=[=+\-@])/, '');
  const ref = said('Purchase ID');
  if (ref === TOTALS || ref === '') return null;
  if (isYes(said('Fully Refunded?'))) return { leaves: 'refunded', ref };
  if (isYes(said('Disputed?')) && !isYes(said('Dispute Won?'))) return { leaves: 'disputed', ref };
  const email = toText(said('Purchase Email'), 320) ?? toText(said('Buyer Email'), 320);
  const productName = toText(said('Item Name'), 200);
  const atMs = toTime(said('Purchase Date'), said('Purchase Time (UTC timezone)'));
  const price = toMinor(said('Sale Price ($)') || said('Item Price ($)'), CURRENCY);
  if (email === null || productName === null || atMs === null || price === null)
    return { leaves: 'no_price', ref };
  const ended = said('Subscription End Date');
  // Of one that has ended nobody is to be charged because its day was written in another way.
  if (ended !== '' && toMs(ended) === null) return { leaves: 'no_period', ref };
  const quantity = toNumber(said('Quantity')) || 1;
  const tax = toMinor(said('Taxes ($)'), CURRENCY) ?? 0;
  const isTaxIn = isYes(said('Tax Included in Price?'));
  const productRef = toText(said('Product ID'), 200) ?? productName;
  const variantName = toText(said('Variants').replace(/^\((.*)\)$/, '$1'), 200);
  const recurrence = said('Recurrence').toLowerCase().replaceAll(' ', '_');
  const interval = RECURRENCES[recurrence] ?? null;
  const parts = [productRef, variantName, interval && recurrence].filter(Boolean);
  const sale: Sale = {
    ...{ ref, email, name: toText(said('Buyer Name'), 200), productRef, productName, variantName },
    ...{ offerRef: parts.join(':').slice(0, 255), interval, atMs, quantity, tax, isTaxIn },
    ...{ value: isTaxIn ? price : price + tax, unitPrice: Math.round(price / quantity) },
    isDiscounted: said('Discount Code') !== '',
    isRecurringCharge: isYes(said('Recurring Charge?')),
    isFreeTrial: isYes(said('Free trial purchase?')),
    endsAt: toMs(ended),
    ...readPlace(said),
    key: readKey(said),
  };
  return { sale };
}

/** Newer tables write date and time into both columns. */
function toTime(date: string, time: string): number | null {
  return toMs(time) ?? toMs(`${date} ${time}`.trim()) ?? toMs(date);
}

function readPlace(said: (name: string) => string): Pick<Sale, 'country' | 'details'> {
  const country = toCountryCode(said('Country'));
  const details = {
    address: toText(said('Street Address'), 300),
    city: toText(said('City'), 100),
    state: toText(said('State'), 100),
    postalCode: toText(said('Zip Code'), 20),
    countryCode: country,
  };
  return { country, details };
}

function readKey(said: (name: string) => string): Sale['key'] {
  const text = toText(said('License Key'), 512);
  if (text === null) return null;
  const enabled = said('License Key Enabled?');
  const isRevoked = enabled !== '' && !isYes(enabled);
  return { text, isRevoked, uses: toNumber(said('License Key Activation Count')) };
}

let codes: ReadonlyMap<string, string> | null = null;

/** It writes their English names. */
function toCountryCode(text: string): string | null {
  if (/^[A-Z]{2}$/.test(text)) return text;
  codes ??= listCountries();
  return codes.get(toPlainName(text)) ?? null;
}

const toPlainName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[^a-z]+/g, ' ')
    .replace(/^saint /, 'st ')
    .trim();

/** As ISO 3166 writes them, and as they were. */
const OTHER_NAMES = {
  'bolivia plurinational state of': 'BO',
  'brunei darussalam': 'BN',
  'cabo verde': 'CV',
  congo: 'CG',
  'congo the democratic republic of the': 'CD',
  'holy see vatican city state': 'VA',
  'ivory coast': 'CI',
  'lao people s democratic republic': 'LA',
  macao: 'MO',
  'micronesia federated states of': 'FM',
  myanmar: 'MM',
  'palestine state of': 'PS',
  'syrian arab republic': 'SY',
  'tanzania united republic of': 'TZ',
  'united states of america': 'US',
  'venezuela bolivarian republic of': 'VE',
  'virgin islands british': 'VG',
  'virgin islands u s': 'VI',
  'russian federation': 'RU',
  'korea republic of': 'KR',
  'viet nam': 'VN',
  'czech republic': 'CZ',
  'taiwan province of china': 'TW',
  turkey: 'TR',
  'iran islamic republic of': 'IR',
  'moldova republic of': 'MD',
  'macedonia the former yugoslav republic of': 'MK',
  swaziland: 'SZ',
  'cape verde': 'CV',
  'hong kong': 'HK',
};

function listCountries(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const found = letters.flatMap((first) =>
    letters.flatMap((second): Array<[string, string]> => {
      const code = `${first}${second}`;
      // A code of before has the name of the one that has followed it: UK that of GB, FX that of FR.
      const name = new Intl.Locale(`und-${code}`).region === code ? names.of(code) : undefined;
      return name ? [[toPlainName(name), code]] : [];
    }),
  );
  return new Map([...found, ...Object.entries(OTHER_NAMES)]);
}
