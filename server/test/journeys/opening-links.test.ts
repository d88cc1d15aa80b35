import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticate, buy, card, findAuthentication, openPage, readState } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp();
  offerId = await makeOffer(app.test);
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const TOKEN = /^[0-9A-Za-z]{22}\.[\w-]{32,}$/;
const AUTHENTICATES = '4000002500003155';
const get = (url: string, method: 'GET' | 'HEAD' = 'GET') => app.app.inject({ method, url });
const listSessions = () => app.service.db.selectFrom('checkoutSessions').selectAll().execute();

describe('a checkout link that somebody meets', () => {
  it('Y16 writes nothing when it is opened, followed and looked at, however often', async () => {
    const element = await app.test.post('/v0/elements/checkout/create', { offersIds: [offerId] });
    const links = [`/checkout/${offerId}`, `/checkout-element/${element.body.data.checkoutElement.id}`];
    const before = await listSessions();
    const tokens = new Set<string>();
    for (const link of [...links, ...links]) {
      await get(link, 'HEAD');
      const { headers } = await get(`${link}?svc-customer-email=ada@example.com`);
      const location = String(headers.location);
      expect(location).toMatch(new RegExp(`^${link}/checkout/`));
      tokens.add(location.split('?')[0]?.split('/').at(-1) ?? '');
      await get(location, 'HEAD');
      expect(readState((await get(location)).payload)).toMatchObject({
        status: 'open',
        isUnseen: true,
        form: { email: 'ada@example.com' },
      });
    }
    expect(tokens.size).toBe(4);
    for (const token of tokens) expect(token).toMatch(TOKEN);
    expect(await listSessions()).toEqual(before);
  });

  it('Y16 becomes a session by the page’s first call, a quote or a submit, however many come at once', async () => {
    for (const action of ['quote', 'submit'] as const) {
      const page = await openPage(app, `/checkout/${offerId}`);
      const before = (await listSessions()).length;
      const answers = await Promise.all([page[action](), page[action](), page[action]()]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const written = (await listSessions()).filter(({ token }) => token === page.token);
      expect([written.length, (await listSessions()).length]).toEqual([1, before + 1]);
      expect(written[0]).toMatchObject({ ipAddress: '127.0.0.1', offerIds: [offerId] });
      expect(readState((await get(page.pagePath)).payload).form?.email ?? 'paid').toMatch(/ada@example|paid/);
    }
  });

  it('is the same with its id in capitals', async () => {
    const element = await app.test.post('/v0/elements/checkout/create', {
      offersIds: [offerId.toUpperCase()],
    });
    for (const [base, id] of [
      ['/checkout', offerId],
      ['/checkout-element', element.body.data.checkoutElement.id],
    ]) {
      const page = await openPage(app, `${base}/${id.toUpperCase()}`);
      expect(page.pagePath).toContain(`${base}/${id}/checkout/`);
      expect((await page.submit()).body.data.checkout.status).toBe('paid');
    }
  });

  it('Y16 keeps of what it brings along the known fields alone', async () => {
    await app.test.post('/v0/custom-fields/create', {
      key: 'nick',
      label: 'Nickname',
      type: 'text',
      required: false,
    });
    const junk = Array.from({ length: 40 }, (_, index) => `junk${index}=${'x'.repeat(100)}`).join('&');
    const { headers } = await get(`/checkout/${offerId}?utm_source=mail&nick=Ada&${junk}`);
    const location = String(headers.location);
    expect(location.split('?')[1]).toBe('nick=Ada');
    expect(readState((await get(location)).payload).form.customFields).toEqual({ nick: 'Ada' });
  });

  it('opens nothing by a token that was made up for another workspace or for nothing', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const [, rest] = page.token.split('.');
    const other = (await openPage(app, `/checkout/${await makeOffer(app.other)}`)).token.split('.')[0];
    for (const token of [
      `${other}.${rest}`,
      `${page.token.slice(0, -1)}`,
      `${page.token.slice(0, -22)}${'0'.repeat(22)}`,
    ]) {
      expect((await get(`/checkout/${offerId}/checkout/${token}`)).statusCode).toBe(404);
      const quote = await app.test.request('POST', `/checkout-sessions/${token}/quote`, {
        keys: 'none',
        body: {},
      });
      expect(quote.status).toBe(404);
    }
  });
});

describe('what opens something', () => {
  it('Y10 is a word of its own, never an id that is shown elsewhere', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const { body } = await page.submit();
    const { id, receipt } = body.data.checkout;
    expect(receipt.invoiceUrl).toMatch(/^\/invoices\/[0-9A-Za-z]{22}\.[\w-]{32}\.pdf$/);
    const order = (await app.test.get(`/v0/orders/${receipt.orderId}`)).body.data;
    const [payment] = order.payments;
    const known = [id, receipt.orderId, payment.id, payment.charges[0].id, order.items[0].id, randomUUID()];
    for (const one of known) {
      for (const path of [
        `/checkout/${offerId}/checkout/${one}`,
        `/checkout-sessions/${one}`,
        `/pay/${one}`,
        `/payment-pages/${one}`,
        `/invoices/${one}.pdf`,
        `/downloads/${one}`,
        `/sandbox/authenticate/${one}`,
      ]) {
        expect([404, path]).toEqual([(await get(path)).statusCode, path]);
      }
    }
  });

  it('Y10 goes on to open what a link of before opened', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    await page.submit();
    const row = (await listSessions()).find(({ token }) => token === page.token);
    // As the migration has left those that were there.
    await app.service.db
      .updateTable('checkoutSessions')
      .set({ token: row?.id })
      .where('token', '=', page.token)
      .execute();
    const shown = readState((await get(`/checkout/${offerId}/checkout/${row?.id}`)).payload);
    expect(shown).toMatchObject({ status: 'paid' });
  });
});

describe('the page of a payment', () => {
  async function openPayLink(payUrl: string) {
    const path = new URL(payUrl).pathname;
    return { path, look: async () => readState((await get(path)).payload) };
  }

  it('Y09 of an order says that it is paid, and leads to no receipt and no session', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId], card: AUTHENTICATES });
    const { path, look } = await openPayLink(body.data.payment.payUrl);
    const waiting = await look();
    expect(waiting).toMatchObject({ kind: 'order', status: 'requires_action' });
    const back = await authenticate(app, waiting.actionUrl, 'approve');
    expect(back).toEqual({ status: 303, location: path });
    const paid = await get(path);
    expect(paid.statusCode).toBe(200);
    expect(readState(paid.payload)).toEqual({
      kind: 'order',
      status: 'paid',
      actionUrl: null,
      isActionAsked: false,
      purchase: null,
      transfer: null,
      seller: expect.any(Object),
      testMode: true,
      apiUrl: path.replace('/pay/', '/payment-pages/'),
    });
  });

  it('Y09 of a subscription says that it is paid, and shows no invoice', async () => {
    const planId = await makePlanOffer(app.test, { price: 500 });
    const { number } = await subscribe(app, planId, { userEmail: 'owes@example.com' });
    const charged = await app.test.post(`/v0/subscriptions/${number}/charge`, {
      items: [{ name: 'Setup', unitPrice: 900, currency: 'EUR' }],
    });
    const { payToken } = await app.service.db
      .selectFrom('payments')
      .select('payToken')
      .where('id', '=', charged.body.data.payment.id)
      .executeTakeFirstOrThrow();
    const shown = await get(`/payment-pages/${payToken}`);
    expect(shown.json().data.debt).toMatchObject({ kind: 'owed', status: 'paid', dues: [] });
    expect(shown.payload).not.toContain('/invoices/');
  });

  it('Y09 leads back to the checkout only whom the checkout has sent', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const { body } = await page.submit({ card: card(AUTHENTICATES) });
    const { url } = body.data.checkout.action;
    expect(url).toContain(`?session=${page.token}`);
    const [path = ''] = String(url).split('?');
    const order = (await app.test.get('/v0/orders/list')).body.data.orders[0];
    const [payment] = (await app.test.get(`/v0/orders/${order.id}`)).body.data.payments;
    expect(await findAuthentication(app, payment.charges[0].id)).toBe(path);
    const stranger = await openPage(app, `/checkout/${offerId}`);
    await stranger.quote();
    // Whoever holds the bank's address alone, or a session of their own, is led to the page that says it is paid.
    const payPath = new URL(payment.payUrl).pathname;
    expect(await authenticate(app, `${path}?session=${stranger.token}`, 'approve')).toMatchObject({
      location: payPath,
    });
    expect((await get(path)).headers.location).toBe(payPath);
    expect((await get(url)).headers.location).toBe(page.pagePath);
  });
});
