/** The calculation of tax in the API. */
import { type Static, Type } from 'typebox';
import { assert } from '../../domain/assert.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import type { Quote } from '../../domain/pricing/quote.ts';
import { toPercentage } from '../../domain/tax/rate.ts';
import {
  Answer,
  Body,
  CodeUnused,
  Component,
  Currency,
  CurrencyInput,
  Minor,
  Nullable,
  PriceInput,
  StringEnum,
  Text,
  Uuid,
} from '../shapes.ts';

const TaxReason = StringEnum([
  'standard',
  'reduced',
  'reverse_charge',
  'not_registered',
  'exempt',
  'zero_rated',
  'outside_scope',
]);

const TaxLine = Answer(null, {
  object: StringEnum(['tax_line']),
  offerId: Nullable(Uuid()),
  productId: Uuid(),
  name: Type.String(),
  unitPrice: Minor(),
  quantity: Type.Integer(),
  subtotal: Minor({ description: 'Unit price × quantity, in the price’s own tax behaviour.' }),
  discount: Minor(),
  tax: Minor(),
  total: Minor({ description: 'What is paid for the line.' }),
  inclusive: Type.Boolean({ description: 'Whether the price holds its tax.' }),
  reason: TaxReason,
  rates: Type.Array(
    Answer(null, {
      name: Type.String(),
      country: Type.String(),
      region: Nullable(Type.String()),
      percentage: Type.Number(),
      taxable: Minor(),
      amount: Minor(),
      reason: TaxReason,
    }),
  ),
});

export const Tax = Answer('Tax', {
  object: StringEnum(['tax']),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  inclusive: Type.Boolean({ description: 'Whether every price holds its tax.' }),
  subtotal: Minor(),
  discount: Minor(),
  codeUnused: CodeUnused(),
  tax: Minor(),
  total: Minor(),
  reason: TaxReason,
  lines: Type.Array(TaxLine),
});

const Quantity = () => Type.Integer({ minimum: 1, maximum: 10_000, description: '1 when missing.' });
const Price = () => PriceInput();

export const CalculateTax = Body({
  items: Type.Optional(
    Type.Array(
      Type.Object(
        {
          offerId: Type.Optional(Uuid()),
          productId: Type.Optional(Uuid()),
          unitPrice: Type.Optional(Price()),
          quantity: Type.Optional(Quantity()),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 100, description: 'Each an offerId, or a productId with a unitPrice.' },
    ),
  ),
  offerId: Type.Optional(Uuid({ description: 'Instead of items: one offer.' })),
  productId: Type.Optional(Uuid({ description: 'Instead of items: one product, with an amount.' })),
  quantity: Type.Optional(Quantity()),
  amount: Type.Optional(PriceInput({ description: 'The unit price, with offerId or productId.' })),
  currency: Type.Optional(CurrencyInput({ description: 'The workspace’s when missing.' })),
  customer: Type.Object(
    {
      countryCode: Type.String({ pattern: '^[A-Z]{2}$' }),
      state: Type.Optional(Nullable(Text(100))),
      postalCode: Type.Optional(Nullable(Text(20, { description: 'Required for US, CA, UA and IN.' }))),
      type: Type.Optional(Nullable(StringEnum(['individual', 'company']))),
      taxNumber: Type.Optional(Nullable(Text(64))),
    },
    { additionalProperties: false, description: 'Who buys, and where.' },
  ),
  discountCode: Type.Optional(Nullable(Text(64))),
});

export const TaxData = Answer(null, { tax: Component(Tax) });

interface Calculated {
  currency: string;
  quote: Quote;
  /** Of each line of the quote, in its order. */
  named: ReadonlyArray<{ offerId: string | null; productId: string; name: string }>;
}

export function toTax({ currency, quote, named }: Calculated): Static<typeof Tax> {
  return {
    object: 'tax',
    // A currency of the seed's list: checked where it came in.
    currency: currency as Static<typeof Tax>['currency'],
    currencyDecimals: currencyDecimals(currency),
    inclusive: quote.inclusive,
    subtotal: Number(quote.subtotalMinor),
    discount: Number(quote.discountMinor),
    codeUnused: quote.codeUnused,
    tax: Number(quote.taxMinor),
    total: Number(quote.totalMinor),
    reason: quote.reason,
    lines: named.map((line, index) => toLine(line, quote.lines[index])),
  };
}

type QuotedLine = Quote['lines'][number];

function toLine(named: Calculated['named'][number], line: QuotedLine | undefined): Static<typeof TaxLine> {
  assert(line, 'a quote has a line for each that was asked');
  return {
    object: 'tax_line',
    ...named,
    unitPrice: Number(line.unitPriceMinor),
    quantity: line.quantity,
    subtotal: Number(line.subtotalMinor),
    discount: Number(line.discountMinor),
    tax: Number(line.taxMinor),
    total: Number(line.totalMinor),
    inclusive: line.inclusive,
    reason: line.rule.reason,
    rates: line.rates.map((rate) => ({
      name: rate.name,
      country: rate.country,
      region: rate.region,
      percentage: toPercentage(rate.ratePpm),
      taxable: Number(rate.taxableMinor),
      amount: Number(rate.amountMinor),
      reason: rate.reason,
    })),
  };
}
