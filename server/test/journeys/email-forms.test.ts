import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, openPage } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(() => app.close());

/** Of `Finn@Bücher-Laden.example`, with its sign and without. */
const DOMAINS = ['@bücher-laden.example', 'BÜCHER-LADEN.example', 'bücher-laden', 'xn--bcher-laden-thb'];
const SENT_ELSEWHERE = ['"ada@evil.example"@example.com', 'ada@exam\u00adple.com', 'ada%evil@example.com'];

describe('an address that would be read as another', () => {
  it('Y04 buys nothing, claims nothing and makes no user', async () => {
    const productId = (await app.test.post('/v0/products/create', { type: 'Game', name: 'Demo' })).body.data
      .product.id;
    const free = await makeOffer(app.test, { productId, price: 0, freeProduct: true });
    for (const email of SENT_ELSEWHERE) {
      for (const id of [offerId, free]) {
        const { status, body } = await (await openPage(app, `/checkout/${id}`)).submit({ email });
        expect([status, body.error.details[0].path]).toEqual([400, 'email']);
      }
      const bought = await buy(app.test, { offersIds: [offerId], userEmail: email });
      expect([bought.status, bought.body.error.details[0].path]).toEqual([400, 'userEmail']);
      const made = await app.test.post('/v0/users/create', { email });
      expect([made.status, made.body.error.details[0].path]).toEqual([400, 'email']);
    }
    expect((await app.test.get('/v0/users/list')).body.data.count).toBe(0);
  });

  it('Y04 is one buyer in every spelling of one mailbox', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId], userEmail: 'Ada@MU\u0308NCHEN.example' });
    const again = await buy(app.test, { offersIds: [offerId], userEmail: 'ada@xn--mnchen-3ya.example' });
    expect(again.body.data.order.userId).toBe(body.data.order.userId);
    const taken = await app.test.post('/v0/users/create', { email: 'ada@münchen.example' });
    expect(taken.body.error.code).toBe('email_taken');
    const { user } = (await app.test.get(`/v0/users/${body.data.order.userId}`)).body.data;
    expect(user.email).toBe('Ada@M\u00DCNCHEN.example');
  });

  it('is found by each spelling of it, and by what is typed of it', async () => {
    const [written, asAscii] = ['Finn@Bücher-Laden.example', 'finn@xn--bcher-laden-thb.example'];
    const planId = await makePlanOffer(app.test);
    await buy(app.test, { offersIds: [planId], userEmail: written });
    const lists = ['orders', 'payments', 'subscriptions', 'users'];
    for (const term of [written, asAscii, written.toUpperCase(), 'Finn@', 'FINN', ...DOMAINS]) {
      const found = lists.map(async (list) => {
        const { body } = await app.test.get(`/v0/${list}/list`, { query: { term, returnCount: 'true' } });
        return body.data.count;
      });
      expect([term, await Promise.all(found)]).toEqual([term, [1, 1, 1, 1]]);
    }
    // Digits behind the sign may be the beginning of a domain, and are no address of a machine.
    await buy(app.test, { offersIds: [planId], userEmail: 'zoë@12months.example' });
    for (const term of ['@12', 'zoë', 'Zoë@12M']) {
      const { body } = await app.test.get('/v0/orders/list', { query: { term } });
      expect([term, body.data.orders.length]).toEqual([term, 1]);
    }
    const { body } = await app.test.get('/v0/mails/list', { query: { recipient: asAscii } });
    expect(body.data.mails.length).toBeGreaterThan(0);
    const { groups } = (await app.test.get('/v0/search', { query: { q: written } })).body.data;
    expect(groups.map(({ object }: { object: string }) => object).sort()).toEqual(['order', 'user']);
  });
});
