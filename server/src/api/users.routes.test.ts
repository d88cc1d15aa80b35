import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy, listTold } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp, type TestStore } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { findDefaultPaymentMethod } from '../resources/payment-methods/payment-methods.queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const CREATE = '/v0/users/create';
let made = 0;
const newEmail = () => `user${++made}@example.com`;

async function make(fields: Record<string, unknown> = {}, store: TestStore = app.test) {
  const answer = await store.post(CREATE, { email: newEmail(), ...fields });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.user;
}

async function change(id: string, body: Record<string, unknown>) {
  const answer = await app.test.patch(`/v0/users/${id}/update`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.user;
}

const readRow = (id: string) =>
  app.service.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const noDetails = {
  type: null,
  firstName: null,
  lastName: null,
  companyName: null,
  dialCode: null,
  phoneNumber: null,
  address: null,
  addressLine2: null,
  city: null,
  state: null,
  postalCode: null,
  countryCode: null,
  taxIdType: null,
  taxId: null,
  taxNumber: null,
};
const billingDetails = {
  type: 'company',
  firstName: 'Ada',
  lastName: 'Lovelace',
  companyName: 'Engines Ltd',
  dialCode: '+44',
  phoneNumber: '2079460000',
  address: '12 St James’s Square',
  addressLine2: 'Floor 2',
  city: 'London',
  state: 'England',
  postalCode: 'SW1Y 4JH',
  countryCode: 'GB',
  taxIdType: 'gb_vat',
  taxNumber: 'GB980780684',
};

describe('creating a user', () => {
  it('needs an e-mail alone, and every other field is there and null', async () => {
    const email = newEmail();
    expect(await make({ email: ` ${email} ` })).toEqual({
      object: 'user',
      id: expect.any(String),
      email,
      username: null,
      internalId: null,
      language: null,
      details: noDetails,
      paymentData: { stripeCustomerId: null, paypalCustomerId: null, sandboxCustomerId: null },
      createdAt: expect.any(Number),
      archivedAt: null,
      version: 1,
    });
  });

  it('keeps every field as it was written, and the password as a hash alone', async () => {
    const fields = { username: 'ada', externalId: 'crm-1', billingDetails };
    const paymentData = { stripeCustomerId: 'cus_1', paypalCustomerId: 'pp_1' };
    const user = await make({ ...fields, paymentData, password: 'Engine-1843' });
    expect(user).toMatchObject({
      username: 'ada',
      internalId: 'crm-1',
      details: billingDetails,
      paymentData: { ...paymentData, sandboxCustomerId: null },
    });
    const { passwordHash } = await readRow(user.id);
    expect(passwordHash).toMatch(/^\$argon2id\$/);
    expect(await verify(passwordHash ?? '', 'Engine-1843')).toBe(true);
    const shown = await app.test.get(`/v0/users/${user.id}`);
    expect(shown.body.data.user).toEqual(user);
    expect(shown.text).not.toContain('argon2');
    const audit = await app.service.db
      .selectFrom('auditLog')
      .selectAll()
      .where('objectId', '=', user.id)
      .execute();
    expect(audit.length).toBe(1);
    expect(JSON.stringify(audit)).not.toMatch(/argon2|Engine-1843/);
  });

  it.each([
    ['email', { email: 'nobody' }],
    ['email', { email: '' }],
    ['email', { email: null }],
    ['email', { email: `${'a'.repeat(250)}@example.com` }],
    ['email', { email: undefined }],
    ['password', { password: 'Sho-rt1' }],
    ['password', { password: `A1-${'x'.repeat(70)}` }],
    ['password', { password: 'no-capital-1' }],
    ['password', { password: 'NoSpecial123' }],
    ['password', { password: 'No-Digit-here' }],
    ['username', { username: '' }],
    ['internalId', { internalId: '' }],
    ['externalId', { internalId: 'a', externalId: 'b' }],
    ['billingDetails.countryCode', { billingDetails: { countryCode: 'ZZ' } }],
    ['billingDetails.countryCode', { billingDetails: { countryCode: 'DEU' } }],
    ['billingDetails.type', { billingDetails: { type: 'club' } }],
    ['billingDetails', { billingDetails: { zip: '1' } }],
    ...['US', 'CA', 'UA', 'IN'].map((countryCode): [string, Record<string, unknown>] => [
      'billingDetails.postalCode',
      { billingDetails: { countryCode } },
    ]),
    ['paymentData.sandboxCustomerId', { paymentData: { sandboxCustomerId: 'card_4111111111111111' } }],
    ['paymentData.sandboxCustomerId', { paymentData: { sandboxCustomerId: '4242424242424242' } }],
    ['paymentData', { paymentData: { squareCustomerId: 'x' } }],
    ['passwordHash', { passwordHash: 'x' }],
  ])('refuses a wrong %s: %j', async (path, fields) => {
    const { status, body, text } = await app.test.post(CREATE, { email: newEmail(), ...fields });
    expect(status, text).toBe(400);
    expect(body.error.code).toBe('invalid_input');
    expect(body.error.details.map((issue: { path: string }) => issue.path).join()).toContain(path);
    expect(text).not.toContain('4111111111111111');
  });

  it('takes a country without a postal code elsewhere, and XK', async () => {
    expect(await make({ billingDetails: { countryCode: 'XK' } })).toMatchObject({
      details: { ...noDetails, countryCode: 'XK' },
    });
  });

  it('needs the secret key', async () => {
    const body = { email: newEmail() };
    await expectRefusal(app.test.post(CREATE, body, { keys: 'public' }), 401, 'secret_key_required');
    await expectRefusal(app.test.get('/v0/users/list', { keys: 'none' }), 401, 'unauthorized');
  });
});

describe('an e-mail', () => {
  it('has one user of a store, whatever its case, and another of every other store', async () => {
    const { email } = await make({ email: 'Taken@Example.com' });
    expect(email).toBe('Taken@Example.com');
    await expectRefusal(app.test.post(CREATE, { email: ' taken@EXAMPLE.com' }), 409, 'email_taken');
    for (const store of [app.live, app.other]) {
      expect((await store.post(CREATE, { email: 'taken@example.com' })).status).toBe(200);
    }
    const other = await make();
    const update = `/v0/users/${other.id}/update`;
    await expectRefusal(app.test.patch(update, { email: 'TAKEN@example.com' }), 409, 'email_taken');
    expect(await change(other.id, { email: other.email.toUpperCase() })).toMatchObject({
      email: other.email.toUpperCase(),
    });
  });

  it('goes to one of twenty who ask for it at once', async () => {
    const email = newEmail();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        app.test.post(CREATE, { email: n % 2 ? email : email.toUpperCase() }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
  });

  it('of a user that the API made is the buyer of a later purchase, and the reverse', async () => {
    const offerId = await makeOffer(app.test);
    const user = await make({ username: 'buyer' });
    const bought = await buy(app.test, { offersIds: [offerId], userEmail: user.email.toUpperCase() });
    expect(bought.body.data.order).toMatchObject({ userId: user.id, user: { username: 'buyer' } });
    await buy(app.test, { offersIds: [offerId], userEmail: 'First@Purchase.example' });
    const again = app.test.post(CREATE, { email: 'first@purchase.example' });
    await expectRefusal(again, 409, 'email_taken');
  });
});

describe('changing a user', () => {
  it('leaves what is missing as it is, within the blocks too, and null unsets', async () => {
    const user = await make({
      username: 'ada',
      internalId: 'crm-2',
      password: 'Engine-1843',
      billingDetails,
    });
    const before = await readRow(user.id);
    expect(await change(user.id, {})).toEqual({ ...user, version: 2 });
    const changed = await change(user.id, {
      id: user.id,
      username: null,
      externalId: null,
      billingDetails: { companyName: null, city: 'Leeds' },
    });
    expect(changed).toEqual({
      ...user,
      username: null,
      internalId: null,
      details: { ...user.details, companyName: null, city: 'Leeds' },
      version: 3,
    });
    expect((await readRow(user.id)).passwordHash).toBe(before.passwordHash);
    await change(user.id, { password: 'Another-1843' });
    expect(await verify((await readRow(user.id)).passwordHash ?? '', 'Another-1843')).toBe(true);
    await change(user.id, { password: null });
    expect((await readRow(user.id)).passwordHash).toBeNull();
  });

  it('takes the e-mail away with null, and frees it for another', async () => {
    const user = await make();
    expect(await change(user.id, { email: null })).toMatchObject({ email: null });
    const next = await make({ email: user.email });
    expect(next.id).not.toBe(user.id);
    const both = await Promise.all([make(), make()]);
    for (const { id } of both) await change(id, { email: null });
  });

  it('checks the address as a whole', async () => {
    const user = await make({ billingDetails: { countryCode: 'DE', postalCode: '10115' } });
    const path = `/v0/users/${user.id}/update`;
    expect(await change(user.id, { billingDetails: { countryCode: 'US' } })).toMatchObject({
      details: { countryCode: 'US', postalCode: '10115' },
    });
    const without = { billingDetails: { postalCode: null } };
    await expectRefusal(app.test.patch(path, without), 400, 'invalid_input');
    await expectRefusal(app.test.patch(path, { billingDetails: null }), 400, 'invalid_input');
    await expectRefusal(app.test.patch(path, { password: 'weak' }), 400, 'invalid_input');
    await expectRefusal(app.test.patch(path, { id: randomUUID() }), 400, 'invalid_input');
  });

  it('of two changes at once loses neither', async () => {
    const user = await make();
    await Promise.all(
      ['city', 'state', 'address', 'lastName'].map((name) =>
        change(user.id, { billingDetails: { [name]: name } }),
      ),
    );
    const { body } = await app.test.get(`/v0/users/${user.id}`);
    expect(body.data.user.details).toMatchObject({
      city: 'city',
      state: 'state',
      address: 'address',
      lastName: 'lastName',
    });
  });

  it('keeps what a user bought as it was', async () => {
    const offerId = await makeOffer(app.test);
    const user = await make();
    const { order } = (await buy(app.test, { offersIds: [offerId], userEmail: user.email })).body.data;
    await change(user.id, { billingDetails: { countryCode: 'HU' } });
    expect((await app.test.get(`/v0/orders/${order.id}`)).body.data.order).toMatchObject({
      country: 'DE',
      value: order.value,
      tax: order.tax,
    });
  });

  it('is 404 for an unknown id, and for one of another store', async () => {
    const user = await make();
    for (const store of [app.live, app.other]) {
      await expectRefusal(store.get(`/v0/users/${user.id}`), 404, 'not_found');
      await expectRefusal(store.patch(`/v0/users/${user.id}/update`, { username: 'x' }), 404, 'not_found');
      await expectRefusal(store.patch(`/v0/users/${user.id}/archive`), 404, 'not_found');
      await expectRefusal(store.get(`/v0/users/${user.id}/inventory`), 404, 'not_found');
    }
    await expectRefusal(app.test.get(`/v0/users/${randomUUID()}`), 404, 'not_found');
  });
});

describe('a sandbox card as a customer', () => {
  const methodOf = (userId: string) => findDefaultPaymentMethod(app.service.db, app.test.scope, userId);
  const customer = (number: string) => ({ paymentData: { sandboxCustomerId: `card_${number}` } });

  it('is the user’s payment method; a new one takes its place, and the first can be chosen again', async () => {
    const user = await make(customer('4242424242424242'));
    expect(user.paymentData.sandboxCustomerId).toBe('card_visa_4242');
    const visa = await methodOf(user.id);
    expect(visa).toMatchObject({
      processor: 'sandbox',
      reference: 'card_visa',
      details: { type: 'card', brand: 'visa', last4: '4242' },
    });
    await change(user.id, customer('5555555555554444'));
    expect(await methodOf(user.id)).toMatchObject({ details: { brand: 'mastercard', last4: '4444' } });
    await change(user.id, { ...customer('4242424242424242'), username: 'again' });
    expect(await methodOf(user.id)).toMatchObject({ id: visa?.id });
    await change(user.id, { paymentData: { sandboxCustomerId: null } });
    expect(await methodOf(user.id)).toMatchObject({ id: visa?.id });
  });

  it('T40 is shown without its digits, and gives no card when what was shown is sent back', async () => {
    const user = await make(customer('4242424242424242'));
    const before = await methodOf(user.id);
    const planId = await makePlanOffer(app.test);
    const bought = await buy(app.test, {
      offersIds: [planId],
      userEmail: user.email,
      card: '378282246310005',
    });
    const { subscription } = bought.body.data;
    const { paymentData } = (await app.test.get(`/v0/users/${user.id}`)).body.data.user;
    const again = await change(user.id, { username: 'renamed', paymentData });
    expect(again.paymentData).toEqual(paymentData);
    expect(await methodOf(user.id)).toEqual(before);
    const shown = await app.test.get(`/v0/subscriptions/${subscription.id}`);
    expect(shown.body.data.subscription.paymentMethod).toMatchObject({ last4: '0005' });
    // Of another user it is a card as good as its number.
    const other = await make({ paymentData });
    expect(await methodOf(other.id)).toMatchObject({ reference: 'card_visa' });
  });

  it('T40 is rewritten where its digits were stored before', async () => {
    const user = await make(customer('6011111111111117'));
    const { pool } = app.service;
    const digits = '{"sandboxCustomerId": "card_6011111111111117:apple_pay"}';
    await pool.query('update users set payment_data = $1 where id = $2', [digits, user.id]);
    const kept = '{"user":{"paymentData":{"sandboxCustomerId":"card_378282246310005"}}}';
    await app.test.post(CREATE, { email: newEmail() }, { headers: { 'idempotency-key': 'kept' } });
    await pool.query('update idempotency_keys set response = $1 where key = $2', [kept, 'kept']);
    const file = new URL('../db/migrations/0035_cards_without_digits.sql', import.meta.url);
    await pool.query(await readFile(file, 'utf8'));
    const { rows } = await pool.query('select payment_data from users where id = $1', [user.id]);
    expect(rows[0].payment_data).toEqual({ sandboxCustomerId: 'card_discover_1117:apple_pay' });
    const { rows: answers } = await pool.query('select response from idempotency_keys where key = $1', [
      'kept',
    ]);
    expect(answers[0].response).toBe('{"user":{"paymentData":{"sandboxCustomerId":"card_amex_0005"}}}');
  });

  it('is refused in live mode, where no such processor is', async () => {
    const live = app.live.post(CREATE, { email: newEmail(), ...customer('4242424242424242') });
    await expectRefusal(live, 400, 'invalid_input');
    const { body } = await app.live.post(CREATE, {
      email: newEmail(),
      paymentData: { stripeCustomerId: 'cus_1', sandboxCustomerId: null },
    });
    expect(body.data.user.paymentData.stripeCustomerId).toBe('cus_1');
  });

  it('leaves its number in no event and no audit row', async () => {
    const user = await make(customer('4242424242424242'));
    const offersIds = [await makeOffer(app.test)];
    const { order } = (await buy(app.test, { offersIds, userEmail: user.email })).body.data;
    const told = await listTold(app, order.id);
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]?.body).toMatchObject({ data: { customer: { id: user.id, email: user.email } } });
    const audit = await app.service.db.selectFrom('auditLog').selectAll().execute();
    expect(JSON.stringify([told, audit])).not.toContain('4242424242424242');
  });
});
