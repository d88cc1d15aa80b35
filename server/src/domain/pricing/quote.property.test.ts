import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideByTable } from '../tax/decide-by-table.ts';
import { TAX_TABLE } from '../tax/table.ts';
import type { TaxCategory } from '../tax/taxability.ts';
import { computeQuote, type QuoteInput, type QuoteLine, toTaxRequest } from './quote.ts';

const DAY_MS = 86_400_000;
const COUNTRIES = [...new Set(TAX_TABLE.map(({ country }) => country)), 'AQ', 'ZZ'];
const STATES = [...new Set(TAX_TABLE.flatMap(({ region }) => region ?? []))];
/** One in each special territory that a postal code tells, beside some that are none. */
const POSTAL_CODES = [
  '35001',
  '51001',
  '52001',
  '22100',
  '78266',
  '27498',
  '23041',
  '22061',
  '9000',
  '9500',
  '97110',
  'BT1',
];
const CATEGORIES: TaxCategory[] = ['digital_good', 'software', 'saas', 'digital_service', 'voucher'];
const NUMBERS: Readonly<Record<string, string>> = {
  DE: 'DE136695976',
  FR: 'FR40303265045',
  AU: '51824753556',
};

const LINES = fc
  .array(
    fc.record({
      offerId: fc.constantFrom('offer-a', 'offer-b', 'offer-c'),
      unitPriceMinor: fc.oneof(fc.bigInt(1n, 30n), fc.bigInt(1n, 1_000_000n)),
      quantity: fc.integer({ min: 1, max: 12 }),
      category: fc.constantFrom(...CATEGORIES),
      taxBehavior: fc.constant(null),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((lines) => lines.map((line, index): QuoteLine => ({ ...line, key: String(index) })));

const SALE = fc.record({
  lines: LINES,
  currency: fc.constantFrom('JPY', 'EUR', 'KWD'),
  pricesIncludeTax: fc.boolean(),
  countryCode: fc.constantFrom(...COUNTRIES, null),
  state: fc.constantFrom(...STATES, null),
  postalCode: fc.constantFrom(...POSTAL_CODES, null),
  type: fc.constantFrom('individual' as const, 'company' as const),
  sellerCountry: fc.constantFrom('DE', 'US', 'PL', null),
  taxCollection: fc.constantFrom('everywhere' as const, 'registered' as const, 'off' as const),
  // From before the table begins to after its last step.
  supplyDay: fc.integer({ min: Date.parse('2014-06-01') / DAY_MS, max: Date.parse('2030-06-01') / DAY_MS }),
});

type Sale = typeof SALE extends fc.Arbitrary<infer T> ? T : never;

function toInput({ countryCode, state, postalCode, type, ...sale }: Sale): QuoteInput {
  const taxNumber = NUMBERS[countryCode ?? ''] ?? null;
  return {
    nowMs: sale.supplyDay * DAY_MS,
    currency: sale.currency,
    lines: sale.lines,
    pricesIncludeTax: sale.pricesIncludeTax,
    sales: [],
    code: null,
    userRedemptions: new Map(),
    buyer: { countryCode, state, postalCode, type, taxNumber, taxNumberValid: null },
    seller: { countryCode: sale.sellerCountry },
    taxSettings: { taxCollection: sale.taxCollection, registrations: [{ country: 'EU' }] },
  };
}

function quote(sale: Sale) {
  const input = toInput(sale);
  return computeQuote(input, decideByTable(toTaxRequest(input)));
}

// One expectation per sale: ten thousand sales times a dozen of them would take longer than the sums do.
function findMismatches(sale: Sale): string[] {
  const totals = quote(sale);
  const { lines: _lines, ...sums } = totals;
  const { lines: _turned, ...turnedSums } = quote({ ...sale, lines: sale.lines.toReversed() });
  const priceMinor = sale.lines.reduce((sum, line) => sum + line.unitPriceMinor * BigInt(line.quantity), 0n);
  const taxMinor = totals.lines.reduce((sum, line) => sum + line.taxMinor, 0n);
  const checks: Record<string, boolean> = {
    'lines and tax add up':
      totals.lines.reduce((sum, line) => sum + line.netMinor, 0n) + taxMinor === totals.totalMinor,
    'the tax is that of the lines': taxMinor === totals.taxMinor,
    'the order of the lines changes nothing': isSame(sums, turnedSums),
    'an inclusive price is what is paid': !sale.pricesIncludeTax || totals.totalMinor === priceMinor,
    'an exclusive price is what is taxed':
      sale.pricesIncludeTax || totals.totalMinor - taxMinor === priceMinor,
    'every zero has a reason, and only a zero': totals.lines.every(
      ({ rule }) =>
        rule.rates.every(({ ratePpm }) => ratePpm === 0) !== ['standard', 'reduced'].includes(rule.reason),
    ),
    'a known place has a rate on every line': totals.lines.every(
      ({ rule }) => sale.countryCode === null || rule.rates.length > 0,
    ),
    'nothing is collected when collection is off': sale.taxCollection !== 'off' || taxMinor === 0n,
  };
  return Object.keys(checks).filter((name) => checks[name] === false);
}

function isSame(one: unknown, other: unknown): boolean {
  const toText = (value: unknown) =>
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part));
  return toText(one) === toText(other);
}

it('10,000 sales at every place and time of the table add up, whatever the order of their lines', () => {
  fc.assert(
    fc.property(SALE, (sale) => {
      expect(findMismatches(sale)).toEqual([]);
    }),
    { numRuns: 10_000 },
  );
});
