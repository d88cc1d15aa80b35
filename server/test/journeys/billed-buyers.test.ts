/** What the checkout page asks of whom: a company's address, a person's where the shop wants it, nothing for nothing. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inScope } from '../../src/db/scope.ts';
import { buy, openPage } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';

let app: TestApp;
let vies: Receiver;
let offerId: string;
beforeAll(async () => {
  vies = await createReceiver();
  app = await createTestApp({ VIES_URL: vies.url, EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  offerId = await makeOffer(app.test);
});
afterEach(() => set({ taxNumberCheck: 'format', checkout: { buyerName: 'off', buyerAddress: 'off' } }));
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
  await vies.close();
});

async function set(settings: object): Promise<void> {
  const { status, text } = await app.test.patch('/v0/settings/update', settings);
  expect(status, text).toBe(200);
}

const open = (id = offerId) => openPage(app, `/checkout/${id}`);
const ADDRESS = { address: 'Rue de la Paix 1', postalCode: '75002', city: 'Paris' };
const COMPANY = { type: 'company', companyName: 'Ada SARL', countryCode: 'FR' };
const pathsOf = (body: { error?: { details: Array<{ path: string }> } }) =>
  body.error?.details.map(({ path }) => path);

async function readBuyer(number: string | null): Promise<Record<string, unknown>> {
  const { snapshot } = await app.service.db
    .selectFrom('invoices')
    .select('snapshot')
    .where(inScope(app.test.scope))
    .where('number', '=', String(number))
    .executeTakeFirstOrThrow();
  return JSON.parse(snapshot).buyer;
}

describe('a company', () => {
  it('gives its address on the page, which its invoice bears', async () => {
    const page = await open();
    const refused = await page.submit(COMPANY);
    expect(refused.status).toBe(400);
    expect(pathsOf(refused.body)).toEqual(['address', 'city', 'postalCode']);
    const { checkout } = (await page.submit({ ...COMPANY, ...ADDRESS })).body.data;
    expect(await readBuyer(checkout.receipt.invoiceNumber)).toMatchObject({ name: 'Ada SARL', ...ADDRESS });
  });

  it('is asked for no more than its name over the API', async () => {
    const { status, body } = await buy(app.test, { offersIds: [offerId], billingDetails: COMPANY });
    expect(status).toBe(200);
    expect(body.data.order.status).toBe('PAID');
  });

  it('is told what is known of its tax number', async () => {
    const ask = async (fields: object) => {
      const { quote } = (await (await open()).quote({ ...COMPANY, ...fields })).body.data;
      return quote.taxNumberCheck;
    };
    const given = { taxNumber: 'FR40303265045' };
    expect(await ask({})).toBeNull();
    expect(await ask({ ...given, type: 'individual' })).toBeNull();
    expect(await ask({ taxNumber: 'FR00000000000' })).toBe('invalid');
    expect(await ask(given)).toBe('valid');
    await set({ taxNumberCheck: 'vies' });
    vies.script({ status: 200, body: JSON.stringify({ valid: false }) });
    expect(await ask({ countryCode: 'IT', taxNumber: 'IT00743110157' })).toBe('invalid');
    vies.script({ status: 503 });
    expect(await ask(given)).toBe('unreachable');
  });
});

describe('a person', () => {
  it('is asked for nothing but the country where the shop has set nothing', async () => {
    const { checkout } = (await (await open()).submit()).body.data;
    expect(checkout.status).toBe('paid');
  });

  it('is asked for name and address where the shop wants them', async () => {
    await set({ checkout: { buyerName: 'required', buyerAddress: 'optional' } });
    const page = await open();
    expect((await page.show()).body.data.checkout.fields.buyer).toEqual({
      ...{ name: 'required', address: 'optional' },
    });
    const refused = await page.submit();
    expect(pathsOf(refused.body)).toEqual(['firstName', 'lastName']);
    const named = { firstName: 'Ada', lastName: 'Lovelace' };
    const { checkout } = (await page.submit(named)).body.data;
    expect(await readBuyer(checkout.receipt.invoiceNumber)).toMatchObject({
      name: 'Ada Lovelace',
      city: null,
    });
  });
});

describe('who pays nothing', () => {
  it('is asked for an e-mail alone, whatever the shop asks of others', async () => {
    await set({ checkout: { buyerName: 'required', buyerAddress: 'required' } });
    const whole = { type: 'code', amountType: 'percentage', amount: 100, discountCode: 'WHOLE' };
    expect((await app.test.post('/v0/discounts/create', whole)).status).toBe(200);
    const page = await open();
    const nobody = { countryCode: '', type: 'company', discountCode: 'WHOLE', card: undefined };
    const { checkout } = (await page.submit(nobody)).body.data;
    expect(checkout).toMatchObject({ status: 'paid', receipt: { total: 0, invoiceNumber: null } });
  });
});
