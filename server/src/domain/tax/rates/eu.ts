import { type RateStep, type RowData, ratesThroughTime, TABLE_START } from '../row.ts';

const TEDB = 'European Commission, Taxes in Europe Database';

function vat(country: string, steps: readonly RateStep[], source = TEDB): RowData[] {
  return ratesThroughTime({ country, name: 'VAT', source }, steps);
}

/** Standard VAT rates of the 27 member states since the place of supply moved to the consumer's country. */
export const EU_ROWS: readonly RowData[] = [
  ...vat('AT', [[TABLE_START, 200_000]]),
  ...vat('BE', [[TABLE_START, 210_000]]),
  ...vat('BG', [[TABLE_START, 200_000]]),
  ...vat('CY', [[TABLE_START, 190_000]]),
  ...vat('CZ', [[TABLE_START, 210_000]]),
  ...vat(
    'DE',
    [
      [TABLE_START, 190_000],
      ['2020-07-01', 160_000],
      ['2021-01-01', 190_000],
    ],
    'Umsatzsteuergesetz § 12; Zweites Corona-Steuerhilfegesetz',
  ),
  ...vat('DK', [[TABLE_START, 250_000]]),
  ...vat(
    'EE',
    [
      [TABLE_START, 200_000],
      ['2024-01-01', 220_000],
      ['2025-07-01', 240_000],
    ],
    'Käibemaksuseadus § 15',
  ),
  ...vat('ES', [[TABLE_START, 210_000]]),
  ...vat(
    'FI',
    [
      [TABLE_START, 240_000],
      ['2024-09-01', 255_000],
    ],
    'Arvonlisäverolaki § 84',
  ),
  ...vat('FR', [[TABLE_START, 200_000]]),
  ...vat(
    'GR',
    [
      [TABLE_START, 230_000],
      ['2016-06-01', 240_000],
    ],
    'Law 4389/2016, Article 52',
  ),
  ...vat('HR', [[TABLE_START, 250_000]]),
  ...vat('HU', [[TABLE_START, 270_000]]),
  ...vat(
    'IE',
    [
      [TABLE_START, 230_000],
      ['2020-09-01', 210_000],
      ['2021-03-01', 230_000],
    ],
    'Revenue Commissioners, VAT rates; Financial Provisions (Covid-19) (No. 2) Act 2020',
  ),
  ...vat('IT', [[TABLE_START, 220_000]]),
  ...vat('LT', [[TABLE_START, 210_000]]),
  ...vat(
    'LU',
    [
      [TABLE_START, 170_000],
      ['2023-01-01', 160_000],
      ['2024-01-01', 170_000],
    ],
    'Loi du 26 octobre 2022 (TVA); Administration de l’enregistrement, taux de TVA',
  ),
  ...vat('LV', [[TABLE_START, 210_000]]),
  ...vat('MT', [[TABLE_START, 180_000]]),
  ...vat('NL', [[TABLE_START, 210_000]]),
  ...vat('PL', [[TABLE_START, 230_000]]),
  ...vat('PT', [[TABLE_START, 230_000]]),
  ...vat(
    'RO',
    [
      [TABLE_START, 240_000],
      ['2016-01-01', 200_000],
      ['2017-01-01', 190_000],
      ['2025-08-01', 210_000],
    ],
    'Codul fiscal art. 291; Legea 141/2025',
  ),
  ...vat('SE', [[TABLE_START, 250_000]]),
  ...vat('SI', [[TABLE_START, 220_000]]),
  ...vat(
    'SK',
    [
      [TABLE_START, 200_000],
      ['2025-01-01', 230_000],
    ],
    'Zákon 222/2004 § 27; zákon 278/2024',
  ),
];
