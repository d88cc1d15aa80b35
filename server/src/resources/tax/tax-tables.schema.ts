/** Rates, sums and thresholds of tax in the API. */
import { type Static, Type } from 'typebox';
import type { ListedRate } from '../../domain/tax/listed-rates.ts';
import type { Threshold } from '../../domain/tax/thresholds.ts';
import { pageAnswer, pageQuery } from '../paging.ts';
import {
  Answer,
  Component,
  Currency,
  Described,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  Sum,
  TimeInput,
} from '../shapes.ts';
import type { TaxSum } from './tax-summary.queries.ts';

const Country = Type.String({ pattern: '^[A-Z]{2}$', 'x-upper-case': true });

export const TableRate = Answer('TaxTableRate', {
  object: StringEnum(['tax_table_rate']),
  country: Type.String(),
  region: Nullable(Type.String()),
  category: Type.String({ description: '`any`, or the kind of good that it is told apart for.' }),
  name: Type.String(),
  percentage: Type.Number({ description: 'What is charged: 19 = 19 %.' }),
  tablePercentage: Nullable(
    Type.Number({ description: 'What the table says; null where it does not tell this apart.' }),
  ),
  taxable: Type.Boolean({ description: 'Whether this kind of good is taxed there at all.' }),
  validFrom: Ms(),
  validTo: Nullable(Ms()),
  source: Type.String({ description: 'Where the rate is written.' }),
  checked: Nullable(
    Type.String({ description: 'The day on which it was last compared with public references.' }),
  ),
  override: Described(
    Nullable(
      Answer(null, {
        percentage: Type.Number(),
        validFrom: Ms(),
        validTo: Nullable(Ms()),
        note: Nullable(Type.String()),
      }),
    ),
    'What the merchant’s settings say instead; null: nothing.',
  ),
});

export const ListTaxRates = Type.Object({
  ...pageQuery,
  country: Type.Optional(Country),
  at: Type.Optional(TimeInput({ description: 'Now when missing.' })),
});
export const TaxRatesData = Answer(null, {
  rates: Type.Array(Component(TableRate), { description: 'The rates of this page.' }),
  ...pageAnswer,
});

export const TaxWindow = Type.Object({ from: TimeInput(), to: TimeInput() });
export const TaxSummaryRow = Answer('TaxSummaryRow', {
  currency: Currency(),
  country: Nullable(Type.String({ description: 'Null of what the books have and no document tells of.' })),
  region: Nullable(Type.String()),
  name: Nullable(Type.String()),
  percentage: Nullable(Type.Number()),
  taxable: Sum(),
  tax: Sum(),
  payments: Type.Integer({ description: 'How many payments it is the sum of.' }),
});
export const TaxSummaryData = Answer(null, {
  rows: Type.Array(Component(TaxSummaryRow), { description: 'One for each rate and currency.' }),
});

export const TaxThreshold = Answer('TaxThreshold', {
  object: StringEnum(['tax_threshold']),
  scheme: Type.String({ description: 'The word for it that does not change.' }),
  name: Type.String(),
  country: Type.String({ description: 'A country, or EU.' }),
  currency: Currency(),
  amount: Minor(),
  validFrom: Ms(),
  validTo: Nullable(Ms()),
  source: Type.String({ description: 'Where the sum is written.' }),
  period: StringEnum(['calendar_year', 'twelve_months'], {
    description: 'Over which time sales are added up.',
  }),
  counted: StringEnum(['there', 'cross_border', 'everywhere'], {
    description: 'Whose sales count: those to its countries, of these what crosses a border, or all.',
  }),
  applies: Type.Boolean({
    description:
      'Whether a seller of this country may stay below it; others owe the tax from the first sale on.',
  }),
  from: Ms(),
  to: Ms(),
  sales: Type.Array(Answer(null, { currency: Currency(), amount: Sum() }), {
    description: 'Net of tax and refunds, by currency; sales to businesses are among them.',
  }),
  ratio: Nullable(
    Type.Number({ description: 'Of the sales in its own currency alone, 6 places; null without such.' }),
  ),
});
export const TaxThresholdsData = Answer(null, { thresholds: Type.Array(Component(TaxThreshold)) });

export function toTableRate({ override, ...rate }: ListedRate): Static<typeof TableRate> {
  const { percentage, validFrom, validTo, note } = override ?? {};
  return {
    object: 'tax_table_rate',
    ...rate,
    override:
      percentage === undefined || validFrom === undefined
        ? null
        : { percentage, validFrom, validTo: validTo ?? null, note: note ?? null },
  };
}

export function toSummaryRow({ percentage, taxable, tax, currency, ...row }: TaxSum) {
  return {
    ...row,
    // A currency of the seed's list: checked on the way in.
    currency: currency as Static<typeof TaxSummaryRow>['currency'],
    percentage: percentage === null ? null : Number(percentage),
    taxable: Number(taxable),
    tax: Number(tax),
  };
}

export interface ThresholdStanding {
  threshold: Threshold;
  applies: boolean;
  fromMs: number;
  toMs: number;
  sales: Array<{ currency: string; amountMinor: bigint }>;
  ratioPpm: bigint | null;
}

export function toThreshold(standing: ThresholdStanding): Static<typeof TaxThreshold> {
  const { threshold, applies, fromMs: from, toMs: to, sales, ratioPpm } = standing;
  const { scheme, name, country, amountMinor, period, source, sales: counted } = threshold;
  type Code = Static<typeof TaxThreshold>['currency'];
  return {
    object: 'tax_threshold',
    ...{ scheme, name, country },
    // Codes of the table and of sales, both of the seed's list.
    currency: threshold.currency as Code,
    amount: Number(amountMinor),
    ...{ validFrom: threshold.fromMs, validTo: threshold.toMs, source, period, counted, applies, from, to },
    sales: sales.map(({ currency, amountMinor: amount }) => ({
      currency: currency as Code,
      amount: Number(amount),
    })),
    ratio: ratioPpm === null ? null : Number(ratioPpm) / 1_000_000,
  };
}
