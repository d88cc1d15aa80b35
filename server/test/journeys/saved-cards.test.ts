/** A stored card at the checkout: for its own user, in a browser that has proved to be theirs, and for nobody else. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { card, pageAt, readState } from '../support/buying.ts';
import { VISA } from '../support/cards.ts';
import { MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { type PortalBrowser, signIn } from '../support/portal.ts';

const ORIGIN = 'http://localhost:3000';
const MASTERCARD = '5555555555554444';

let app: TestApp;
let aheadMs = 0;
beforeAll(async () => {
  app = await createTestApp({}, undefined, { realNowMs: () => Date.now() + aheadMs });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

let users = 0;
async function makeUser(paymentData: object | null = { sandboxCustomerId: `card_${VISA}` }) {
  users += 1;
  const email = `buyer-${users}@example.com`;
  const billingDetails = { countryCode: 'DE', firstName: 'Ada' };
  const body = { email, billingDetails, ...(paymentData && { paymentData }) };
  const { id } = (await app.test.post('/v0/users/create', body)).body.data.user;
  return { id: id as string, email };
}

const listCards = async (userId: string) =>
  (await app.test.get(`/v0/users/${userId}`)).body.data.paymentMethods.map(
    ({ last4 }: { last4: string }) => last4,
  );

/** A browser at a checkout's page: what it keeps, it sends. */
function browse(cookies = new Map<string, string>()) {
  const send = async (method: 'GET' | 'POST', url: string, body?: object, headers: object = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await app.app.inject({
      method,
      url,
      headers: { origin: ORIGIN, ...(cookie ? { cookie } : {}), ...headers },
      ...(body ? { payload: body } : {}),
    });
    for (const { name, value } of response.cookies) cookies.set(name, value);
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const { headers: answered, payload } = response;
    return { status: response.statusCode, headers: answered, payload, body: isJson ? response.json() : null };
  };
  return {
    look: async (path: string) => readState((await send('GET', path)).payload),
    follow: async (link: string) => String((await send('GET', link)).headers.location),
    post: (path: string, body: object = {}, headers: object = {}) => send('POST', path, body, headers),
  };
}

const callsOf = (page: string) => `/checkout-sessions/${page.split('?')[0]?.split('/').at(-1)}`;

async function prepare(userId: string, fields: object = {}) {
  const body = { offersIds: [await makeOffer(app.test, { price: 1000 })], userId, ...fields };
  const { checkoutSession } = (await app.test.post('/v0/checkout-sessions/create', body)).body.data;
  return new URL(checkoutSession.url).pathname;
}

const pressed = (email: string, fields: object) => ({ email, countryCode: 'DE', ...fields });

describe('S45 a checkout that the merchant prepared for a user', () => {
  it('S45 offers the stored card in the first browser that opens it, and in no other', async () => {
    const user = await makeUser();
    const path = await prepare(user.id);
    const [first, second] = [browse(), browse()];
    // Whoever only looks has opened nothing.
    for (let count = 0; count < 3; count += 1)
      expect(await second.look(path)).toMatchObject({ saved: null, isUnopened: true });
    const opened = (await first.post(`${callsOf(path)}/open`)).body.data.checkout;
    expect(opened).toMatchObject({ isUnopened: false, saved: { email: user.email } });
    const [{ id, brand, last4 }] = opened.saved.methods;
    expect({ brand, last4 }).toEqual({ brand: 'visa', last4: '4242' });
    const late = await second.post(`${callsOf(path)}/open`);
    expect(late.body.data.checkout.saved).toBeNull();
    expect(late.headers['set-cookie']).toBeUndefined();
    const choice = pressed(user.email, { paymentMethodId: id });
    const stolen = await second.post(`${callsOf(path)}/submit`, choice);
    expect([stolen.status, stolen.body.error.code]).toEqual([401, 'proof_required']);
    // A page of another site cannot use the browser for it.
    const forged = await first.post(`${callsOf(path)}/submit`, choice, { origin: 'https://evil.example' });
    expect([forged.status, forged.body.error.code]).toEqual([401, 'proof_required']);
    expect(await first.look(path)).toMatchObject({ saved: { methods: [{ id }] } });
    const { checkout } = (await first.post(`${callsOf(path)}/submit`, choice)).body.data;
    expect(checkout).toMatchObject({ status: 'paid', receipt: { paymentMethod: { last4: '4242' } } });
    expect(await listCards(user.id)).toEqual(['4242']);
  });

  it('S45 is nobody’s after ten minutes, and takes a new card still', async () => {
    const user = await makeUser();
    const path = await prepare(user.id);
    aheadMs = 11 * MINUTE_MS;
    const browser = browse();
    expect(await browser.look(path)).toMatchObject({ saved: null, isUnopened: false });
    expect((await browser.post(`${callsOf(path)}/open`)).body.data.checkout.saved).toBeNull();
    const { checkout } = (
      await browser.post(`${callsOf(path)}/submit`, pressed(user.email, { card: card(VISA) }))
    ).body.data;
    expect(checkout.status).toBe('paid');
  });

  it('S45 charges a card for its user’s own order alone', async () => {
    const [user, other] = [await makeUser(), await makeUser()];
    const path = await prepare(user.id);
    const browser = browse();
    const opened = (await browser.post(`${callsOf(path)}/open`)).body.data.checkout;
    const paymentMethodId = opened.saved.methods[0].id;
    const wrong = await browser.post(`${callsOf(path)}/submit`, pressed(other.email, { paymentMethodId }));
    expect(wrong).toMatchObject({ status: 400, body: { error: { details: [{ path: 'email' }] } } });
    const foreign = (await browse().post(`${callsOf(await prepare(other.id))}/open`)).body.data.checkout;
    const theirs = { paymentMethodId: foreign.saved.methods[0].id };
    const taken = await browser.post(`${callsOf(path)}/submit`, pressed(user.email, theirs));
    expect(taken.status).toBe(404);
  });

  it('S45 opens nothing for a checkout of an address alone', async () => {
    const { email } = await makeUser();
    const body = { offersIds: [await makeOffer(app.test)], email };
    const { checkoutSession } = (await app.test.post('/v0/checkout-sessions/create', body)).body.data;
    const path = new URL(checkoutSession.url).pathname;
    expect(await pageAt(app, path).look()).toMatchObject({ saved: null, isUnopened: false });
    expect((await browse().post(`${callsOf(path)}/open`)).body.data.checkout.saved).toBeNull();
  });
});

describe('S45 a buyer who is signed in at the portal', () => {
  const browserOf = async (email: string): Promise<ReturnType<typeof browse>> => {
    const { cookies }: PortalBrowser = await signIn(app, email);
    return browse(cookies);
  };

  it('S45 finds the form filled in, and pays by the stored card', async () => {
    const user = await makeUser();
    const browser = await browserOf(user.email);
    const offerId = await makePlanOffer(app.test, { price: 900 });
    const page = await browser.follow(`/checkout/${offerId}`);
    const view = await browser.look(page);
    expect(view).toMatchObject({
      form: { email: user.email, countryCode: 'DE' },
      saved: { email: user.email },
    });
    // In a frame nobody is known.
    expect(await browser.look(`${page}?svc-frame=overlay`)).toMatchObject({
      saved: null,
      form: { email: '' },
    });
    const paymentMethodId = view.saved.methods[0].id;
    const answer = await browser.post(`${callsOf(page)}/submit`, pressed(user.email, { paymentMethodId }));
    expect(answer.body.data.checkout.status).toBe('paid');
    const { receipt } = answer.body.data.checkout;
    const { subscription } = (await app.test.get(`/v0/subscriptions/${receipt.orderNumber}`)).body.data;
    expect(subscription).toMatchObject({ status: 'active', paymentMethod: { id: paymentMethodId } });
    expect(await listCards(user.id)).toEqual(['4242']);
  });

  it('S45 keeps a new card only where the box was ticked', async () => {
    const user = await makeUser(null);
    const browser = await browserOf(user.email);
    const offerId = await makeOffer(app.test, { price: 500 });
    const buyWith = async (fields: object) => {
      const page = await browser.follow(`/checkout/${offerId}`);
      return browser.post(`${callsOf(page)}/submit`, pressed(user.email, fields));
    };
    expect((await buyWith({ card: card(MASTERCARD) })).body.data.checkout.status).toBe('paid');
    expect(await listCards(user.id)).toEqual([]);
    const kept = await buyWith({ card: card(MASTERCARD), keepMethod: true });
    expect(kept.body.data.checkout.status).toBe('paid');
    expect(await listCards(user.id)).toEqual(['4444']);
  });

  it('Y01 keeps no card for whoever types an address', async () => {
    const user = await makeUser(null);
    const offerId = await makeOffer(app.test, { price: 500 });
    const stranger = browse();
    const page = await stranger.follow(`/checkout/${offerId}`);
    const body = pressed(user.email, { card: card(VISA), keepMethod: true });
    const answer = await stranger.post(`${callsOf(page)}/submit`, body);
    expect([answer.status, answer.body.error.code]).toEqual([401, 'proof_required']);
    expect(await listCards(user.id)).toEqual([]);
  });
});
