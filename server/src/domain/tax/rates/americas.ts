import { type RateStep, type RowData, ratesThroughTime, withoutTax } from '../row.ts';

function iva(country: string, source: string, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country, name: 'IVA', source }, steps);
}

function vat(country: string, source: string, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country, name: 'VAT', source }, steps);
}

/**
 * Latin America and the Caribbean: countries that tax digital services from abroad, from the day they began.
 * Those whose tax no seller abroad collects are in `seller-decides.ts`.
 */
export const AMERICAS_ROWS: readonly RowData[] = [
  ...vat('BB', 'Value Added Tax Act, Cap. 87; Barbados Revenue Authority', [['2019-12-01', 175_000]]),
  ...vat('BS', 'Value Added Tax Act 2014, s. 11; Department of Inland Revenue', [
    ['2018-07-01', 120_000],
    ['2022-01-01', 100_000],
  ]),
  ...iva('CL', 'Ley 21.210; Decreto Ley 825, artículo 8 n)', [['2020-06-01', 190_000]]),
  ...iva('CO', 'Ley 1819 de 2016; Estatuto Tributario, artículo 437', [['2018-07-01', 190_000]]),
  ...iva('CR', 'Ley 9635; Resolución DGT-R-13-2020', [['2020-10-01', 130_000]]),
  ...iva('EC', 'Ley Orgánica de Simplificación y Progresividad Tributaria; Decreto 198 de 2024', [
    ['2020-09-16', 120_000],
    ['2024-04-01', 150_000],
  ]),
  ...iva('MX', 'Ley del IVA, capítulo III Bis', [['2020-06-01', 160_000]]),
  ...ratesThroughTime(
    { country: 'PE', name: 'IGV', source: 'Decreto Legislativo 1623 (16 % IGV + 2 % IPM)' },
    [['2024-12-01', 180_000]],
  ),
  ...iva('PY', 'Ley 6380/2019; Decreto 3181/2019', [['2021-01-01', 100_000]]),
  ...vat('SR', 'Wet Belasting over de Toegevoegde Waarde 2022', [['2023-01-01', 100_000]]),
  ...iva('UY', 'Ley 19.535, artículo 246; Decreto 144/018', [['2018-01-01', 220_000]]),
  ...withoutTax({ country: 'BM', name: 'Tax', source: 'Government of Bermuda: no consumption tax' }),
  ...withoutTax({ country: 'KY', name: 'Tax', source: 'Cayman Islands Government: no consumption tax' }),
];
