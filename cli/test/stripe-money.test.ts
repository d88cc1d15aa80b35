/** What Stripe counts in other units than ISO 4217, and gives for some products alone. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSource } from '../src/import/source.ts';
import { createStays } from '../src/import/stays.ts';
import { STRIPE } from '../src/import/stripe/convert.ts';

type Item = Record<string, unknown>;

async function convert(lists: Record<string, Item[]>) {
  const folder = await mkdtemp(join(tmpdir(), 'stripe-'));
  for (const [name, items] of Object.entries(lists))
    await writeFile(join(folder, `${name}.jsonl`), items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  const stays = createStays();
  // biome-ignore lint/suspicious/noExplicitAny: lines of every kind are compared with what is expected
  const lines: any[] = [];
  for await (const line of STRIPE.convert(await openSource(folder, STRIPE), { stays, nowMs: 0 }))
    lines.push(JSON.parse(JSON.stringify(line)));
  return {
    find: (ref: string) => lines.find((line) => line.ref === ref),
    stays: Object.fromEntries(stays.list().map(({ code, refs }) => [code, refs])),
  };
}

const price = (currency: string, amount: number, more: Item = {}): Item => ({
  ...{ id: `price_${currency}`, object: 'price', product: 'prod_club', currency, unit_amount: amount },
  ...{ unit_amount_decimal: String(amount), recurring: { interval: 'month', interval_count: 1 }, ...more },
});
const customer = { id: 'cus_ada', object: 'customer', email: 'ada@example.com' };
const subscription = (ref: string, prices: Item[], more: Item = {}): Item => ({
  ...{
    id: ref,
    object: 'subscription',
    status: 'active',
    customer: 'cus_ada',
    currency: prices[0]?.currency,
  },
  ...{ created: 1_700_000_000, current_period_end: 1_800_000_000, automatic_tax: { enabled: false } },
  ...{ items: { data: prices.map((one) => ({ price: one, quantity: 2 })) }, ...more },
});

describe('currencies that Stripe counts in units of its own', () => {
  it.each([
    ['isk', 50_000, 500],
    ['ugx', 50_000, 500],
    ['mga', 500, 50_000],
    ['jpy', 500, 500],
    ['usd', 500, 500],
  ])(
    'X41 %s: a price of %d there is %d here, and so is all that is reckoned of it',
    async (currency, theirs, ours) => {
      const own = price(currency, theirs);
      const coupon = { id: 'off', object: 'coupon', amount_off: theirs, currency, duration: 'forever' };
      const invoice = {
        status: 'paid',
        billing_reason: 'subscription_cycle',
        total: 2 * theirs,
        tax: theirs,
      };
      const { find } = await convert({
        prices: [own],
        coupons: [coupon],
        customers: [customer],
        subscriptions: [
          subscription('sub_1', [own], { latest_invoice: { ...invoice, currency } }),
          subscription('sub_off', [own], { discount: { coupon } }),
        ],
      });
      expect(find(`price_${currency}`)).toMatchObject({ price: ours });
      expect(find('off')).toMatchObject({ amount: ours });
      expect(find('sub_1')).toMatchObject({ items: [{ unitPrice: ours }], nextTotal: 2 * ours });
      expect(find('sub_1')).toMatchObject({ paidForPeriod: { value: 2 * ours, tax: ours } });
      expect(find('sub_off')).toMatchObject({ nextTotal: ours });
    },
  );

  it('X41 leaves a price below the smallest unit, by name', async () => {
    expect((await convert({ prices: [price('isk', 550)] })).stays).toEqual({
      fractional_price: ['price_isk'],
    });
  });
});

describe('coupons for some products', () => {
  const half = { id: 'half', object: 'coupon', percent_off: 50, duration: 'forever' };
  const listed = { ...half, applies_to: { products: ['prod_club'] } };
  const club = price('usd', 500);
  const addon = price('usd', 300, { id: 'price_addon', product: 'prod_addon' });

  it('X41 stay there with their codes, though only the list of coupons says so', async () => {
    const code = { id: 'promo_1', object: 'promotion_code', active: true, code: 'HALF', coupon: half };
    const { find, stays } = await convert({ coupons: [listed], promotion_codes: [code] });
    expect(find('promo_1')).toBeUndefined();
    expect(stays).toEqual({ discount_limited: ['promo_1'] });
  });

  it('X41 come with a subscription of those products alone', async () => {
    const { find, stays } = await convert({
      ...{ prices: [club, addon], coupons: [listed], customers: [customer] },
      subscriptions: [
        subscription('sub_club', [club], { discount: { coupon: half } }),
        subscription('sub_both', [club, addon], { discount: { coupon: half } }),
        subscription('sub_addon', [addon], { discount: { coupon: half } }),
      ],
    });
    expect(find('sub_club')).toMatchObject({ discountRef: 'half', nextTotal: 500 });
    expect(stays).toEqual({ discount_limited: ['sub_both', 'sub_addon'] });
  });
});
