/** Pages, and what is agreed to on them, in the language that is set for whoever is known, whatever their browser speaks. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy, readState } from '../support/buying.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openBrowser, signIn } from '../support/portal.ts';

let app: TestApp;
let made = 0;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const ENGLISH = { 'accept-language': 'en-US,en;q=0.9' };

async function makeGerman(): Promise<{ email: string; userId: string }> {
  made += 1;
  const email = `known-${made}@example.com`;
  const { body } = await app.test.post('/v0/users/create', { email, language: 'de-AT' });
  return { email, userId: body.data.user.id };
}

/** The page at an address, past where that leads on to. */
async function open(url: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await app.app.inject({ method: 'GET', url, headers: { ...ENGLISH, ...headers } });
  const { location } = answer.headers;
  return location === undefined ? answer.payload : open(String(location), headers);
}
const languageOf = (html: string) => /<html lang="([^"]*)"/.exec(html)?.[1];
const pathOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

it('S48 the checkout and the page to withdraw of who is signed in at the portal', async () => {
  const { email } = await makeGerman();
  const { cookies, store } = await signIn(app, email);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const checkout = `/checkout/${await makeOffer(app.test)}`;
  expect(languageOf(await open(checkout, { cookie }))).toBe('de');
  expect(languageOf(await open(`${checkout}?svc-language=fr`, { cookie }))).toBe('fr');
  expect(languageOf(await open(`/portal/${store}/withdraw`, { cookie }))).toBe('de');
  const { store: same } = await openBrowser(app);
  expect([languageOf(await open(checkout)), languageOf(await open(`/portal/${same}/withdraw`))]).toEqual([
    ...['en', 'en'],
  ]);
});

it('S45 S48 a checkout that the merchant has prepared for a user', async () => {
  const { userId } = await makeGerman();
  const prepare = async (input: Record<string, unknown>) => {
    const offersIds = [await makeOffer(app.test)];
    const billingDetails = { countryCode: 'DE' };
    const { body } = await app.test.post('/v0/checkout-sessions/create', {
      ...{ offersIds, billingDetails },
      ...input,
    });
    return pathOf(body.data.checkoutSession.url);
  };
  const html = await open(await prepare({ userId }));
  expect(languageOf(html)).toBe('de');
  expect(readState(html).quote.consents).toMatchObject([{ language: 'de' }]);
  expect(languageOf(await open(await prepare({ userId, language: 'fr' })))).toBe('fr');
  // Of nobody's the page is the browser's, with all that stands on it.
  const plain = await open(await prepare({}), { 'accept-language': 'de' });
  expect([languageOf(plain), readState(plain).quote.consents[0].language]).toEqual(['de', 'de']);
});

it('S48 the pages on which a subscriber pays and gives another card', async () => {
  const { email } = await makeGerman();
  const declinesLater = { card: '4000000000000341', userEmail: email };
  const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test)], ...declinesLater });
  const { id } = body.data.subscription;
  await app.test.post('/v0/test-clock/advance', { by: { days: 32 } });
  const { subscription } = (await app.test.get(`/v0/subscriptions/${id}`)).body.data;
  const { payment } = (await app.test.get(`/v0/payments/${subscription.lastPaymentId}`)).body.data;
  expect(languageOf(await open(pathOf(payment.payUrl)))).toBe('de');
  const { mails } = (await app.test.get('/v0/mails/list', { query: { kind: 'payment_failed' } })).body.data;
  expect(mails[0].language).toBe('de');
});

it('S27 what a test purchase agrees to, as the mail repeats it', async () => {
  const { email } = await makeGerman();
  const { body } = await buy(app.test, {
    ...{ offersIds: [await makeOffer(app.test)], userEmail: email, consent: true },
  });
  const [consent] = body.data.order.consents;
  expect(consent).toMatchObject({ language: 'de' });
  await app.wired.worker.runDue();
  const { mails } = (await app.test.get('/v0/mails/list', { query: { recipient: email } })).body.data;
  const { mail } = (await app.test.get(`/v0/mails/${mails[0].id}`)).body.data;
  expect(mail).toMatchObject({ kind: 'receipt', language: 'de' });
  expect(mail.text).toContain(consent.text);
});
