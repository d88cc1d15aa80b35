import { computeLineTax } from '../pricing/line-tax.ts';
import { makeRule } from '../pricing/values.testing.ts';
import { type PlanItem, toStoredRates } from './line.ts';

/** An item of 10.00 without tax, with what a test changes of it; `ratesPpm` are those it was last taxed by. */
export function makeItem({
  ratesPpm = [],
  ...item
}: Partial<PlanItem> & { ratesPpm?: readonly number[] }): PlanItem {
  const { rates } = computeLineTax(0n, false, makeRule(...ratesPpm));
  return {
    id: null,
    offerId: 'offer-a',
    productId: null,
    variantId: null,
    name: 'Silver',
    internalId: null,
    unitPrice: 1000n,
    quantity: 1,
    inclusive: false,
    product: null,
    variant: null,
    offer: null,
    customFields: {},
    taxReason: 'standard',
    taxRates: toStoredRates(rates),
    ...item,
  };
}
