/** What other services allow twice and a store holds once: buyers by their e-mail, discounts by their code. */
import { describe, expect, it } from 'vitest';
import type { TestApp } from '../support/harness.ts';
import {
  createImporting,
  customer,
  type FileLine,
  type Importing,
  META,
  type Shown,
} from '../support/importing.ts';
import { useShop } from '../support/shop.ts';

let app: TestApp;
let imports: Importing;

useShop(async (made) => {
  app = made;
  imports = createImporting(app);
});

const refusedLines = async (id: string): Promise<Shown[]> => {
  const { plan } = await imports.show(id);
  return plan.errors.map(({ ref, code, path }: Shown) => [ref, code, path]);
};
const half = (ref: string, more: FileLine = {}): FileLine => ({
  ...{ kind: 'discount', ref, amountType: 'percentage', amount: 50, duration: 'forever' },
  ...more,
});
const listUsers = async (term: string): Promise<Shown[]> =>
  (await app.test.get('/v0/users/list', { query: { term } })).body.data.users;

describe('customers with one e-mail', () => {
  it('X41 are one buyer with what each of them says, and the same when they come again', async () => {
    const lines = [
      customer('guest_1', { email: 'Same@example.com', name: null, billingDetails: { city: 'Bern' } }),
      customer('guest_2', { email: 'same@example.com', name: 'Ada', billingDetails: { countryCode: 'CH' } }),
      customer('guest_3', { email: 'SAME@example.com', billingDetails: { city: 'Basel' } }),
    ];
    await imports.bringIn(lines);
    const users = await listUsers('same@example.com');
    expect(users).toMatchObject([{ username: 'Ada', details: { city: 'Bern', countryCode: 'CH' } }]);
    const again = await imports.plan(lines);
    expect(again.plan.counts).toMatchObject([{ kind: 'customer', new: 0, same: 3 }]);
  });

  it('X41 keep theirs where one takes the e-mail of another, who is named', async () => {
    await imports.bringIn([customer('swap_1'), customer('swap_2')]);
    const swapped = [
      customer('swap_1', { email: 'swap_2@example.com' }),
      customer('swap_2', { email: 'swap_1@example.com' }),
    ];
    const { id } = await imports.plan(swapped);
    expect(await refusedLines(id)).toEqual([
      ['swap_1', 'email_taken', 'email'],
      ['swap_2', 'email_taken', 'email'],
    ]);
  });
});

describe('discounts with one code', () => {
  it('X41 is refused by name in the plan, the second of the file and that of another here', async () => {
    const done = await imports.bringIn([half('once_1', { code: 'ONCE' }), half('once_2', { code: 'once' })], {
      skipErrors: true,
    });
    expect(await refusedLines(done.id)).toEqual([['once_2', 'discount_code_taken', 'code']]);
    await imports.bringIn([half('other', { code: 'OTHER' })]);
    const { id } = await imports.plan([half('once_1', { code: 'OTHER' })]);
    expect(await refusedLines(id)).toEqual([['once_1', 'discount_code_taken', 'code']]);
    const { plan } = await imports.plan([half('once_1', { code: 'ONCE', amount: 25 })]);
    expect(plan.counts).toMatchObject([{ changed: 1, refused: 0 }]);
  });

  it('X41 without one come all, however alike their ids there are', async () => {
    const refs = ['ten-off', 'tenoff', 'TENOFF', '十', '十一'];
    await imports.bringIn(refs.map((ref) => half(ref)));
    const changed = await imports.bringIn(refs.map((ref) => half(ref, { amount: 10 })));
    expect(changed.plan.counts).toMatchObject([{ kind: 'discount', changed: 5 }]);
  });
});

describe('a line that the catalogue refuses', () => {
  it('X41 is left out by name, and the rest of the import comes', async () => {
    const product = { kind: 'product', ref: 'late', name: 'Late', type: 'DigitalDownload' };
    const offer = {
      kind: 'offer',
      ref: 'late_price',
      productRef: 'late',
      price: 500,
      currency: META.currency,
    };
    await imports.bringIn([product, offer]);
    const done = await imports.bringIn([
      { ...product, type: 'Subscription' },
      { ...offer, interval: { unit: 'month', count: 1 } },
      customer('late_buyer'),
    ]);
    expect(await refusedLines(done.id)).toMatchObject([
      ['late_price', 'recurring_interval_forbidden', 'interval'],
    ]);
    expect(await listUsers('late_buyer@example.com')).toHaveLength(1);
  });
});
