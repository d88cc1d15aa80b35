/** Payments that wait: how often somebody who has a link may try one, and how many orders may wait at once. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OPEN_ORDERS_BY_ADDRESS_MAX, OPEN_ORDERS_BY_EMAIL_MAX } from '../../src/domain/limits.ts';
import { toCardPath } from '../../src/flows/dunning/card-link.ts';
import { authenticate, buy, card, VISA } from '../support/buying.ts';
import { AUTHENTICATES, DECLINED, PAYS_ONCE, UNKNOWN_FIRST } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import {
  asStranger,
  expectTooMany,
  HOUR_S,
  LIMITED,
  newAddress,
  newEmail,
  type Sent,
} from '../support/stranger.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
/** Another process over the same store. */
let beside: FastifyInstance;
let offerId: string;
beforeAll(async () => {
  app = await createTestApp(LIMITED);
  beside = await app.startBeside();
  offerId = await makeOffer(app.test);
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});
beforeEach(async () => {
  await app.service.db.deleteFrom('limitCounters').execute();
});

const { post, open, submit } = asStranger(() => ({ app: app.app, offerId }));

describe('tries on an owed payment', () => {
  /** A subscription that owes a period, and the page of that payment. */
  async function owe(): Promise<string> {
    const planId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
    const { body } = await buy(app.test, { offersIds: [planId], card: PAYS_ONCE, userEmail: newEmail() });
    await advance(app, app.test.scope, 8 * DAY_MS);
    const owed = await app.test.get(`/v0/payments/${body.data.order.number}-1`);
    return new URL(owed.body.data.payment.payUrl).pathname.replace('/pay/', '/payment-pages/');
  }
  const press = (page: string, number = DECLINED) => post(`${page}/pay`, { card: card(number) });
  const hourLater = async () => {
    const rows = await app.service.db.selectFrom('limitCounters').selectAll().execute();
    for (const { kind, subject, countedAt } of rows) {
      const moved = { countedAt: countedAt.map((moment) => Number(moment) - HOUR_S * 1000) };
      const row = app.service.db.updateTable('limitCounters').set(moved);
      await row.where('kind', '=', kind).where('subject', '=', subject).execute();
    }
  };

  test('Y11 row 8: its link tries three times in an hour and ten times in all', async () => {
    const page = await owe();
    const tries: number[] = [];
    for (let hour = 0; hour < 4; hour += 1) {
      let count = 0;
      for (; count < 5; count += 1) {
        const answer = await press(page);
        if (answer.status === 200) continue;
        expectTooMany(answer, 'rate_limited', { withinS: 366 * 24 * HOUR_S });
        break;
      }
      tries.push(count);
      await hourLater();
    }
    expect(tries).toEqual([3, 3, 3, 1]);
    const refused = await press(page, VISA);
    expect(refused.status).toBe(429);
    expect(refused.retryAfterS).toBeGreaterThan(24 * HOUR_S);
  });
});

describe('tries on a declined order by its link', () => {
  const toPage = (payUrl: string) => new URL(payUrl).pathname.replace('/pay/', '/payment-pages/');
  const press = (page: string, number = DECLINED, sent: Sent = {}) =>
    post(`${page}/pay`, { card: card(number) }, sent);
  /** As a checkout has made it, over the API. */
  const decline = async (userEmail = newEmail()) => {
    const { body } = await buy(app.test, { offersIds: [offerId], card: DECLINED, userEmail });
    return toPage(body.data.payment.payUrl);
  };
  /** As the API has made it, of a stored card and without a checkout. */
  const declineStored = async (email = newEmail()) => {
    const paymentData = { sandboxCustomerId: `card_${DECLINED}` };
    const billingDetails = { countryCode: 'DE' };
    const made = await app.test.post('/v0/users/create', { email, billingDetails, paymentData });
    const planId = await makePlanOffer(app.test, { price: 500 });
    const { id: userId } = made.body.data.user;
    const { body, text } = await app.test.post('/v0/subscriptions/create', { userId, offerId: planId });
    expect(body.data?.order?.status, text).toBe('FAILED');
    return toPage(body.data.payment.payUrl);
  };
  const countOf = async (kind: string) => {
    const rows = await app.service.db.selectFrom('limitCounters').selectAll().execute();
    return rows.filter((row) => row.kind === kind).map(({ countedAt }) => countedAt.length);
  };

  test.each([
    ['a checkout', decline],
    ['the API alone', declineStored],
  ])(
    'Y11 rows 4 and 8: one of %s is tried three times in an hour, and its declines count',
    async (_of, make) => {
      const page = await make();
      const from = newAddress();
      for (let count = 0; count < 3; count += 1) {
        const { body, status } = await press(page, DECLINED, { from });
        expect(body.data?.debt.status, `${status} ${JSON.stringify(body)}`).toBe('open');
      }
      expectTooMany(await press(page, VISA), 'rate_limited', { withinS: HOUR_S });
      expect(await countOf('decline_by_address')).toEqual([3]);
      expect(await countOf('decline_by_email')).toEqual([3]);
      for (let count = 3; count < 10; count += 1) await press(await make(), DECLINED, { from });
      expectTooMany(await press(await make(), VISA, { from }), 'too_many_declines', { withinS: HOUR_S });
    },
  );

  test('Y11 row 4: an e-mail whose cards were declined ten times pays no order, no debt and gives no card', async () => {
    const email = newEmail();
    const pages = [await declineStored(email), await decline(email)];
    const { id } = await subscribe(app, await makePlanOffer(app.test), { userEmail: email });
    const path = await toCardPath(app.service, app.test.scope, id);
    const cards = path.replace('/card/', '/card-pages/');
    const give = (number: string) => post(`${cards}/give`, { card: card(number) });
    for (let count = 1; count <= 3; count += 1) {
      expect((await give(DECLINED)).body.data.card.failure).toMatchObject({ reason: 'card_declined' });
      expect(await countOf('decline_by_email')).toEqual([count]);
    }
    for (let count = 3; count < 10; count += 1) await submit(await open(), { email });
    expect(await countOf('decline_by_email')).toEqual([10]);
    for (const page of pages)
      expectTooMany(await press(page, VISA), 'too_many_declines', { withinS: HOUR_S });
    expectTooMany(await give(VISA), 'too_many_declines', { withinS: HOUR_S });
  });
});

describe('orders that wait for their payment', () => {
  const wait = async (fields: object, sent: Sent = {}) =>
    submit(await open(null, sent), { card: card(AUTHENTICATES), ...fields }, sent);
  const cancel = (orderId: string) => app.test.patch(`/v0/orders/${orderId}/cancel`);
  const listWaiting = async () =>
    (
      await app.service.db
        .selectFrom('orders')
        .select(['id', 'userId'])
        .where('status', '=', 'PENDING')
        .where('openedBy', 'is not', null)
        .execute()
    ).map(({ id }) => id);
  const settleAll = async () => {
    for (const id of await listWaiting()) await cancel(id);
  };

  test('Y11 row 9: an e-mail has three, also while their buyer is to authenticate, and one less makes room', async () => {
    const email = newEmail();
    const tries = Array.from({ length: OPEN_ORDERS_BY_EMAIL_MAX + 4 }, (_, index) =>
      wait({ email: index % 2 ? email : email.toUpperCase() }, { by: index % 2 ? beside : app.app }),
    );
    const answers = await Promise.all(tries);
    const opened = answers.filter(({ status }) => status === 200);
    expect(opened).toHaveLength(OPEN_ORDERS_BY_EMAIL_MAX);
    for (const refused of answers.filter(({ status }) => status !== 200))
      expectTooMany(refused, 'too_many_open_orders', { withinS: 60 });
    const [first] = opened;
    await authenticate(app, first?.body.data.checkout.action.url, 'approve');
    const [, token] = /session=([^&]+)/.exec(first?.body.data.checkout.action.url) ?? [];
    await post(`/checkout-sessions/${token}/confirm`, {});
    expect((await wait({ email })).status).toBe(200);
    await settleAll();
  });

  test('Y11 row 9: an address has twenty, however many come at once', async () => {
    const from = newAddress();
    const answers = await Promise.all(
      Array.from({ length: OPEN_ORDERS_BY_ADDRESS_MAX + 6 }, async (_, index) => {
        const by = index % 2 ? beside : app.app;
        // Those that are being asked for count as declined until the bank says what it wants.
        for (let tries = 0; ; tries += 1) {
          const answer = await wait({}, { from, by });
          if (answer.body.error?.code !== 'too_many_declines' || tries > 50) return answer;
        }
      }),
    );
    const opened = answers.filter(({ status }) => status === 200);
    expect(opened).toHaveLength(OPEN_ORDERS_BY_ADDRESS_MAX);
    for (const refused of answers.filter(({ status }) => status !== 200))
      expectTooMany(refused, 'too_many_open_orders', { withinS: 60 });
    expect((await wait({})).status).toBe(200);
    await settleAll();
  });

  test('Y11 rows 9 and 10: transfers by hand count, and no address is mailed more than five times an hour of them', async () => {
    const bank = { kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000', holder: 'Muster GmbH' };
    expect((await app.test.post('/v0/processors/connect', bank)).status).toBe(200);
    const euroId = await makeOffer(app.test, { currency: 'EUR' });
    const email = newEmail();
    const transfer = async (from = newAddress()) =>
      submit(
        await open(euroId, { from }),
        { email, card: undefined, payment: { option: 'transfer' } },
        { from },
      );
    for (let count = 0; count < OPEN_ORDERS_BY_EMAIL_MAX; count += 1)
      expect((await transfer()).body.data.checkout.status).toBe('processing');
    expectTooMany(await transfer(), 'too_many_open_orders', { withinS: 60 });
    for (let count = 0; count < 3; count += 1) {
      await settleAll();
      expect((await transfer()).status).toBe(200);
    }
    const { rows } = await app.service.pool.query(
      "select held_back from mails where kind = 'transfer_awaited' order by written_real_ms, id",
    );
    expect(rows.map(({ held_back: isHeld }) => isHeld)).toEqual([...Array(5).fill(false), true]);
    await settleAll();
  });

  test('Y11 row 9: an outcome that is not known counts; orders of the merchant’s (Y12) do not', async () => {
    const email = newEmail();
    for (let count = 0; count < OPEN_ORDERS_BY_EMAIL_MAX + 1; count += 1) {
      await buy(app.test, { offersIds: [offerId], card: AUTHENTICATES, userEmail: email });
    }
    for (let count = 0; count < OPEN_ORDERS_BY_EMAIL_MAX; count += 1) {
      const { status, body } = await wait({ email, card: card(UNKNOWN_FIRST) });
      expect({ status, checkout: body.data?.checkout.status }).toEqual({
        status: 200,
        checkout: 'processing',
      });
    }
    expectTooMany(await wait({ email, card: card(VISA) }), 'too_many_open_orders', { withinS: 60 });
    const answer = await buy(app.test, { offersIds: [offerId], userEmail: email });
    expect(answer.body.data.order.status).toBe('PAID');
    // A bank that has taken the order and pays in days keeps nobody from buying.
    const [waiting = ''] = await listWaiting();
    await app.service.pool.query(
      `update charges set payment_method = '{"type": "bank_transfer"}' where status = 'pending'
         and payment_id = (select last_payment_id from orders where id = $1)`,
      [waiting],
    );
    expect((await wait({ email, card: card(UNKNOWN_FIRST) })).status).toBe(200);
    await settleAll();
  });
});

describe('a mode without limits', () => {
  test('Y13 counts nothing and refuses nothing', async () => {
    const free = await createTestApp();
    const offer = await makeOffer(free.test);
    const { open, submit } = asStranger(() => ({ app: free.app, offerId: offer }));
    const email = newEmail();
    for (let count = 0; count < 12; count += 1) {
      const typed = { email, card: card(count % 2 ? DECLINED : AUTHENTICATES) };
      expect((await submit(await open(), typed)).status).toBe(200);
    }
    expect(await free.service.db.selectFrom('limitCounters').selectAll().execute()).toEqual([]);
    await free.close();
  });
});
