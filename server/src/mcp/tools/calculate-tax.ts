/** What tax a sale would bear, without selling anything. */
import { Type } from 'typebox';
import { ask } from '../caller.ts';
import { flag, integer, list, money, number, object, ROWS_MAX, text } from '../parts.ts';
import { tool } from '../tool.ts';

const closed = { additionalProperties: false };

export const calculateTax = tool({
  name: 'calculate_tax',
  title: 'Calculate tax',
  description: 'What tax a sale to a country would bear, with the rates and the reason.',
  kind: 'read',
  areas: ['tax'],
  input: Type.Object(
    {
      country: Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'Where the buyer is: ISO 3166, two letters.',
      }),
      offers: Type.Array(Type.String({ format: 'uuid' }), {
        minItems: 1,
        maxItems: ROWS_MAX,
        description: 'What is sold: ids of offers.',
      }),
      state: Type.Optional(
        Type.String({ maxLength: 100, description: 'Of the country, where tax depends on it.' }),
      ),
      postalCode: Type.Optional(Type.String({ maxLength: 20 })),
      company: Type.Optional(Type.Boolean({ description: 'Whether the buyer is a company.' })),
      taxNumber: Type.Optional(Type.String({ maxLength: 40, description: 'Of the company.' })),
    },
    closed,
  ),
  output: object({
    included: flag('tax.inclusive', 'Whether prices include the tax.'),
    subtotal: money('tax.subtotal', 'Before discount.', 'tax.currency'),
    discount: money('tax.discount', 'What is taken off.', 'tax.currency'),
    tax: money('tax.tax', 'The tax within or upon it.', 'tax.currency'),
    total: money('tax.total', 'What the buyer pays.', 'tax.currency'),
    reason: text('tax.reason', 'Why so much.'),
    lines: list(
      'lines',
      object({
        name: text('name'),
        offerId: text('offerId'),
        quantity: integer('quantity', 'How many.'),
        unitPrice: money('unitPrice', 'Of one.'),
        tax: money('tax', 'The tax within or upon it.'),
        total: money('total', 'Of the line.'),
        reason: text('reason', 'Why so much.'),
        rates: list(
          'rates',
          object({
            name: text('name'),
            country: text('country'),
            region: text('region'),
            percentage: number('percentage', 'In %.'),
            reason: text('reason'),
          }),
          'The rates that make up the tax.',
        ),
      }),
      'An offer each.',
    ),
  }),
  run: async ({ caller, args }) => {
    const { country, offers, state, postalCode, company, taxNumber } = args;
    const customer = {
      countryCode: country,
      ...(state === undefined ? {} : { state }),
      ...(postalCode === undefined ? {} : { postalCode }),
      ...(company === undefined ? {} : { type: company ? 'company' : 'individual' }),
      ...(taxNumber === undefined ? {} : { taxNumber }),
    };
    const body = { items: offers.map((offerId) => ({ offerId })), customer };
    const { tax } = await ask(caller, 'POST /v0/tax/calculate', { body });
    const { currency, lines } = tax as { currency: string; lines: object[] };
    return { data: { tax, lines: lines.map((one) => ({ ...one, currency })) } };
  },
});
