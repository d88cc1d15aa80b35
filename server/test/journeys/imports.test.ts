/** A shop that comes from another service: what is planned is what comes, and nothing is charged before its time. */
import { describe, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import {
  createImporting,
  customer,
  type FileLine,
  type Importing,
  META,
  method,
  PLAN_LINES,
  type Shown,
  subscription,
  toFile,
} from '../support/importing.ts';
import { useShop } from '../support/shop.ts';

let app: TestApp;
let imports: Importing;

useShop(async (made) => {
  app = made;
  imports = createImporting(app);
});

const now = async (): Promise<number> => (await app.test.get('/v0/test-clock')).body.data.testClock.now;
const countsOf = ({ plan }: Shown) =>
  Object.fromEntries(plan.counts.map(({ kind, ...counts }: { kind: string }) => [kind, counts]));
const only = (outcome: string, count: number) => ({
  ...{ new: 0, changed: 0, same: 0, conflict: 0, refused: 0 },
  [outcome]: count,
});

/** A month's plan that is paid up to some days from now. */
const running = (ref: string, paidUntil: number, more: FileLine = {}) =>
  subscription(ref, {
    ...{ createdAt: paidUntil - 200 * DAY_MS, anchorAt: paidUntil, paidUntil, nextTotal: 1200 },
    ...more,
  });

async function listSubscriptions(userEmail: string): Promise<Shown[]> {
  const { body } = await app.test.get('/v0/subscriptions/list', { query: { term: userEmail } });
  return body.data.subscriptions;
}

async function countRows(table: 'events' | 'mails' | 'ledgerEntries' | 'invoices'): Promise<number> {
  const { count } = await app.service.db
    .selectFrom(table)
    .where(inScope(app.test.scope))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

describe('a file of lines', () => {
  const purchase = {
    ...{
      kind: 'purchase',
      ref: 'sale_1',
      customerRef: 'ann',
      value: 3570,
      tax: 570,
      currency: 'USD',
      country: 'CH',
    },
    items: [{ offerRef: 'price_game', quantity: 1 }],
    ...{ createdAt: Date.UTC(2024, 4, 1), paidAt: Date.UTC(2024, 4, 1, 1) },
  };
  const key = {
    kind: 'key',
    ref: 'key_1',
    offerRef: 'price_game',
    purchaseRef: 'sale_1',
    key: 'AAAA-1',
    state: 'sold',
  };
  const lines = async () => {
    const at = (await now()) + 10 * DAY_MS;
    return [
      ...PLAN_LINES,
      {
        kind: 'discount',
        ref: 'half',
        code: 'HALF',
        amountType: 'percentage',
        amount: 50,
        duration: 'forever',
      },
      ...[customer('ann'), customer('bob'), method('m_bob', 'bob')],
      ...[
        purchase,
        key,
        { kind: 'key', ref: 'key_2', offerRef: 'price_game', key: 'AAAA-2', state: 'available' },
      ],
      running('bob', at, { paymentMethodRef: 'm_bob', discountRef: 'half', nextTotal: 600 }),
    ];
  };

  it('X41 brings in what its plan counts, with nothing told, and a second run changes nothing', async () => {
    const file = await lines();
    const before = await Promise.all(
      (['events', 'mails', 'ledgerEntries', 'invoices'] as const).map(countRows),
    );
    const planned = await imports.plan(file);
    expect(countsOf(planned)).toEqual({
      product: only('new', 2),
      variant: only('new', 1),
      offer: only('new', 3),
      discount: only('new', 1),
      customer: only('new', 2),
      payment_method: only('same', 1),
      purchase: only('new', 1),
      key: only('new', 2),
      subscription: only('new', 1),
    });
    expect(planned.plan).toMatchObject({
      errorCount: 0,
      errors: [],
      priceChangeCount: 0,
      lines: file.length,
    });
    const [charge] = planned.plan.charges;
    expect(planned.plan.charges).toEqual([{ day: charge.day, currency: 'EUR', count: 1, amount: 600 }]);
    const done = await imports.bringIn(file);
    expect(done.waiting).toBe(1);

    const { body: users } = await app.test.get('/v0/users/list', { query: { term: 'ann@example.com' } });
    const [ann] = users.data.users;
    const inventory = (await app.test.get(`/v0/users/${ann.id}/inventory`)).body.data.inventory;
    expect(inventory).toHaveLength(1);
    expect(JSON.stringify(inventory)).toContain('AAAA-1');
    const { body: orders } = await app.test.get('/v0/orders/list', { query: { userId: ann.id } });
    expect(orders.data.orders).toMatchObject([
      {
        ...{ status: 'PAID', value: 0, tax: 0, currency: 'USD', paidAt: Date.UTC(2024, 4, 1, 1) },
        imported: { source: 'jsonl', ref: 'sale_1', value: 3570, tax: 570, currency: 'USD', country: 'CH' },
      },
    ]);
    const [bob] = await listSubscriptions('bob@example.com');
    expect(bob).toMatchObject({ status: 'active', waiting: true });
    expect(
      await Promise.all((['events', 'mails', 'ledgerEntries', 'invoices'] as const).map(countRows)),
    ).toEqual(before);

    const again = await imports.plan(file);
    for (const counts of Object.values(countsOf(again)))
      expect(counts).toMatchObject({ new: 0, changed: 0, conflict: 0, refused: 0 });
    await expectInvariants(app);
  });

  it('X41 changes what changed there, and keeps what was changed here', async () => {
    const [product, , offer] = PLAN_LINES;
    const there = [
      { ...product, name: 'Club of there' },
      { ...offer, name: 'Pro of there' },
    ];
    const { body } = await app.test.get('/v0/offers/list', { query: { term: 'Pro monthly' } });
    await app.test.patch(`/v0/offers/${body.data.offers[0].id}/update`, { name: 'Pro of here' });
    const planned = await imports.plan(there);
    expect(countsOf(planned)).toEqual({ product: only('changed', 1), offer: only('conflict', 1) });
    await imports.bringIn(there);
    const { body: after } = await app.test.get(`/v0/offers/${body.data.offers[0].id}`);
    expect(after.data.offer).toMatchObject({ name: 'Pro of here', product: { name: 'Club of there' } });
    await imports.bringIn([product as FileLine]);
  });

  it('X41 names each line that it refuses, and commits the rest only when told', async () => {
    const file = [
      customer('cyd'),
      { kind: 'customer', ref: 'dan' },
      { kind: 'nothing' },
      { kind: 'offer', ref: 'lost', productRef: 'nowhere', price: 100, currency: 'EUR' },
      running('dan', (await now()) + 9 * DAY_MS),
      customer('cyd'),
      { ...customer('eve'), country: 'DE' },
    ];
    const { plan, id } = await imports.plan(file);
    expect(plan.errors.map(({ line, code, path }: Shown) => [line, code, path])).toEqual([
      [3, 'invalid_line', 'email'],
      [4, 'invalid_line', 'kind'],
      [5, 'unknown_reference', 'productRef'],
      [6, 'unknown_reference', 'customerRef'],
      [7, 'duplicate_ref', 'ref'],
      [8, 'invalid_line', 'country'],
    ]);
    expect(plan.errors[0].message).toBe('is required');
    expect(plan.errors[5].message).toBe('is not a known field');
    await expectRefusal(imports.commit({ id, plan }), 409, 'import_has_errors');
    const done = await imports.bringIn(file, { skipErrors: true });
    expect(done.plan.errorCount).toBe(6);
  });

  it('X41 refuses what is no import', async () => {
    await expectRefusal(imports.upload('{"kind":"customer"}\n'), 400, 'invalid_input');
    await expectRefusal(imports.upload(''), 400, 'invalid_input');
    // Without a content type there is no body at all.
    await expectRefusal(app.test.request('POST', '/v0/imports/create'), 400, 'invalid_input');
    await expectRefusal(app.test.get(`/v0/imports/${crypto.randomUUID()}`), 404, 'not_found');
    const half = await imports.upload(
      `${toFile([])}{"kind":"customer","ref":"\\ud800","email":"e@example.com"}\n`,
    );
    expect(half.status).toBe(200);
  });

  it('X44 refuses a plan that a changed price has overtaken', async () => {
    const file = await lines();
    await imports.bringIn(file);
    const at = (await now()) + 12 * DAY_MS;
    const planned = await imports.plan([...PLAN_LINES, customer('eve'), running('eve', at)]);
    const { body } = await app.test.get('/v0/offers/list', { query: { term: 'Yearly' } });
    await app.test.patch(`/v0/offers/${body.data.offers[0].id}/update`, { price: 12_900 });
    await expectRefusal(imports.commit(planned), 409, 'plan_changed');
    expect(await listSubscriptions('eve@example.com')).toEqual([]);
    // The plan is made anew, and holds.
    await app.wired.worker.runDue();
    const anew = await imports.show(planned.id);
    expect(anew.plan.hash).not.toBe(planned.plan.hash);
    expect((await imports.commit(anew)).status).toBe(200);
    await app.wired.worker.runDue();
    expect(await listSubscriptions('eve@example.com')).toHaveLength(1);
  });

  it('X44 asks before anybody is charged another sum', async () => {
    const at = (await now()) + 12 * DAY_MS;
    const planned = await imports.plan([
      ...PLAN_LINES,
      customer('fay'),
      running('fay', at, { nextTotal: 1100 }),
    ]);
    expect(planned.plan.priceChanges).toMatchObject([{ ref: 'fay', theirs: 1100, ours: 1200 }]);
    await expectRefusal(imports.commit(planned), 409, 'price_changes');
    expect((await imports.commit(planned, { acceptPriceChanges: true })).status).toBe(200);
    await app.wired.worker.runDue();
  });
});

describe('an activation', () => {
  it('X45 refuses each by name, and does nothing by halves', async () => {
    const at = await now();
    const soon = at + 23 * 3_600_000;
    const later = at + 9 * DAY_MS;
    const people = ['owes', 'nowhere', 'cardless', 'soon', 'gone'];
    const file = [
      ...PLAN_LINES,
      ...people.map((ref) => customer(ref, ref === 'nowhere' ? { billingDetails: {} } : {})),
      running('owes', later, { status: 'past_due' }),
      running('nowhere', later),
      running('cardless', later),
      running('soon', soon),
      running('gone', at - DAY_MS, { anchorAt: at - DAY_MS }),
    ];
    const planned = await imports.plan(file);
    expect(planned.plan.errors).toMatchObject([{ ref: 'owes', code: 'past_due' }]);
    const { id } = await imports.bringIn(file, { skipErrors: true, acceptPriceChanges: true });
    const { body } = await imports.activate(id, {
      subscriptions: ['nowhere', 'cardless', 'soon', 'gone', 'nobody'],
      invite: true,
    });
    const told = Object.fromEntries(
      body.data.results.map(({ ref, status, code, invited }: Shown) => [ref, [status, code, invited]]),
    );
    expect(told).toEqual({
      nowhere: ['refused', 'country_required', false],
      cardless: ['refused', 'payment_method_required', true],
      soon: ['refused', 'too_close', false],
      gone: ['refused', 'paid_until_passed', false],
      nobody: ['refused', 'not_found', false],
    });
    expect(body.data.import.waiting).toBe(4);
    const [cardless] = await listSubscriptions('cardless@example.com');
    expect(cardless).toMatchObject({ status: 'active', waiting: true });
    await expectRefusal(
      app.test.patch(`/v0/subscriptions/${cardless.id}/update`, {
        items: [{ offerId: cardless.items[0].offer.id, quantity: 2 }],
      }),
      409,
      'subscription_state',
    );
    await expectInvariants(app);
  });

  it('X45 charges the running period of what was missed, where that is asked for', async () => {
    const at = await now();
    const paidUntil = at - 40 * DAY_MS;
    const file = [...PLAN_LINES, customer('late'), running('late', paidUntil)];
    const { id } = await imports.bringIn(file);
    const { body: users } = await app.test.get('/v0/users/list', { query: { term: 'late@example.com' } });
    await app.test.patch(`/v0/users/${users.data.users[0].id}/update`, {
      paymentData: { sandboxCustomerId: 'card_4242424242424242' },
    });
    const { body } = await imports.activate(id, { chargeMissed: true });
    expect(body.data.results).toMatchObject([{ ref: 'late', status: 'activated' }]);
    const [late] = await listSubscriptions('late@example.com');
    expect(late).toMatchObject({ status: 'active', waiting: false });
    expect(late.currentIntervalStart).toBeLessThanOrEqual(at);
    expect(late.currentIntervalEnd).toBeGreaterThan(at);
    const { body: payments } = await app.test.get('/v0/payments/list', {
      query: { userId: users.data.users[0].id },
    });
    const charged = payments.data.payments.filter(({ type }: Shown) => type === 'subscription_interval');
    expect(charged).toMatchObject([{ status: 'PAID', value: 1200 }]);
    await expectInvariants(app);
  });
});

describe('a year that was paid elsewhere', () => {
  it('X52 is credited when its plan changes, never paid back, and told of only from its activation on', async () => {
    const at = await now();
    const paidUntil = at + 300 * DAY_MS;
    const file = [
      ...PLAN_LINES,
      customer('gil'),
      running('gil', paidUntil, {
        items: [{ offerRef: 'price_year', quantity: 1, unitPrice: 12_000 }],
        ...{ nextTotal: 12_000, paidForPeriod: { value: 12_000, tax: 0 } },
      }),
    ];
    const { id } = await imports.bringIn(file);
    const [gil] = await listSubscriptions('gil@example.com');
    expect(gil).toMatchObject({ waiting: true, paidForPeriod: { value: 12_000, tax: 0 } });
    const told = () => app.test.get('/v0/events/list', { query: { subscriptionId: gil.id } });
    const listOwn = async () => (await told()).body.data.events.map(({ type }: Shown) => type);
    const { userId } = gil;
    await app.test.patch(`/v0/users/${userId}/update`, {
      paymentData: { sandboxCustomerId: 'card_4242424242424242' },
    });
    expect(await listOwn()).toEqual([]);
    expect((await imports.activate(id)).body.data.results).toMatchObject([
      { ref: 'gil', status: 'activated' },
    ]);
    expect(await listOwn()).toEqual(['subscription_updated']);

    await expectRefusal(app.test.post(`/v0/orders/${gil.orderId}/refunds`, {}), 400, 'paid_elsewhere');
    await advance(app, app.test.scope, 30 * DAY_MS);
    const { body: offers } = await app.test.get('/v0/offers/list', { query: { term: 'Yearly' } });
    const [yearly] = offers.data.offers;
    const changed = { items: [{ offerId: yearly.id, quantity: 2 }], prorationBehavior: 'always_invoice' };
    const { body, status } = await app.test.patch(`/v0/subscriptions/${gil.id}/update`, changed);
    expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
    const { body: payments } = await app.test.get('/v0/payments/list', { query: { userId } });
    const [update] = payments.data.payments.filter(({ type }: Shown) => type === 'subscription_update');
    // Of two years at the price that was agreed there less the unused part of the one: one year's part.
    expect(update.status).toBe('PAID');
    expect(update.value).toBeGreaterThan(8_000);
    expect(update.value).toBeLessThan(10_000);

    const fewer = { items: [{ offerId: yearly.id, quantity: 1 }], prorationBehavior: 'always_invoice' };
    expect((await app.test.patch(`/v0/subscriptions/${gil.id}/update`, fewer)).status).toBe(200);
    const refunds = (await app.test.get('/v0/refunds/list')).body.data.refunds;
    expect(refunds).toEqual([]);
    await expectRefusal(
      app.test.post(`/v0/orders/${gil.orderId}/refunds`, { paymentId: gil.lastPaymentId }),
      400,
      'paid_elsewhere',
    );
    await expectInvariants(app);
  });
});

describe('a rehearsal', () => {
  it('X43 charges sixty subscriptions on the days and by the sums of the source', async () => {
    const at = await now();
    const refs = Array.from({ length: 60 }, (_, day) => `r${day}`);
    const file = [
      ...PLAN_LINES,
      ...refs.flatMap((ref, day) => [
        customer(ref),
        method(`m_${ref}`, ref),
        running(ref, at + 2 * DAY_MS + day * DAY_MS, { paymentMethodRef: `m_${ref}` }),
      ]),
    ];
    const planned = await imports.plan(file, { ...META, source: 'rehearsed' });
    const answer = await imports.commit(planned, { rehearse: '63days' });
    expect({ status: answer.status, error: answer.body.error }).toEqual({ status: 200, error: undefined });
    expect(answer.body.data.import).toMatchObject({
      status: 'committed',
      waiting: 0,
      rehearsal: { subscriptions: 60, charged: 60, equal: 60, waiting: 0, differences: [] },
    });
    await expectInvariants(app);
  });
});
