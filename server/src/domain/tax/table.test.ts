import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toPlace } from './location.ts';
import { toPercentage } from './rate.ts';
import { REFERENCES } from './references.ts';
import { CA_PROVINCES, US_STATES } from './regions.ts';
import { findRates, TAX_TABLE } from './table.ts';
import type { TaxCategory } from './taxability.ts';

const TODAY = '2026-11-20';
const PINNED: readonly string[] = [
  'PL 23',
  'DE 19',
  'HU 27',
  'FI 25.5',
  'EE 24',
  'SK 23',
  'RO 21',
  'LU 17',
  'CH 8.1',
  'NO 25',
  'GB 20',
  'JP 10',
  'AU 10',
  'NZ 15',
  'IN 18',
  'SG 9',
  'ZA 15',
  'TR 20',
  'AE 5',
  'SA 15',
  'FR 20',
  'SE 25',
  'DK 25',
  'IE 23',
  'IT 22',
  'ES 21',
  'PT 23',
  'GR 24',
  'NL 21',
  'BE 21',
  'AT 20',
  'CZ 21',
  'LI 8.1',
  'IS 24',
  'KR 10',
  'MX 16',
  'CL 19',
  'XK 18',
  'UA 20',
  'MY 8',
];
const TODAYS_ROWS = TAX_TABLE.filter(
  ({ fromMs, toMs }) => fromMs <= Date.parse(TODAY) && (toMs === null || Date.parse(TODAY) < toMs),
);

/** As the list of unchecked rows writes it: `XK`, `CA-ON`, `US-TX/saas`. */
function toName({ country, region, category }: (typeof TAX_TABLE)[number]): string {
  const place = region === null ? country : `${country}-${region}`;
  return category === 'any' ? place : `${place}/${category}`;
}

interface Where {
  state?: string;
  postalCode?: string;
  category?: TaxCategory;
}

function ratesOf(countryCode: string, date = TODAY, { state, postalCode, category }: Where = {}) {
  const place = toPlace({ countryCode, state: state ?? null, postalCode: postalCode ?? null });
  return findRates(place, category ?? 'digital_good', Date.parse(date)).map((row) => [
    row.name,
    toPercentage(row.ratePpm),
  ]);
}

describe('the rates that the specification names', () => {
  it.each(PINNED)('%s', (line) => {
    const [country = '', percentage] = line.split(' ');
    expect(ratesOf(country).map(([, rate]) => rate)).toEqual([Number(percentage)]);
  });

  it.each([
    ['BG', 20],
    ['CY', 19],
    ['HR', 25],
    ['LT', 21],
    ['LV', 21],
    ['MT', 18],
    ['SI', 22],
  ])('has the remaining member state %s at %d', (country, percentage) => {
    expect(ratesOf(country)).toEqual([['VAT', percentage]]);
  });

  it.each([
    ['EE', '2025-06-30', 22],
    ['EE', '2025-07-01', 24],
    ['SK', '2024-12-31', 20],
    ['SK', '2025-01-01', 23],
    ['RO', '2025-07-31', 19],
    ['RO', '2025-08-01', 21],
    ['FI', '2024-08-31', 24],
    ['FI', '2024-09-01', 25.5],
    ['DE', '2020-08-01', 16],
    ['LU', '2023-05-05', 16],
    ['CH', '2023-12-31', 7.7],
    ['SG', '2023-06-01', 8],
    ['TR', '2023-07-09', 18],
  ])('%s on %s is %d', (country, date, percentage) => {
    expect(ratesOf(country, date)).toEqual([[expect.any(String), percentage]]);
  });

  it('changes at the first moment of the day, UTC', () => {
    const place = toPlace({ countryCode: 'EE', state: null, postalCode: null });
    const midnight = Date.parse('2025-07-01');
    expect(findRates(place, 'saas', midnight - 1)[0]?.ratePpm).toBe(220_000);
    expect(findRates(place, 'saas', midnight)[0]?.ratePpm).toBe(240_000);
  });

  it.each([
    ['ON', [['HST', 13]]],
    ['NB', [['HST', 15]]],
    ['NL', [['HST', 15]]],
    ['PE', [['HST', 15]]],
    ['NS', [['HST', 14]]],
    [
      'QC',
      [
        ['GST', 5],
        ['QST', 9.975],
      ],
    ],
    [
      'BC',
      [
        ['GST', 5],
        ['PST', 7],
      ],
    ],
    [
      'MB',
      [
        ['GST', 5],
        ['RST', 7],
      ],
    ],
    [
      'SK',
      [
        ['GST', 5],
        ['PST', 6],
      ],
    ],
    ['AB', [['GST', 5]]],
    ['NT', [['GST', 5]]],
    ['NU', [['GST', 5]]],
    ['YT', [['GST', 5]]],
  ])('Canada, %s: %j', (state, expected) => {
    expect(ratesOf('CA', TODAY, { state })).toEqual(expected);
  });

  it('takes no tax of Manitoba on software used online before 2026', () => {
    const where = { state: 'MB', category: 'saas' } as const;
    expect(ratesOf('CA', '2025-12-31', where)).toEqual([['GST', 5]]);
    expect(ratesOf('CA', '2026-01-01', where)).toEqual([
      ['GST', 5],
      ['RST', 7],
    ]);
  });

  it('takes 15 in Nova Scotia until the end of March 2025', () => {
    expect(ratesOf('CA', '2025-03-31', { state: 'NS' })).toEqual([['HST', 15]]);
  });

  it.each(['35001', '38001', '51001', '52001'])('never takes the mainland VAT in Spain, %s', (postalCode) => {
    expect(ratesOf('ES', TODAY, { postalCode })).toEqual([['VAT', 0]]);
  });

  it.each([
    ['PT', '9000-100', 22],
    ['PT', '9500-100', 16],
    ['AT', '6991', 19],
    ['FR', '97200', 8.5],
    ['MC', '98000', 20],
    ['GB', 'BT1 1AA', 20],
    ['GR', '63086', 0],
    ['IT', '23041', 0],
    ['DE', '27498', 0],
    ['FI', '22100', 0],
  ])('%s %s is %d', (country, postalCode, percentage) => {
    expect(ratesOf(country, TODAY, { postalCode })).toEqual([['VAT', percentage]]);
  });

  it('knows Hong Kong as a place without tax, and tells it from a place that it does not know', () => {
    expect(ratesOf('HK')).toEqual([['Tax', 0]]);
    expect(ratesOf('AQ')).toEqual([]);
  });
});

describe('United States', () => {
  it.each(['AK', 'DE', 'MT', 'NH', 'OR'])('%s has no sales tax', (state) => {
    expect(ratesOf('US', TODAY, { state })).toEqual([['Sales tax', 0]]);
  });

  it.each([
    ['WA', 'digital_good', 6.5],
    ['NY', 'digital_good', 0],
    ['NY', 'saas', 4],
    ['NY', 'software', 4],
    ['CA', 'saas', 0],
    ['TX', 'digital_good', 6.25],
    ['TX', 'saas', 5],
    ['PA', 'saas', 6],
    ['FL', 'software', 0],
    ['LA', 'digital_good', 5],
    ['SD', 'saas', 4.2],
    ['NM', 'digital_good', 4.875],
    ['MS', 'saas', 0],
    ['MS', 'software', 7],
    ['WV', 'digital_good', 0],
    ['WV', 'software', 6],
  ] as const)('%s takes on %s %d %%', (state, category, percentage) => {
    expect(ratesOf('US', TODAY, { state, category })).toEqual([['Sales tax', percentage]]);
  });

  it('began to tax digital goods in Maryland in March 2021', () => {
    expect(ratesOf('US', '2021-03-13', { state: 'MD' })).toEqual([['Sales tax', 0]]);
    expect(ratesOf('US', '2021-03-14', { state: 'MD' })).toEqual([['Sales tax', 6]]);
  });

  it('has an answer for every state and category', () => {
    for (const state of Object.keys(US_STATES)) {
      for (const category of ['digital_good', 'software', 'saas', 'digital_service'] as const) {
        expect(ratesOf('US', TODAY, { state, category })).toHaveLength(1);
      }
    }
  });
});

describe('the table as data', () => {
  it('has whole rates, a source, a name and dates in order in every row', () => {
    for (const row of TAX_TABLE) {
      expect(Number.isInteger(row.ratePpm) && row.ratePpm >= 0 && row.ratePpm < 1_000_000).toBe(true);
      expect(row.country).toMatch(/^[A-Z]{2}$/);
      expect(row.source).not.toBe('');
      expect(row.name).not.toBe('');
      expect(Number.isSafeInteger(row.fromMs)).toBe(true);
      if (row.toMs !== null) expect(row.toMs).toBeGreaterThan(row.fromMs);
      expect(row.taxable).toBe(row.ratePpm > 0);
      expect(['exempt', 'outside_scope', 'zero_rated'].includes(row.reason)).toBe(!row.taxable);
    }
  });

  it('never has two rows of one tax at the same moment', () => {
    const keyOf = (row: (typeof TAX_TABLE)[number]) =>
      [row.country, row.region, row.category, row.name].join('/');
    for (const [index, row] of TAX_TABLE.entries()) {
      const rivals = TAX_TABLE.slice(index + 1).filter((other) => keyOf(other) === keyOf(row));
      for (const other of rivals) {
        const isApart =
          (row.toMs !== null && row.toMs <= other.fromMs) ||
          (other.toMs !== null && other.toMs <= row.fromMs);
        expect(isApart, keyOf(row)).toBe(true);
      }
    }
  });

  it('was compared with public references wherever the specification names a rate', () => {
    const countries = PINNED.map((line) => line.slice(0, 2));
    const provinces = Object.keys(CA_PROVINCES);
    const named = TODAYS_ROWS.filter(
      ({ country, region }) =>
        (region === null && countries.includes(country)) || (region !== null && provinces.includes(region)),
    ).filter(({ country }) => country !== 'US');
    expect(named.filter(({ checked }) => checked === null).map(toName)).toEqual([]);
    expect(named.every(({ consulted }) => consulted.every((url) => URL.canParse(url)))).toBe(true);
  });

  it('has every row of today that was never compared in the list of docs/design/tax.md', () => {
    const text = readFileSync(new URL('../../../../docs/design/tax.md', import.meta.url), 'utf8');
    const list = /<!-- unchecked -->\n([\s\S]*?)\n<!-- \/unchecked -->/.exec(text)?.[1] ?? '';
    const unchecked = TODAYS_ROWS.filter(({ checked }) => checked === null).map(toName);
    expect(list.split(/[\s,]+/).sort()).toEqual([...new Set(unchecked)].sort());
  });

  it('charges nothing where the seller decides, and says that it is no place without tax', () => {
    const open = TODAYS_ROWS.filter(({ sellerDecides }) => sellerDecides);
    expect(open.map(({ country }) => country)).toContain('BR');
    expect(open.every(({ taxable, reason }) => !taxable && reason === 'outside_scope')).toBe(true);
    expect(TODAYS_ROWS.find(({ country }) => country === 'HK')?.sellerDecides).toBe(false);
  });

  it('compares with references of places that it has', () => {
    const known = new Set(
      TAX_TABLE.flatMap((row) => {
        const place = row.region === null ? row.country : `${row.country}-${row.region}`;
        return [place, `${place}/${row.category}`];
      }),
    );
    const claims = REFERENCES.flatMap(({ confirms }) => confirms.split(' ')).map(
      (claim) => claim.split('=')[0] ?? '',
    );
    expect(claims.filter((claim) => !known.has(claim))).toEqual([]);
    const used = new Set(TAX_TABLE.flatMap(({ consulted }) => consulted));
    expect(REFERENCES.filter(({ url }) => !used.has(url)).map(({ url }) => url)).toEqual([]);
  });

  it('covers more than a hundred countries', () => {
    expect(new Set(TAX_TABLE.map((row) => row.country)).size).toBeGreaterThan(100);
  });
});
