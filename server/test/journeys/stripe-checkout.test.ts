/** The checkout over an account of Stripe, as impatient, hostile and refused buyers use it. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPage, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

const TERMS = { price: 4900, currency: 'EUR', taxBehavior: 'inclusive' };

let app: TestApp;
let double: StripeDouble;
let account: StripeAccount;
let offerId: string;
beforeAll(async () => {
  double = await startStripeDouble();
  app = await createTestApp({
    STRIPE_API_URL: double.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '30000',
  });
  account = await double.openAccount();
  const { secretKey, publishableKey } = account;
  const credentials = { secretKey, publishableKey };
  const connected = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials },
  });
  expect(connected.status, connected.text).toBe(200);
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  offerId = await makeOffer(app.test, TERMS);
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

interface Books {
  charges: Record<string, { taken: number }>;
}
/** The oldest first. */
const listTaken = async () => {
  const { charges } = await double.control<Books>(`GET /books?account=${account.id}`);
  return Object.values(charges)
    .flatMap(({ taken }) => (taken > 0 ? [taken] : []))
    .reverse();
};
const open = (offer = offerId) => openPage(app, `/checkout/${offer}`);
const press = (page: OpenPage, token: string, fields: Record<string, unknown> = {}) =>
  page.submit({ card: undefined, payment: { option: 'token', token }, ...fields });

/** As a script in somebody's page asks it, with what is told to the page. */
async function askAsPage(method: string, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const headers = { authorization: `Bearer ${account.publishableKey}` };
  const answer = await fetch(`${double.apiUrl}${path}`, { method, headers, body });
  return { status: answer.status, body: (await answer.json()) as { error?: { code?: string } } };
}

/** The secret of the last charge's object, by which whoever has it may pay. */
async function readSecret(): Promise<{ id: string; secret: string }> {
  const { processorId: id } = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const headers = { authorization: `Bearer ${account.secretKey}` };
  const answer = await fetch(`${double.apiUrl}/v1/payment_intents/${id}`, { headers });
  const { client_secret: secret } = (await answer.json()) as { client_secret: string };
  return { id: String(id), secret };
}

describe('an impatient buyer', () => {
  it('P13 pays once, however often the button is pressed, in how many tabs, and after a reload', async () => {
    const before = (await listTaken()).length;
    const pages = await Promise.all(Array.from({ length: 8 }, () => open()));
    await Promise.all(
      pages.map(async (page, index) => {
        const form = { email: `impatient-${index}@example.com` };
        await page.quote(form);
        await Promise.all([1, 2, 3].map(() => press(page, 'pm_card_visa', form)));
        await page.show();
        await press(page, 'pm_card_visa', form);
      }),
    );
    await app.wired.worker.runDue();
    for (const page of pages) expect((await page.show()).body.data.checkout.status).toBe('paid');
    expect((await listTaken()).slice(before)).toEqual(pages.map(() => 4900));
  });
});

describe('a price that changes before the button is pressed', () => {
  const code = { type: 'code', discountCode: 'LESS', amount: 10, amountType: 'percentage' };

  it.each<[string, Record<string, unknown>, (id: string) => Promise<unknown>, number]>([
    ['its country', { countryCode: 'FR' }, async () => {}, 5880],
    ['its quantity', { quantity: 3 }, async () => {}, 14_700],
    ['a code', { discountCode: 'LESS' }, () => app.test.post('/v0/discounts/create', code), 4410],
    ['the merchant', {}, (id) => app.test.patch(`/v0/offers/${id}/update`, { price: 5900 }), 5900],
  ])('P14 by %s is shown first, and nothing is taken', async (name, typed, change, total) => {
    const before = (await listTaken()).length;
    // With tax on top what is due hangs on where the buyer is.
    const taxBehavior = name === 'its country' ? 'exclusive' : 'inclusive';
    const ownId = await makeOffer(app.test, { ...TERMS, taxBehavior, mutableQuantity: true });
    const page = await open(ownId);
    const form = { email: `${name.replaceAll(' ', '-')}@example.com` };
    const shown = (await page.quote(form)).body.data.quote;
    expect(shown.dueNow).toBe(taxBehavior === 'exclusive' ? 5831 : 4900);
    await change(ownId);
    const { fingerprint, total: expectedTotal } = shown;
    const pressed = { ...form, ...typed, fingerprint, expectedTotal };
    const refused = await press(page, 'pm_card_visa', pressed);
    expect([refused.status, refused.body.error?.code], refused.text).toEqual([409, 'price_changed']);
    const [{ quote }] = refused.body.error.details;
    expect(quote.dueNow).toBe(total);
    expect(await listTaken()).toHaveLength(before);
    const fresh = { fingerprint: quote.fingerprint, expectedTotal: quote.total };
    const paid = await press(page, 'pm_card_visa', { ...pressed, ...fresh });
    expect(paid.body.data?.checkout.status, paid.text).toBe('paid');
    expect((await listTaken()).slice(before)).toEqual([total]);
  });
});

describe('a hostile tab', () => {
  it('P15 that kept the secret of a declined charge pays nothing by it', async () => {
    const before = (await listTaken()).length;
    const page = await open();
    const form = { email: 'hostile@example.com' };
    expect((await press(page, 'pm_card_visa_chargeDeclined', form)).body.data.checkout.status).toBe('open');
    const { id, secret } = await readSecret();
    const confirmed = await askAsPage('POST', `/v1/payment_intents/${id}/confirm`, {
      ...{ client_secret: secret, payment_method: 'pm_card_visa' },
    });
    expect(confirmed).toMatchObject({ status: 400 });
    expect((await press(page, 'pm_card_visa', form)).body.data.checkout.status).toBe('paid');
    expect((await listTaken()).slice(before)).toEqual([4900]);
  });
});

describe('a buyer whose card is refused for what its bank suspects', () => {
  it.each([
    'pm_card_radarBlock',
    'pm_card_chargeDeclinedFraudulent',
    'pm_card_visa_chargeDeclinedLostCard',
    'pm_card_visa_chargeDeclinedStolenCard',
  ])('P19 reads no word of it: %s', async (token) => {
    const page = await open();
    const answer = await press(page, token, { email: `${token.toLowerCase()}@example.com` });
    const { lastError, status } = answer.body.data.checkout;
    expect(status).toBe('open');
    expect(lastError).toMatchObject({ message: expect.stringMatching(/./) });
    // The address that was typed bears the name of the card.
    const { form: _typed, ...told } = (await page.show()).body.data.checkout;
    expect(lastError).toEqual(told.lastError);
    expect(JSON.stringify(told)).not.toMatch(
      /fraud|radar|stolen|lost|highest_risk|pick_?up|merchant_blacklist/i,
    );
  });
});
