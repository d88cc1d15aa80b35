import {
  type BusinessRule,
  type RateStep,
  type RowData,
  ratesThroughTime,
  TABLE_START,
  withoutTax,
} from '../row.ts';

interface Levy {
  source: string;
  name?: string;
  b2b?: BusinessRule;
}

function vat(country: string, { source, name = 'VAT', b2b }: Levy, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country, name, source, b2b }, steps);
}

function untaxed(country: string, source: string): RowData[] {
  return withoutTax({ country, name: 'VAT', source });
}

const EFTA_AND_UK: readonly RowData[] = [
  ...vat('CH', { source: 'MWSTG Art. 25; Eidgenössische Steuerverwaltung' }, [
    [TABLE_START, 80_000],
    ['2018-01-01', 77_000],
    ['2024-01-01', 81_000],
  ]),
  // Liechtenstein is one VAT area with Switzerland.
  ...vat('LI', { source: 'MWSTG Art. 25 (Liechtenstein); Steuerverwaltung' }, [
    [TABLE_START, 80_000],
    ['2018-01-01', 77_000],
    ['2024-01-01', 81_000],
  ]),
  ...vat('NO', { source: 'Merverdiavgiftsloven § 5-1; VOEC scheme', b2b: 'reverse_charge' }, [
    [TABLE_START, 250_000],
  ]),
  ...vat('IS', { source: 'Lög um virðisaukaskatt 50/1988, 14. gr.' }, [[TABLE_START, 240_000]]),
  ...vat('GB', { source: 'HMRC, VATA 1994 s. 2 and s. 8', b2b: 'reverse_charge' }, [[TABLE_START, 200_000]]),
  ...vat('JE', { source: 'Goods and Services Tax (Jersey) Law 2007', name: 'GST' }, [[TABLE_START, 50_000]]),
  ...untaxed('GG', 'States of Guernsey Revenue Service: no consumption tax'),
  ...untaxed('GI', 'HM Government of Gibraltar: no VAT'),
];

const BALKANS: readonly RowData[] = [
  ...vat('AL', { source: 'Law 92/2014 on VAT' }, [[TABLE_START, 200_000]]),
  ...vat('BA', { source: 'Law on VAT, Article 23; Indirect Taxation Authority' }, [[TABLE_START, 170_000]]),
  ...vat('ME', { source: 'Law on VAT, Article 24; Tax Administration' }, [
    [TABLE_START, 190_000],
    ['2018-01-01', 210_000],
  ]),
  ...vat('MK', { source: 'Law on VAT, Article 28; Public Revenue Office' }, [[TABLE_START, 180_000]]),
  ...vat('RS', { source: 'Law on VAT, Article 23; foreign digital services since 2017-04-01' }, [
    ['2017-04-01', 200_000],
  ]),
  ...vat('XK', { source: 'Law 05/L-037 on VAT, Article 26' }, [
    [TABLE_START, 160_000],
    ['2015-09-01', 180_000],
  ]),
];

const EAST: readonly RowData[] = [
  ...vat('TR', { source: 'KDV Kanunu 3065; Presidential Decision 7346' }, [
    ['2018-01-01', 180_000],
    ['2023-07-10', 200_000],
  ]),
  ...vat('UA', { source: 'Tax Code art. 193 and 208-1; foreign digital services since 2022' }, [
    ['2022-01-01', 200_000],
  ]),
  ...vat('MD', { source: 'Tax Code art. 96 and 101-1; foreign digital services since 2020-04-01' }, [
    ['2020-04-01', 200_000],
  ]),
  ...vat('BY', { source: 'Tax Code art. 122 and 141; foreign digital services since 2018' }, [
    ['2018-01-01', 200_000],
  ]),
  ...vat('RU', { source: 'Tax Code art. 164 and 174.2; Federal Laws 303-FZ and 425-FZ' }, [
    ['2017-01-01', 180_000],
    ['2019-01-01', 200_000],
    ['2026-01-01', 220_000],
  ]),
];

const MICROSTATES_AND_ISLANDS: readonly RowData[] = [
  ...vat('AD', { source: 'Llei 11/2012 de l’impost general indirecte', name: 'IGI' }, [
    [TABLE_START, 45_000],
  ]),
  ...vat('FO', { source: 'TAKS, meirvirðisgjald (MVG)' }, [[TABLE_START, 250_000]]),
  ...untaxed('GL', 'Greenland: no VAT'),
];

/** Europe outside the EU. */
export const EUROPE_ROWS: readonly RowData[] = [
  ...EFTA_AND_UK,
  ...BALKANS,
  ...EAST,
  ...MICROSTATES_AND_ISLANDS,
];
