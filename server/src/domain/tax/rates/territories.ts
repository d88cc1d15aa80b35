import { type RateStep, type RowData, ratesThroughTime, TABLE_START, withoutTax } from '../row.ts';

const OUTSIDE_VAT_AREA = 'Directive 2006/112/EC, Article 6';
const MINISTRY_PT = 'Código do IVA, artigo 18.º; Autoridade Tributária';
const FRENCH_OVERSEAS = 'Code général des impôts, articles 294 et 296';

function outside(country: string, region: string, source = OUTSIDE_VAT_AREA): RowData[] {
  return withoutTax({ country, region, name: 'VAT', source });
}

function vat(country: string, region: string, [source, steps]: [string, readonly RateStep[]]): RowData[] {
  return ratesThroughTime({ country, region, name: 'VAT', source }, steps);
}

/**
 * Special territories of the member states, in place of the mainland's rows.
 * The Canaries' IGIC and the IPSI of Ceuta and Melilla are local taxes for registered traders, not VAT: nothing
 * is taken here without such a registration.
 */
export const TERRITORY_ROWS: readonly RowData[] = [
  ...outside('ES', 'IC'),
  ...outside('ES', 'CE'),
  ...outside('ES', 'ML'),
  ...outside('FI', 'AX'),
  ...outside('DE', 'BUESINGEN'),
  ...outside('DE', 'HELIGOLAND'),
  ...outside('IT', 'LIVIGNO'),
  ...outside('IT', 'CAMPIONE'),
  ...outside('GR', 'ATHOS'),
  ...outside('FR', 'GF', FRENCH_OVERSEAS),
  ...outside('FR', 'YT', FRENCH_OVERSEAS),
  ...outside('FR', 'COM', 'Code général des impôts, article 256-0'),
  ...vat('FR', 'GP', [FRENCH_OVERSEAS, [[TABLE_START, 85_000]]]),
  ...vat('FR', 'MQ', [FRENCH_OVERSEAS, [[TABLE_START, 85_000]]]),
  ...vat('FR', 'RE', [FRENCH_OVERSEAS, [[TABLE_START, 85_000]]]),
  ...vat('PT', 'MADEIRA', [MINISTRY_PT, [[TABLE_START, 220_000]]]),
  ...vat('PT', 'AZORES', [
    MINISTRY_PT,
    [
      [TABLE_START, 180_000],
      ['2021-07-01', 160_000],
    ],
  ]),
  ...vat('AT', 'MITTELBERG', ['Umsatzsteuergesetz 1994 § 10 Abs. 4', [[TABLE_START, 190_000]]]),
];
