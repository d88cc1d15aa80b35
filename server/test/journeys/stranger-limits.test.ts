/** What somebody without the secret key may do often: played as the attacker who does it more often than that. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '../../src/domain/limits.ts';
import { authenticate, buy, card, VISA } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED } from '../support/cards.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import {
  type Answered,
  asStranger,
  expectTooMany,
  HOUR_S,
  LIMITED,
  newAddress,
  newEmail,
} from '../support/stranger.ts';

let app: TestApp;
/** Another process over the same store. */
let beside: FastifyInstance;
let offerId: string;
let giftId: string;
beforeAll(async () => {
  // Two processes, each with its share of what the store of the tests has for all files.
  app = await createTestApp({ ...LIMITED, DATABASE_CONNECTIONS_MAX: '10' });
  beside = await app.startBeside();
  offerId = await makeOffer(app.test);
  giftId = await makeOffer(app.test, {
    productId: await makeProduct(app.test, { name: 'Gift' }),
    ...{ price: 0, freeProduct: true },
  });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});
beforeEach(async () => {
  await app.service.db.deleteFrom('limitCounters').execute();
});

const { get, post, open, submit, quote } = asStranger(() => ({ app: app.app, offerId }));

const expectDeclined = ({ status, body }: Answered) =>
  expect({ status, shown: body.data?.checkout.lastError?.code }).toEqual({
    status: 200,
    shown: 'card_declined',
  });

async function countRows(table: 'orders' | 'checkoutSessions' | 'limitCounters'): Promise<number> {
  const { n } = await app.service.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

describe('declined charges', () => {
  const { max } = LIMITS.decline_by_session;

  test('Y11 row 4: a session may be declined five times, from whatever addresses and for whatever e-mails', async () => {
    const page = await open();
    for (let count = 0; count < max; count += 1) {
      expectDeclined(await submit(page, {}, { by: count % 2 ? beside : app.app }));
    }
    const refused = await submit(page, { card: card(VISA) }, { by: beside });
    expectTooMany(refused, 'too_many_declines', { withinS: 900 });
    expect(refused.body.error.message).toMatch(/declined/);
    // Another checkout goes on, and pays.
    const { body } = await submit(await open(), { card: card(VISA) });
    expect(body.data.checkout.status).toBe('paid');
  });

  test('Y11 row 4: an address is declined ten times in all its sessions, however many it sends at once', async () => {
    const from = newAddress();
    const tries = Array.from({ length: 24 }, async (_, index) => {
      const by = index % 2 ? beside : app.app;
      return submit(await open(offerId, { from }), {}, { from, by });
    });
    const answers = await Promise.all(tries);
    const declined = answers.filter(({ status }) => status === 200).length;
    expect(declined).toBeGreaterThan(0);
    expect(declined).toBeLessThanOrEqual(LIMITS.decline_by_address.max);
    for (let count = declined; count < LIMITS.decline_by_address.max; count += 1) {
      expectDeclined(await submit(await open(offerId, { from }), {}, { from }));
    }
    const refused = await submit(await open(offerId, { from }), { card: card(VISA) }, { from });
    expectTooMany(refused, 'too_many_declines', { withinS: HOUR_S });
  });

  test('Y11 row 4: of an IPv6 network all addresses are one', async () => {
    for (let count = 0; count < LIMITS.decline_by_address.max; count += 1) {
      await submit(await open(), {}, { from: `2001:db8:1:2::${count + 1}` });
    }
    const refused = await submit(await open(), {}, { from: '2001:db8:1:2:ffff::1' });
    expectTooMany(refused, 'too_many_declines', { withinS: HOUR_S });
    expectDeclined(await submit(await open(), {}, { from: '2001:db8:1:3::1' }));
  });

  test('Y11 row 4: an e-mail is declined ten times, however it is written', async () => {
    const email = newEmail();
    for (let count = 0; count < LIMITS.decline_by_email.max; count += 1) {
      expectDeclined(await submit(await open(), { email: count % 2 ? email : email.toUpperCase() }));
    }
    expectTooMany(await submit(await open(), { email, card: card(VISA) }), 'too_many_declines', {
      withinS: HOUR_S,
    });
  });

  test('Y11 row 4: an authentication that fails counts, and what the merchant tries with the secret key does not', async () => {
    const page = await open();
    for (let count = 0; count < max; count += 1) {
      const { body } = await submit(page, { card: card(AUTHENTICATES) });
      await authenticate(app, body.data.checkout.action.url, 'reject');
      await post(`${page}/confirm`, {});
    }
    expectTooMany(await submit(page, { card: card(VISA) }), 'too_many_declines', { withinS: 900 });
    await app.service.db.deleteFrom('limitCounters').execute();
    const email = newEmail();
    for (let count = 0; count <= LIMITS.decline_by_email.max; count += 1) {
      const answer = await buy(app.test, { offersIds: [offerId], card: DECLINED, userEmail: email });
      expect({ status: answer.status, order: answer.body.data.order.status }).toEqual({
        status: 200,
        order: 'FAILED',
      });
    }
    expect(await countRows('limitCounters')).toBe(0);
    expectDeclined(await submit(await open(), { email }));
  });

  test('Y11 row 4: a purchase that succeeds writes no counter but that of its session', async () => {
    const { body } = await submit(await open(), { card: card(VISA) });
    expect(body.data.checkout.status).toBe('paid');
    const rows = await app.service.db.selectFrom('limitCounters').select('kind').execute();
    expect(rows).toEqual([{ kind: 'session_by_address' }]);
  });
});

describe('unknown codes', () => {
  const { max } = LIMITS.unknown_code_by_session;

  test('Y11 row 5: a session may guess ten, then not even a code that exists is answered', async () => {
    const code = `REAL${Date.now()}`;
    await app.test.post('/v0/discounts/create', {
      ...{ type: 'code', discountCode: code, amount: 10, amountType: 'percentage' },
    });
    const page = await open();
    for (let count = 0; count < max; count += 1) {
      const by = count % 2 ? beside : app.app;
      const guessed = { discountCode: `GUESS${count}` };
      const answer =
        count < max - 2 ? await quote(page, guessed, { by }) : await submit(page, guessed, { by });
      const code = answer.body.data?.quote.codeError.code ?? answer.body.error.code;
      expect(code).toBe('discount_code_unknown');
    }
    expectTooMany(await quote(page, { discountCode: code }), 'too_many_codes', { withinS: HOUR_S });
    expectTooMany(await submit(page, { discountCode: code }), 'too_many_codes', { withinS: HOUR_S });
    // Without a code the purchase goes on, and in another session the code is taken.
    expect((await quote(page, {})).status).toBe(200);
    expect((await quote(await open(), { discountCode: code })).body.data.quote.discount).toBeGreaterThan(0);
  });

  test('Y11 row 5: an address may guess thirty in all places where a code can be typed', async () => {
    const from = newAddress();
    const keys = { 'x-svc-public-key': app.test.keys.publicKey, 'x-forwarded-for': from };
    const ask = (discountCode: string) =>
      app.test.request('POST', '/v0/tax/calculate', {
        ...{ keys: 'none', headers: keys },
        body: { offerId, customer: { countryCode: 'DE' }, discountCode },
      });
    const third = LIMITS.unknown_code_by_address.max / 3;
    for (let count = 0; count < third; count += 1) {
      expect((await ask(`TAX${count}`)).body.error.code).toBe('discount_code_unknown');
      const linked = await open(offerId, { from });
      const token = linked.split('/').at(-1);
      const look = `/checkout/${offerId}/checkout/${token}?svc-discount-code=LINK${count}`;
      expect((await get(look, { from })).text).toContain('discount_code_unknown');
      const answer = await quote(await open(), { discountCode: `PAGE${count}` }, { from });
      expect(answer.body.data.quote.codeError.code).toBe('discount_code_unknown');
    }
    const refused = await ask('ONE-MORE');
    expect({ status: refused.status, code: refused.body.error.code }).toEqual({
      status: 429,
      code: 'too_many_codes',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expectTooMany(await quote(await open(), { discountCode: 'ONE-MORE' }, { from }), 'too_many_codes', {
      withinS: HOUR_S,
    });
    // A link opens all the same, and says nothing of its code.
    const token = (await open(offerId, { from })).split('/').at(-1);
    const look = `/checkout/${offerId}/checkout/${token}?svc-discount-code=ONE-MORE`;
    const page = await get(look, { from });
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('discount_code_unknown');
  });

  test('Y11 row 5: the preview of a change guesses as well, and Y12 never with the secret key', async () => {
    const planId = await makePlanOffer(app.test);
    const { body } = await buy(app.test, { offersIds: [planId], userEmail: newEmail() });
    const path = `/v0/subscriptions/${body.data.subscription.id}/preview-update`;
    const guess = (count: number, keys: 'public' | 'secret') =>
      app.test.request('POST', path, { keys, body: { discountCode: `PRE${count}` } });
    const { max: most } = LIMITS.unknown_code_by_address;
    for (let count = 0; count <= most; count += 1) {
      expect((await guess(count, 'secret')).body.error.code).toBe('discount_code_unknown');
    }
    for (let count = 0; count < most; count += 1) {
      expect((await guess(count, 'public')).body.error.code).toBe('discount_code_unknown');
    }
    expect((await guess(most, 'public')).body.error.code).toBe('too_many_codes');
  });

  test('Y11 row 5: a code that stays in the form is one guess, however often the price is asked', async () => {
    const page = await open();
    for (let count = 0; count < 2 * max; count += 1) {
      const answer = await quote(page, { discountCode: count % 2 ? 'TYPO' : 'typo' });
      expect(answer.body.data.quote.codeError.code).toBe('discount_code_unknown');
    }
  });
});

describe('sessions', () => {
  test('Y11 row 6: an address makes sixty in ten minutes, and pages that are only opened make none', async () => {
    const from = newAddress();
    const { max } = LIMITS.session_by_address;
    const before = await countRows('checkoutSessions');
    const pages = await Promise.all(Array.from({ length: max + 10 }, () => open(offerId, { from })));
    expect(await countRows('limitCounters')).toBe(0);
    const answers = await Promise.all(
      pages.map((page, index) => quote(page, {}, { from, by: index % 2 ? beside : app.app })),
    );
    // Side by side, so that another refusal shows what it was.
    const others = answers.filter(({ status }) => status !== 200 && status !== 429);
    expect(others.map(({ status, body }) => [status, body])).toEqual([]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(max);
    expect(await countRows('checkoutSessions')).toBe(before + max);
    const refused = answers.find(({ status }) => status === 429);
    if (refused) expectTooMany(refused, 'rate_limited', { withinS: 600 });
    expectTooMany(await submit(await open(), {}, { from }), 'rate_limited', { withinS: 600 });
    expect((await quote(await open(), {})).status).toBe(200);
    // What is there goes on.
    const [madePage = ''] = pages.filter((_, index) => answers[index]?.status === 200);
    expect((await quote(madePage, {}, { from })).status).toBe(200);
  });

  test('Y11 row 6: what counts is the session, however many first calls its page makes at once', async () => {
    const from = newAddress();
    const { max } = LIMITS.session_by_address;
    const page = await open();
    const calls = Array.from({ length: max + 10 }, (_, index) =>
      quote(page, {}, { from, by: index % 2 ? beside : app.app }),
    );
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await quote(await open(), {}, { from })).status).toBe(200);
  });
});

describe('free claims', () => {
  test('Y11 row 7: an address claims twenty in an hour, and the one too many leaves nothing behind', async () => {
    const from = newAddress();
    const { max } = LIMITS.free_claim_by_address;
    const answers: Answered[] = [];
    for (let count = 0; count <= max; count += 1) {
      const page = await open(giftId, { from });
      answers.push(await submit(page, { card: undefined }, { from, by: count % 2 ? beside : app.app }));
    }
    const refused = answers.pop();
    for (const { body } of answers) expect(body.data.checkout.status).toBe('paid');
    if (refused) expectTooMany(refused, 'rate_limited', { withinS: HOUR_S });
    const orders = await countRows('orders');
    const email = newEmail();
    await submit(await open(giftId, { from }), { card: undefined, email }, { from });
    expect(await countRows('orders')).toBe(orders);
    const users = await app.service.db.selectFrom('users').select('id').where('email', '=', email).execute();
    expect(users).toEqual([]);
  });
});

describe('statements', () => {
  test('an address makes ten in an hour, withdrawals and cancellations together, at whatever process', async () => {
    const from = newAddress();
    const { max } = LIMITS.statement_by_address;
    // A shop with subscriptions has the page to cancel them.
    await makePlanOffer(app.test);
    const { portalSlug: store } = (await app.test.get('/v0/settings')).body.data.settings;
    const state = (count: number, address: string) => {
      const stated = { store, testMode: true, name: 'Ada', email: newEmail() };
      const sent = { from: address, by: count % 2 ? beside : app.app };
      return count % 2
        ? post('/v0/portal/withdrawals', { ...stated, orderNumber: 'NONE' }, sent)
        : post(
            '/v0/portal/cancellation-notices',
            { ...stated, type: 'ordinary', contractNumber: 'NONE' },
            sent,
          );
    };
    for (let count = 0; count < max; count += 1) expect((await state(count, from)).status).toBe(200);
    for (const count of [max, max + 1])
      expectTooMany(await state(count, from), 'rate_limited', { withinS: HOUR_S });
    expect((await state(max, newAddress())).status).toBe(200);
  });
});
