/** Each call to PayPal meets each fault once: nobody pays twice, and nothing that was taken is forgotten. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type OpenPage, openPage } from '../support/buying.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import {
  type PayPalAccount,
  type PayPalDouble,
  pressAtPayPal,
  startPayPalDouble,
} from '../support/paypal-double.ts';
import { LOST_ANSWERS } from '../support/processor-double.ts';

const ORDERS = '/v2/checkout/orders';
const CAPTURE = '/v2/checkout/orders/*/capture';
const CALLS = [
  { method: 'POST', path: ORDERS },
  { method: 'POST', path: CAPTURE },
  { method: 'GET', path: '/v2/checkout/orders/*' },
];
const FAULTS: readonly object[] = [...LOST_ANSWERS, { status: 429, code: 'RATE_LIMIT_REACHED' }];

let double: PayPalDouble;
let account: PayPalAccount;
let app: TestApp;
let planId: string;
let sold = 0;
beforeAll(async () => {
  double = await startPayPalDouble();
  await double.control('POST /events', { deliver: 'never' });
  // What is answered by 429 is asked again for as long as a call may take.
  app = await createTestApp({
    ...{ PAYPAL_SANDBOX_API_URL: double.apiUrl, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    ...{ PROCESSOR_TIMEOUT_MS: '3000', PROCESSOR_RATE: '0' },
  });
  account = await double.openAccount();
  const { clientId, clientSecret } = account;
  const connected = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'paypal', name: 'PayPal', credentials: { clientId, clientSecret } },
  });
  expect(connected.status, connected.text).toBe(200);
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  planId = await makePlanOffer(app.test, {
    ...{ currency: 'EUR', taxBehavior: 'inclusive', price: 900, recurringInterval: 'month' },
  });
});
afterEach(() => expectInvariants(app));
afterAll(async () => {
  await app?.close();
  await double?.close();
});

/** A purchase that is paid. */
async function purchase(): Promise<{ orderId: string; object: string }> {
  sold += 1;
  const page = await openPage(app, `/checkout/${planId}`);
  await press(page, `buyer${sold}@example.com`);
  const { receipt } = (await page.show()).body.data.checkout;
  const { order } = (await app.test.get(`/v0/orders/${receipt.orderNumber}`)).body.data;
  const { rows } = await app.service.pool.query<{ object: string }>(
    `select c.processor_id as object from charges c join payments p on p.id = c.payment_id
     where p.order_id = $1 and c.status = 'succeeded'`,
    [order.id],
  );
  return { orderId: String(order.id), object: rows[0]?.object ?? '' };
}

async function meeting<T>(faults: readonly object[], work: () => Promise<T>): Promise<T> {
  const ids: string[] = [];
  for (const fault of faults) ids.push((await double.control<{ id: string }>('POST /faults', fault)).id);
  try {
    return await work();
  } finally {
    for (const id of ids) await double.control(`DELETE /faults/${id}`);
  }
}

/** Whatever is answered: what was begun the buyer approves and comes back from. */
async function press(page: OpenPage, email: string): Promise<void> {
  const { status, body, text } = await page.submit({
    ...{ card: undefined, payment: { option: 'redirect' }, email },
  });
  expect(status, text).toBe(200);
  const url = body.data.checkout.action?.url;
  if (typeof url !== 'string') return;
  const back = new URL(await pressAtPayPal(url, 'approve'));
  const returned = await app.test.get(`${back.pathname}${back.search}`, { keys: 'none' });
  expect(returned.status).toBe(303);
}

const statusOf = async (page: OpenPage) => (await page.show()).body.data.checkout.status as string;

interface Sums {
  taken: number;
  refunded: number;
}

/** Both books name the same charges, with the same sums; nothing is open. */
async function compareBooks(): Promise<{ charges: number; periods: number }> {
  const { charges } = await double.control<{ charges: Record<string, Sums> }>(
    `GET /books?account=${account.id}`,
  );
  const { rows } = await app.service.pool.query<{ id: string; payment: string; type: string } & Sums>(
    `select c.id, p.id as payment, p.type, c.amount::int as taken, coalesce((select sum(r.amount)::int from refunds r
       where r.charge_id = c.id and r.status = 'succeeded' and r.reason <> 'dispute'), 0) as refunded
     from charges c join payments p on p.id = c.payment_id where c.status = 'succeeded'`,
  );
  const theirs = Object.entries(charges).filter(([, { taken }]) => taken > 0);
  expect(theirs.map(([id, { taken, refunded }]) => [id, taken, refunded]).sort()).toEqual(
    rows.map(({ id, taken, refunded }) => [id, taken, refunded]).sort(),
  );
  expect(new Set(rows.map(({ payment }) => payment)).size).toBe(rows.length);
  const open = await app.service.pool.query(
    `select id from charges where status = 'pending' union all select id from refunds where status = 'pending'`,
  );
  expect(open.rows).toEqual([]);
  return {
    charges: rows.length,
    periods: rows.filter(({ type }) => type === 'subscription_interval').length,
  };
}

/** When the last subscription renews, from now. */
async function findRenewedInMs(): Promise<number> {
  const { rows } = await app.service.pool.query<{ end: string }>(
    'select max(current_interval_end) as end from subscriptions',
  );
  const { testClock } = (await app.test.get('/v0/test-clock')).body.data;
  return Number(rows[0]?.end) - Number(testClock.now);
}

describe('P22 P44 one call over PayPal that goes wrong', () => {
  it.each(CALLS)('of a purchase ($method $path) is paid once, or may be paid again', async (call) => {
    const pages: Array<[OpenPage, string]> = [];
    for (const doing of FAULTS) {
      sold += 1;
      const bought: [OpenPage, string] = [
        await openPage(app, `/checkout/${planId}`),
        `buyer${sold}@example.com`,
      ];
      await meeting([{ match: { account: account.id, ...call }, do: doing, times: 1 }], () =>
        press(...bought),
      );
      pages.push(bought);
    }
    await advance(app, app.test.scope, 15 * MINUTE_MS);
    for (const [page, email] of pages) {
      if ((await statusOf(page)) !== 'paid') await press(page, email);
      expect(await statusOf(page)).toBe('paid');
    }
    expect((await compareBooks()).charges).toBe(sold);
  });

  it('of many renewals charges each period once', async () => {
    const faults = CALLS.flatMap((call) =>
      FAULTS.map((doing) => ({ match: { account: account.id, ...call, share: 0.04 }, do: doing })),
    );
    const { charges } = await compareBooks();
    // While calls go wrong each look asks again, after 1 min, 2, 4 and so on, for as long as a call may take: seven looks.
    await meeting(faults, async () =>
      advance(app, app.test.scope, (await findRenewedInMs()) + 70 * MINUTE_MS),
    );
    await advance(app, app.test.scope, DAY_MS);
    expect((await compareBooks()).periods).toBe(charges);
  });
});

const REFUND = { method: 'POST', path: '/v2/payments/captures/*/refund' };

const give = ({ orderId }: { orderId: string }) =>
  app.test.post(`/v0/orders/${orderId}/refunds`, { amount: 300 });
const statusesOf = async ({ orderId }: { orderId: string }) =>
  (await app.test.get(`/v0/refunds/list?orderId=${orderId}`)).body.data.refunds.map(
    ({ status }: { status: string }) => status,
  );

describe('P37 P44 a refund over PayPal whose calls go wrong', () => {
  it.each([REFUND, { method: 'GET', path: '/v2/checkout/orders/*' }])(
    'is made once ($method $path)',
    async (call) => {
      const bought: Array<{ orderId: string; object: string }> = [];
      for (const doing of FAULTS) {
        const one = await purchase();
        const { status, text } = await meeting(
          [{ match: { account: account.id, ...call }, do: doing, times: 1 }],
          () => give(one),
        );
        expect(status, text).toBe(200);
        bought.push(one);
      }
      await advance(app, app.test.scope, DAY_MS);
      for (const one of bought) expect(await statusesOf(one)).toEqual(['succeeded']);
      await compareBooks();
    },
  );
});

describe('P37 P44 a refund that PayPal refuses', () => {
  const refusing = (code: string) => ({
    match: { account: account.id, ...REFUND },
    do: { status: 422, code, effect: false },
  });

  it.each([
    ['CAPTURE_FULLY_REFUNDED', 'not_refundable'],
    ['TRANSACTION_DISPUTED', 'charge_disputed'],
    ['REFUND_FAILED_INSUFFICIENT_FUNDS', 'insufficient_funds'],
  ])('as %s has failed at once, and may be asked for anew', async (code, reason) => {
    const one = await purchase();
    const { body } = await meeting([refusing(code)], () => give(one));
    expect(body.data.refund.status).toBe('failed');
    const { rows } = await app.service.pool.query('select failure_reason from refunds where id = $1', [
      body.data.refund.id,
    ]);
    expect(rows).toEqual([{ failure_reason: reason }]);
    expect((await give(one)).body.data.refund.status).toBe('succeeded');
    await compareBooks();
  });

  it('because it was wrongly asked for waits until it is asked for rightly', async () => {
    const one = await purchase();
    await meeting([refusing('DECIMAL_PRECISION')], async () => {
      expect((await give(one)).body.data.refund.status).toBe('pending');
      await advance(app, app.test.scope, DAY_MS);
      expect(await statusesOf(one)).toEqual(['pending']);
    });
    await advance(app, app.test.scope, DAY_MS);
    expect(await statusesOf(one)).toEqual(['succeeded']);
    await compareBooks();
  });
});

describe('P40 P44 a dispute over PayPal whose looks go wrong', () => {
  const LOOKS = ['/v1/customer/disputes', '/v1/customer/disputes/*', '/v2/checkout/orders/*'];

  it.each(LOOKS)('is lost once, and takes what it is about (GET %s)', async (path) => {
    const disputed: Array<{ orderId: string }> = [];
    const paths = [{ account: account.id, method: 'GET', path }];
    const stagesOf = async ({ orderId }: { orderId: string }) =>
      (await app.test.get('/v0/disputes/list', { query: { orderId } })).body.data.disputes.map(
        ({ stage }: { stage: string }) => stage,
      );
    const read = async () => {
      await app.service.books.readStore(app.test.scope, { anew: true });
      await advance(app, app.test.scope, 1000);
    };
    for (const doing of FAULTS) {
      const one = await purchase();
      const faults = paths.map((match) => ({ match, do: doing, times: 1 }));
      await double.control(`POST /objects/${one.object}/dispute`, { stage: 'open' });
      await meeting(faults, read);
      await double.control(`POST /objects/${one.object}/dispute`, { stage: 'lost' });
      await meeting(faults, read);
      disputed.push(one);
    }
    await advance(app, app.test.scope, 2 * DAY_MS);
    for (const one of disputed) {
      expect(await stagesOf(one)).toEqual(['lost']);
      const { order } = (await app.test.get(`/v0/orders/${one.orderId}`)).body.data;
      expect(order).toMatchObject({ status: 'REFUNDED', refundedValue: 900 });
    }
  });
});

it('P37 P44 a refund over PayPal is not made again though PayPal has forgotten its key', async () => {
  const bought = await purchase();
  await meeting([{ match: { account: account.id, ...REFUND }, do: { drop: 'after' } }], () => give(bought));
  expect(await statusesOf(bought)).toEqual(['pending']);
  await double.control('POST /clock', { byMs: 46 * DAY_MS });
  await advance(app, app.test.scope, DAY_MS);
  expect(await statusesOf(bought)).toEqual(['succeeded']);
  await compareBooks();
});
