import { type BusinessRule, type RateStep, type RowData, ratesThroughTime, withoutTax } from '../row.ts';

interface Levy {
  source: string;
  name?: string;
  b2b?: BusinessRule;
}

function levy(country: string, { source, name = 'VAT', b2b }: Levy, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country, name, source, b2b }, steps);
}

function untaxed(country: string, source: string): RowData[] {
  return withoutTax({ country, name: 'Tax', source });
}

const EAST_ASIA: readonly RowData[] = [
  ...levy(
    'JP',
    { source: 'Consumption Tax Act, Article 29; digital services since 2015-10-01', name: 'JCT' },
    [
      ['2015-10-01', 80_000],
      ['2019-10-01', 100_000],
    ],
  ),
  ...levy('KR', { source: 'VAT Act, Article 53-2', b2b: 'reverse_charge' }, [['2015-07-01', 100_000]]),
  ...levy('TW', { source: 'Value-added and Non-value-added Business Tax Act, Article 6' }, [
    ['2017-05-01', 50_000],
  ]),
  ...levy('MN', { source: 'Law on VAT, Article 11' }, [['2016-01-01', 100_000]]),
  ...untaxed('HK', 'Inland Revenue Department: no consumption tax'),
  ...untaxed('MO', 'Direcção dos Serviços de Finanças: no consumption tax'),
];

const SOUTH_EAST_ASIA: readonly RowData[] = [
  ...levy('SG', { source: 'IRAS, Overseas Vendor Registration', name: 'GST', b2b: 'reverse_charge' }, [
    ['2020-01-01', 70_000],
    ['2023-01-01', 80_000],
    ['2024-01-01', 90_000],
  ]),
  ...levy('MY', { source: 'Service Tax Act 2018, s. 56A–56L', name: 'Service tax' }, [
    ['2020-01-01', 60_000],
    ['2024-03-01', 80_000],
  ]),
  ...levy('TH', { source: 'Revenue Code, section 82/13; Act (No. 53) B.E. 2564' }, [['2021-09-01', 70_000]]),
  // Since 2025 the tax is 12 % of 11/12 of the price.
  ...levy('ID', { source: 'UU 7/2021 (HPP); PMK 60/2022 and PMK 131/2024', name: 'PPN' }, [
    ['2020-08-01', 100_000],
    ['2022-04-01', 110_000],
  ]),
  ...levy('PH', { source: 'Republic Act 12023' }, [['2025-06-02', 120_000]]),
  // Sellers abroad paid a flat share of the price until the law of 2024; its rate is lowered for a time.
  ...levy('VN', { source: 'Circular 80/2021/TT-BTC; Law on VAT 48/2024/QH15; Decree 174/2025/ND-CP' }, [
    ['2022-01-01', 50_000],
    ['2025-07-01', 80_000],
    ['2027-01-01', 100_000],
  ]),
  ...levy('KH', { source: 'Sub-decree 65 of 2021 on VAT for e-commerce' }, [['2022-04-01', 100_000]]),
  ...levy('LA', { source: 'Law on VAT 48/NA; Decree on e-commerce' }, [['2022-01-01', 100_000]]),
  ...untaxed('BN', 'Ministry of Finance and Economy: no consumption tax'),
];

const SOUTH_AND_CENTRAL_ASIA: readonly RowData[] = [
  ...levy('IN', { source: 'IGST Act 2017, s. 5 and s. 14 (OIDAR)', name: 'IGST', b2b: 'reverse_charge' }, [
    ['2017-07-01', 180_000],
  ]),
  ...levy('BD', { source: 'Value Added Tax and Supplementary Duty Act 2012' }, [['2019-07-01', 150_000]]),
  ...levy('BT', { source: 'Goods and Services Tax Act of Bhutan 2025', name: 'GST' }, [
    ['2026-01-01', 50_000],
  ]),
  ...levy('LK', { source: 'Value Added Tax (Amendment) Acts 4 of 2025 and 14 of 2026' }, [
    ['2026-07-01', 180_000],
  ]),
  ...levy('NP', { source: 'Finance Act 2079; digital services since 2022-07-17' }, [['2022-07-17', 130_000]]),
  ...levy('AM', { source: 'Tax Code, Article 63; non-residents since 2022' }, [['2022-01-01', 200_000]]),
  ...levy('GE', { source: 'Tax Code; digital services since 2021-10-01' }, [['2021-10-01', 180_000]]),
  ...levy('KZ', { source: 'Tax Code 2025, Articles 503 and 567; before 2026 the Code of 2017' }, [
    ['2022-01-01', 120_000],
    ['2026-01-01', 160_000],
  ]),
  ...levy('KG', { source: 'Tax Code; digital services since 2022' }, [['2022-01-01', 120_000]]),
  ...levy('UZ', { source: 'Tax Code, Articles 258 and 282' }, [
    ['2020-01-01', 150_000],
    ['2023-01-01', 120_000],
  ]),
  ...levy('TJ', { source: 'Tax Code 2021, Article 262' }, [
    ['2021-01-01', 180_000],
    ['2022-01-01', 150_000],
    ['2024-01-01', 140_000],
  ]),
];

const MIDDLE_EAST: readonly RowData[] = [
  ...levy('AE', { source: 'Federal Decree-Law 8/2017, Article 3' }, [['2018-01-01', 50_000]]),
  ...levy('BH', { source: 'Decree-Law 48/2018; Law 33/2021' }, [
    ['2019-01-01', 50_000],
    ['2022-01-01', 100_000],
  ]),
  ...levy('OM', { source: 'Royal Decree 121/2020' }, [['2021-04-16', 50_000]]),
  ...levy('SA', { source: 'ZATCA, VAT Implementing Regulations; Royal Order A/638' }, [
    ['2018-01-01', 50_000],
    ['2020-07-01', 150_000],
  ]),
  ...untaxed('KW', 'State of Kuwait: no VAT'),
  ...untaxed('QA', 'State of Qatar: no VAT'),
];

const OCEANIA: readonly RowData[] = [
  ...levy('AU', { source: 'A New Tax System (GST) Act 1999, Div. 84', name: 'GST', b2b: 'reverse_charge' }, [
    ['2017-07-01', 100_000],
  ]),
  ...levy(
    'NZ',
    { source: 'Goods and Services Tax Act 1985, s. 8(3)(c)', name: 'GST', b2b: 'reverse_charge' },
    [['2016-10-01', 150_000]],
  ),
  ...levy('FJ', { source: 'Value Added Tax Act 1991; Budget 2025–2026' }, [
    ['2023-08-01', 150_000],
    ['2025-08-01', 125_000],
  ]),
];

/** Asia and the Pacific: countries that tax digital services from abroad, from the day they began. */
export const ASIA_PACIFIC_ROWS: readonly RowData[] = [
  ...EAST_ASIA,
  ...SOUTH_EAST_ASIA,
  ...SOUTH_AND_CENTRAL_ASIA,
  ...MIDDLE_EAST,
  ...OCEANIA,
];
