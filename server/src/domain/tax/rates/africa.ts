import { type RateStep, type RowData, ratesThroughTime } from '../row.ts';

function vat(country: string, source: string, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country, name: 'VAT', source }, steps);
}

function ghana(name: string, source: string, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country: 'GH', name, source }, steps);
}

/** Africa: countries that tax digital services from abroad, from the day they began. */
export const AFRICA_ROWS: readonly RowData[] = [
  ...vat('AO', 'Lei 7/19, Código do IVA', [['2019-10-01', 140_000]]),
  ...vat('BJ', 'Code général des impôts, article 223', [['2023-10-13', 180_000]]),
  ...vat('CD', 'Ordonnance-loi 10/001 portant TVA; loi de finances 2024', [['2024-01-01', 160_000]]),
  ...vat('CI', 'Code général des impôts, article 359; loi de finances 2022', [['2022-01-04', 180_000]]),
  ...vat('CM', 'Code général des impôts, articles 127 et 142; loi de finances 2020', [
    ['2020-01-01', 192_500],
  ]),
  ...vat('CV', 'Código do IVA; digital services since 2022', [['2022-01-01', 150_000]]),
  ...vat('DZ', 'Code des taxes sur le chiffre d’affaires; loi de finances 2020', [['2020-01-01', 190_000]]),
  ...vat('EG', 'Law 67/2016; Law 3/2022; Decree 160/2023', [['2023-06-22', 140_000]]),
  ...vat('ET', 'Value Added Tax Proclamation 1341/2024', [['2024-08-01', 150_000]]),
  // From 2026 the levies stand beside the tax on the same base.
  ...ghana('VAT', 'Value Added Tax Act 2025 (Act 1151)', [['2026-01-01', 150_000]]),
  ...ghana('NHIL', 'National Health Insurance Levy; Act 1151', [['2026-01-01', 25_000]]),
  ...ghana('GETFund', 'Ghana Education Trust Fund Levy; Act 1151', [['2026-01-01', 25_000]]),
  ...vat('KE', 'Value Added Tax Act 2013; Digital Marketplace Supply Regulations', [
    ['2020-04-25', 140_000],
    ['2021-01-01', 160_000],
  ]),
  ...vat('MA', 'Code général des impôts, article 115 bis; loi de finances 2024', [['2024-01-01', 200_000]]),
  ...vat('MU', 'Value Added Tax Act, s. 14A; foreign digital services since 2026', [['2026-01-01', 150_000]]),
  ...vat('MZ', 'Lei 22/2022, Código do IVA', [['2023-01-01', 160_000]]),
  ...vat('NG', 'Value Added Tax Act, s. 10; Finance Acts 2019 and 2021', [['2022-01-01', 75_000]]),
  ...vat('RW', 'Law 049/2023 on value added tax', [['2023-09-14', 180_000]]),
  ...vat('SN', 'Code général des impôts, article 355 bis', [['2024-07-01', 180_000]]),
  ...vat('TN', 'Code de la TVA; loi de finances 2020', [['2020-01-01', 190_000]]),
  ...vat('TZ', 'Value Added Tax Act, s. 51; Finance Act 2022', [['2022-07-01', 180_000]]),
  ...vat('UG', 'Value Added Tax Act, s. 16; Tax Amendment Act 2018', [['2018-07-01', 180_000]]),
  ...vat('ZA', 'Value-Added Tax Act 89 of 1991, s. 7; electronic services regulations', [
    ['2015-01-01', 140_000],
    ['2018-04-01', 150_000],
  ]),
  ...vat('ZM', 'Value Added Tax Act; Cross-border Electronic Services Rules', [['2024-01-01', 160_000]]),
  ...vat('ZW', 'Value Added Tax Act, Chapter 23:12; Finance Acts', [
    ['2020-01-01', 145_000],
    ['2024-01-01', 150_000],
    ['2026-01-01', 155_000],
  ]),
];
