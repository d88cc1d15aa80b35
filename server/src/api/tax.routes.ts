/** Tax before a purchase. */
import type { Static } from 'typebox';
import { EMPTY_FORM, withDetails } from '../domain/checkout/buyer.ts';
import { invalidField } from '../domain/errors.ts';
import { countingGuess } from '../flows/limits/guess-codes.ts';
import { calculateTax, type TaxItem, type TaxQuestion } from '../flows/pricing/calculate-tax.ts';
import { type Route, read } from '../http/route.ts';
import { CalculateTax, TaxData, toTax } from '../resources/tax/tax.schema.ts';

const calculate = read({
  method: 'POST',
  path: '/v0/tax/calculate',
  operationId: 'calculateTax',
  tag: 'tax',
  summary: 'Compute price and tax of a purchase before it is made',
  description:
    'The sums are those that a checkout would show this buyer now. Items that name the same offer or product at the same price are one line. Nothing is written, and the public key is enough.',
  body: CalculateTax,
  data: TaxData,
  needsClock: true,
  errors: [
    'not_found',
    'offer_not_for_sale',
    'mixed_offers',
    'offer_currency_mismatch',
    'discount_code_unknown',
    'too_many_codes',
    'discount_inactive',
    'discount_not_started',
    'discount_expired',
    'discount_exhausted',
    'discount_not_applicable',
    'discount_wrong_currency',
    'amount_too_large',
  ],
  example: {
    items: [{ offerId: '018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f', quantity: 2 }],
    customer: { countryCode: 'DE' },
  },
  handler: async ({ ctx, scope, body, withSecret, ipAddress }) => {
    const { customer, currency, discountCode } = body;
    const question: TaxQuestion = {
      withSecret,
      items: toItems(body),
      currency: currency ?? null,
      form: {
        ...withDetails(EMPTY_FORM, customer),
        discountCode: discountCode ?? null,
      },
    };
    const guess = withSecret || !discountCode ? null : { db: ctx.db, session: null, ipAddress };
    const answer = await countingGuess(ctx, scope, {
      guess,
      work: () => calculateTax(ctx, scope, question),
    });
    return { tax: toTax(answer) };
  },
});

type Input = Static<typeof CalculateTax>;

/** One way of asking or the other: a request that mixes them is a mistake. */
function toItems({ items, offerId, productId, quantity, amount }: Input): TaxItem[] {
  if (items === undefined) return [toItem({ offerId, productId, unitPrice: amount, quantity }, '')];
  const others = Object.entries({ offerId, productId, quantity, amount });
  const other = others.find(([, value]) => value !== undefined);
  if (other) throw invalidField(other[0], 'cannot be given beside items');
  return items.map((item, index) => toItem(item, `items.${index}`));
}

interface ItemInput {
  offerId?: string | undefined;
  productId?: string | undefined;
  unitPrice?: number | undefined;
  quantity?: number | undefined;
}

function toItem({ offerId, productId, unitPrice, quantity }: ItemInput, path: string): TaxItem {
  const at = (name: string) => (path ? `${path}.${name}` : name);
  if (offerId === undefined && productId === undefined) throw invalidField(at('offerId'), 'is required');
  if (offerId !== undefined && productId !== undefined)
    throw invalidField(at('productId'), 'cannot be given beside offerId');
  if (offerId === undefined && unitPrice === undefined)
    throw invalidField(path ? at('unitPrice') : 'amount', 'is required for a product');
  return {
    path,
    offerId: offerId ?? null,
    productId: productId ?? null,
    unitPriceMinor: unitPrice === undefined ? null : BigInt(unitPrice),
    quantity: quantity ?? 1,
  };
}

export const taxRoutes: Route[] = [calculate];
