import { type RateStep, type RowData, ratesThroughTime, TABLE_START } from '../row.ts';

const EXCISE_TAX_ACT = 'Excise Tax Act (Canada), s. 165; Canada Revenue Agency';
const MB_CLOUD = 'Retail Sales Tax Act (Manitoba), Bill 46 of 2025; Information Bulletin 033';

function hst(region: string, steps: readonly RateStep[]): RowData[] {
  return ratesThroughTime({ country: 'CA', region, name: 'HST', source: EXCISE_TAX_ACT }, steps);
}

function gst(region?: string): RowData[] {
  return ratesThroughTime({ country: 'CA', region, name: 'GST', source: EXCISE_TAX_ACT }, [
    [TABLE_START, 50_000],
  ]);
}

function provincial(
  region: string,
  levy: { name: string; source: string },
  steps: readonly RateStep[],
): RowData[] {
  return ratesThroughTime({ country: 'CA', region, ...levy }, steps);
}

/** Canada: one harmonised tax, or the federal one and the province's own as two lines. */
export const CANADA_ROWS: readonly RowData[] = [
  // An address whose province is not known owes the federal tax in any case.
  ...gst(),
  ...gst('AB'),
  ...gst('NT'),
  ...gst('NU'),
  ...gst('YT'),
  ...hst('ON', [[TABLE_START, 130_000]]),
  ...hst('NB', [
    [TABLE_START, 130_000],
    ['2016-07-01', 150_000],
  ]),
  ...hst('NL', [
    [TABLE_START, 130_000],
    ['2016-07-01', 150_000],
  ]),
  ...hst('PE', [
    [TABLE_START, 140_000],
    ['2016-10-01', 150_000],
  ]),
  ...hst('NS', [
    [TABLE_START, 150_000],
    ['2025-04-01', 140_000],
  ]),
  ...gst('QC'),
  ...provincial('QC', { name: 'QST', source: 'Act respecting the Québec sales tax, s. 16; Revenu Québec' }, [
    [TABLE_START, 99_750],
  ]),
  ...gst('BC'),
  ...provincial('BC', { name: 'PST', source: 'Provincial Sales Tax Act (British Columbia), s. 122' }, [
    [TABLE_START, 70_000],
  ]),
  // Software used online came under Manitoba's tax in 2026; a named category needs its federal tax named too.
  ...ratesThroughTime(
    { country: 'CA', region: 'MB', category: 'saas', name: 'GST', source: EXCISE_TAX_ACT },
    [[TABLE_START, 50_000]],
  ),
  ...ratesThroughTime({ country: 'CA', region: 'MB', category: 'saas', name: 'RST', source: MB_CLOUD }, [
    ['2026-01-01', 70_000],
  ]),
  ...gst('MB'),
  ...provincial('MB', { name: 'RST', source: 'Retail Sales Tax Act (Manitoba), s. 2' }, [
    [TABLE_START, 80_000],
    ['2019-07-01', 70_000],
  ]),
  ...gst('SK'),
  ...provincial('SK', { name: 'PST', source: 'Provincial Sales Tax Act (Saskatchewan), s. 5' }, [
    [TABLE_START, 50_000],
    ['2017-03-23', 60_000],
  ]),
];
