/** Checkouts that a merchant prepares, and links that say more of a purchase. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPage, openPage, pageAt } from '../support/buying.ts';
import { advance, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

const ADA = 'ada@example.com';
const SHOP = 'https://shop.example';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  await app.test.patch('/v0/settings/update', { authorizedDomains: [SHOP] });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const create = (body: Record<string, unknown>) => app.test.post('/v0/checkout-sessions/create', body);

interface Prepared {
  checkoutSession: { id: string; url: string; status: string; orderNumber: string | null };
  page: OpenPage;
}

async function prepare(fields: Record<string, unknown> = {}): Promise<Prepared> {
  const body = { offersIds: [await makeOffer(app.test)], ...fields };
  const { checkoutSession } = (await create(body)).body.data;
  return { checkoutSession, page: pageAt(app, new URL(checkoutSession.url).pathname) };
}

const read = async (id: string) =>
  (await app.test.get(`/v0/checkout-sessions/${id}`)).body.data.checkoutSession;

const secretNow = async () => (await app.test.get('/v0/settings')).body.data.settings.redirectSecret;

/** As a shop checks it. */
function isSigned(address: string, secret: string): boolean {
  const [query = '', signature] = new URL(address).search.slice(1).split('&svc-signature=');
  return createHmac('sha256', secret).update(query).digest('hex') === signature;
}

describe('S49: a prepared checkout that has ended', () => {
  /** Of what it shows once its time is over. */
  async function endOf(fields: Record<string, unknown>) {
    const { page } = await prepare({ email: ADA, expiresInMinutes: 10, ...fields });
    await advance(app, app.test.scope, 11 * MINUTE_MS);
    const { status, againUrl } = await page.look();
    expect(status).toBe('expired');
    return againUrl ?? null;
  }

  it('starts again with the same cart, form and reference', async () => {
    const offerId = await makeOffer(app.test);
    const againUrl = await endOf({ offersIds: [offerId], reference: 'cart 4712' });
    const { pagePath, look, submit } = await openPage(app, againUrl ?? '');
    expect(pagePath).toContain(`/checkout/${offerId}/checkout/`);
    const { status, form, link } = await look();
    expect(status).toBe('open');
    expect(form.email).toBe(ADA);
    const { receipt } = (await submit(link)).body.data.checkout;
    expect(receipt.reference).toBe('cart 4712');
  });

  it('is the merchant’s to offer again where it bound the buyer to more than everybody', async () => {
    const several = [await makeOffer(app.test), await makeOffer(app.test)];
    const many = await makeOffer(app.test, { mutableQuantity: true });
    expect(await endOf({ offersIds: several })).toBeNull();
    expect(await endOf({ lock: ['email'] })).toBeNull();
    expect(await endOf({ offersIds: [many], quantities: { [many]: 3 } })).toBeNull();
  });
});

describe('a checkout that the merchant prepares', () => {
  it('takes the ids of its quantities in capitals, too', async () => {
    const offerId = await makeOffer(app.test, { price: 1000, mutableQuantity: true });
    const { page } = await prepare({
      offersIds: [offerId.toUpperCase()],
      quantities: { [offerId.toUpperCase()]: 3 },
    });
    expect((await page.look()).items).toMatchObject([{ offerId, quantity: 3 }]);
  });

  it('S44 shows what is locked and takes nothing else', async () => {
    const offerId = await makeOffer(app.test, { price: 1000, mutableQuantity: true, maxPerOrder: 2 });
    const { page } = await prepare({
      offersIds: [offerId],
      quantities: { [offerId]: 5 },
      email: ADA,
      billingDetails: { countryCode: 'DE', city: 'Berlin', address: 'Unter den Linden 1' },
      lock: ['email', 'country', 'quantity', 'discountCode'],
    });
    const view = await page.look();
    expect(view.form).toMatchObject({ email: ADA, countryCode: 'DE', city: 'Berlin', quantities: {} });
    expect(view.items).toMatchObject([{ quantity: 5 }]);
    for (const other of [{ email: 'eve@example.com' }, { countryCode: 'PL' }, { discountCode: 'X' }]) {
      await expectRefusal(page.quote(other), 400, 'field_locked');
      await expectRefusal(page.submit(other), 400, 'field_locked');
    }
    await expectRefusal(page.submit({ quantities: { [offerId]: 4 } }), 400, 'quantity_not_mutable');
    const paid = (await page.submit({ email: '' })).body.data.checkout;
    expect(paid).toMatchObject({ status: 'paid', receipt: { email: ADA, total: 5950 } });
  });

  it('S44 brings its reference to order, event and list, and signs the way back', async () => {
    const { checkoutSession, page } = await prepare({
      reference: 'cart 4711/ä',
      redirectUrl: `${SHOP}/thanks?step=2&svc-order-number=FORGED#top`,
      cancelUrl: `${SHOP}/cart`,
    });
    expect(checkoutSession).toMatchObject({ object: 'checkout_session', status: 'open', orderId: null });
    expect(checkoutSession.url).not.toContain(checkoutSession.id);
    const { receipt, cancelUrl } = (await page.submit()).body.data.checkout;
    expect(cancelUrl).toBe(`${SHOP}/cart`);
    const { orderId, orderNumber } = receipt;
    expect(await read(checkoutSession.id)).toMatchObject({ status: 'paid', orderId, orderNumber });
    const events = await app.test.get('/v0/events/list', { query: { orderId } });
    expect(events.body.data.events[0].data.order).toMatchObject({ reference: 'cart 4711/ä' });
    const listed = await app.test.get('/v0/orders/list', { query: { reference: 'cart 4711/ä' } });
    expect(listed.body.data.orders).toMatchObject([{ id: orderId, reference: 'cart 4711/ä' }]);
    const back = new URL(receipt.redirectUrl);
    expect(back.searchParams.getAll('svc-order-number')).toEqual([orderNumber]);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      step: '2',
      'svc-order-id': orderId,
      'svc-reference': 'cart 4711/ä',
      'svc-timestamp': expect.stringMatching(/^\d{10}$/),
    });
    const secret = await secretNow();
    expect(secret).toMatch(/^rds_\w{40,}$/);
    expect(isSigned(receipt.redirectUrl, secret)).toBe(true);
    const changed = receipt.redirectUrl.replace(orderNumber, `${orderNumber.slice(0, -1)}#`);
    expect(isSigned(changed, secret)).toBe(false);
    await app.test.patch('/v0/settings/update', { redirectSecret: null });
    expect(await secretNow()).not.toBe(secret);
    expect(isSigned((await page.show()).body.data.checkout.receipt.redirectUrl, secret)).toBe(false);
  });

  it('S44 is made once for one Idempotency-Key, whose answer with the link is not kept', async () => {
    const body = { offersIds: [await makeOffer(app.test)], email: ADA };
    const headers = { 'idempotency-key': 'prepared-1' };
    const made = await app.test.post('/v0/checkout-sessions/create', body, { headers });
    const { id, url } = made.body.data.checkoutSession;
    const again = await app.test.post('/v0/checkout-sessions/create', body, { headers });
    expect(again.status).toBe(409);
    expect(again.body.error).toMatchObject({
      code: 'answer_not_kept',
      details: [{ object: 'checkout_session', id }],
    });
    const kept = await app.service.db.selectFrom('idempotencyKeys').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(new URL(url).pathname.split('/').at(-1));
  });

  it('S44 is of a user with their details, or refused in words', async () => {
    const made = await app.test.post('/v0/users/create', {
      email: 'known@example.com',
      externalId: 'crm-1',
      billingDetails: { countryCode: 'FR', firstName: 'Known', phoneNumber: '123' },
    });
    const { page } = await prepare({ internalId: 'crm-1', lock: ['email'] });
    expect((await page.look()).form).toMatchObject({ email: 'known@example.com', countryCode: 'FR' });
    await page.submit({ email: 'known@example.com', countryCode: 'FR' });
    const [order] = (await app.test.get('/v0/orders/list', { query: { userId: made.body.data.user.id } }))
      .body.data.orders;
    expect(order).toMatchObject({ status: 'PAID', country: 'FR' });
    const offersIds = [await makeOffer(app.test)];
    const wrong: Array<[Record<string, unknown>, string, string | null]> = [
      [{}, 'invalid_input', 'offersIds'],
      [{ offersIds, lock: ['email'] }, 'invalid_input', 'lock'],
      [{ offersIds, lock: ['country'] }, 'invalid_input', 'lock'],
      [{ offersIds, email: 'no address' }, 'invalid_input', 'email'],
      [{ offersIds, redirectUrl: 'javascript:alert(1)' }, 'invalid_input', 'redirectUrl'],
      [{ offersIds, cancelUrl: 'http://shop.example/' }, 'invalid_input', 'cancelUrl'],
      [{ offersIds, origin: `${SHOP}/path` }, 'invalid_input', 'origin'],
      [{ offersIds, origin: 'https://evil.example' }, 'invalid_input', 'origin'],
      [{ offersIds, expiresInMinutes: 9 }, 'invalid_input', 'expiresInMinutes'],
      [{ offersIds, quantities: { nobody: 1 } }, 'invalid_input', 'quantities.nobody'],
      [{ offersIds, billingDetails: { countryCode: 'QQ' } }, 'invalid_input', 'billingDetails.countryCode'],
      [{ offersIds, customFields: { guild: 'x' } }, 'invalid_input', 'customFields.guild'],
      [{ offersIds, discountCode: 'NOBODY' }, 'discount_code_unknown', null],
    ];
    for (const [body, code, path] of wrong) {
      const answer = await create(body);
      await expectRefusal(Promise.resolve(answer), 400, code);
      if (path !== null) expect(answer.body.error.details).toMatchObject([{ path }]);
    }
    await expectRefusal(create({ offersIds, internalId: 'nobody' }), 404, 'not_found');
  });

  it('S44 ends when its merchant says so, but not once it is being paid', async () => {
    const open = await prepare({ expiresInMinutes: 10 });
    const { createdAt, expiresAt } = await read(open.checkoutSession.id);
    expect(expiresAt - createdAt).toBe(600_000);
    const end = ({ checkoutSession }: Prepared) =>
      app.test.patch(`/v0/checkout-sessions/${checkoutSession.id}/expire`);
    expect((await end(open)).body.data.checkoutSession.status).toBe('expired');
    expect((await end(open)).status).toBe(200);
    await expectRefusal(open.page.submit(), 409, 'checkout_expired');
    const declined = await prepare();
    await declined.page.submit({ card: { number: '4000000000000002', expiry: '12/35', cvc: '123' } });
    expect((await end(declined)).body.data.checkoutSession.status).toBe('expired');
    await expectRefusal(declined.page.submit(), 409, 'checkout_expired');
    const paid = await prepare();
    await paid.page.submit();
    await expectRefusal(end(paid), 409, 'checkout_session_state');
    const away = await openPage(app, `/checkout/${await makeOffer(app.test)}`);
    await away.quote();
    const { id } = (await away.show()).body.data.checkout;
    await expectRefusal(app.test.get(`/v0/checkout-sessions/${id}`), 404, 'not_found');
  });

  it('S44 is framed by its own origin alone', async () => {
    await app.test.patch('/v0/settings/update', { authorizedDomains: [SHOP, 'https://other.example'] });
    const { checkoutSession } = await prepare({ origin: SHOP });
    const { headers } = await app.app.inject({ url: new URL(checkoutSession.url).pathname });
    expect(headers['content-security-policy']).toContain(`frame-ancestors ${SHOP} `);
    expect(headers['content-security-policy']).not.toContain('other.example');
  });
});

describe('a link', () => {
  it('S44 brings reference and a listed way back', async () => {
    const offerId = await makeOffer(app.test);
    const buyBy = async (query: Record<string, string>) => {
      const page = await openPage(app, `/checkout/${offerId}?${new URLSearchParams(query)}`);
      const view = (await page.look()) as Awaited<ReturnType<OpenPage['look']>> & { link: object };
      const { receipt } = (await page.submit({ ...view.link, email: view.form.email })).body.data.checkout;
      return { view, receipt };
    };
    const { view, receipt } = await buyBy({
      'svc-user-email': 'real@example.com',
      'svc-reference': 'ref-1',
      'svc-redirect-url': `${SHOP}/done`,
    });
    expect(view).toMatchObject({ form: { email: 'real@example.com' }, link: { reference: 'ref-1' } });
    expect(receipt).toMatchObject({ email: 'real@example.com', reference: 'ref-1' });
    expect(receipt.redirectUrl).toMatch(/^https:\/\/shop\.example\/done\?/);
    const strange = await buyBy({ 'svc-user-email': ADA, 'svc-redirect-url': 'https://evil.example/' });
    expect(strange.receipt.redirectUrl).toBeNull();
  });
});

describe('a receipt', () => {
  it('S49 shows keys and files for some weeks, and then asks to sign in', async () => {
    const offerId = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['KEY-1'] });
    const page = await openPage(app, `/checkout/${offerId}`);
    const { receipt } = (await page.submit()).body.data.checkout;
    expect(receipt).toMatchObject({ signInUrl: null, items: [{ keys: ['KEY-1'] }] });
    await app.test.post('/v0/test-clock/advance', { by: { days: 31 } });
    const later = (await page.show()).body.data.checkout.receipt;
    expect(later).toMatchObject({ orderNumber: receipt.orderNumber, items: [{ keys: [], download: null }] });
    expect(later.signInUrl).toMatch(/\/portal\/[\w-]+\/test$/);
    const path = `/checkout-sessions/${page.token}/downloads/${offerId}`;
    await expectRefusal(app.test.request('GET', path, { keys: 'none' }), 403, 'access_ended');
  });
});

describe('a cart of lines that the buyer may change', () => {
  it('S45 counts each in quote, order and stock', async () => {
    const [one, two, fixed] = await Promise.all([
      makeOffer(app.test, { price: 1000, mutableQuantity: true }),
      makeOffer(app.test, { price: 300, mutableQuantity: true, limit: 8 }),
      makeOffer(app.test, { price: 50 }),
    ]);
    const element = await app.test.post('/v0/elements/checkout/create', { offersIds: [one, two, fixed] });
    const page = await openPage(app, `/checkout-element/${element.body.data.checkoutElement.id}`);
    expect((await page.look()).form.quantities).toEqual({ [one]: 1, [two]: 1 });
    const quantities = { [one]: 2, [two]: 5 };
    const { quote } = (await page.quote({ quantities })).body.data;
    expect(quote).toMatchObject({
      subtotal: 3550,
      lines: [{ quantity: 2 }, { quantity: 5 }, { quantity: 1 }],
    });
    await expectRefusal(page.submit({ quantities: { [fixed]: 2 } }), 400, 'quantity_not_mutable');
    await expectRefusal(page.submit({ quantities: { [two]: 11 } }), 400, 'quantity_above_limit');
    const { receipt } = (await page.submit({ quantities, fingerprint: quote.fingerprint })).body.data
      .checkout;
    expect(receipt.total).toBe(quote.total);
    const { order, items, payments } = (await app.test.get(`/v0/orders/${receipt.orderNumber}`)).body.data;
    expect(items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 5, 1]);
    expect([order.value, payments[0].value, order.totalItems]).toEqual([quote.total, quote.total, 8]);
    expect((await app.test.get(`/v0/offers/${two}`)).body.data.offer.soldItems).toBe(5);
  });
});
