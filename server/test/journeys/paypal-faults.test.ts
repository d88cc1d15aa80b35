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

const ORDERS = '/v2/checkout/orders';
const CAPTURE = '/v2/checkout/orders/*/capture';
const CALLS = [
  { method: 'POST', path: ORDERS },
  { method: 'POST', path: CAPTURE },
  { method: 'GET', path: '/v2/checkout/orders/*' },
];
const FAULTS: readonly object[] = [
  { drop: 'before' },
  { drop: 'after' },
  { cut: true },
  { html: true },
  { status: 500, effect: true },
  { status: 500, effect: false },
  { status: 503, effect: false },
  { status: 429, code: 'RATE_LIMIT_REACHED' },
];

let double: PayPalDouble;
let account: PayPalAccount;
let app: TestApp;
let planId: string;
let sold = 0;
beforeAll(async () => {
  double = await startPayPalDouble();
  await double.control('POST /events', { deliver: 'never' });
  app = await createTestApp({
    ...{ PAYPAL_SANDBOX_API_URL: double.apiUrl, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
    ...{ PROCESSOR_TIMEOUT_MS: '30000', PROCESSOR_RATE: '0' },
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
       where r.charge_id = c.id and r.status = 'succeeded'), 0) as refunded
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
    await meeting(faults, () => advance(app, app.test.scope, 32 * DAY_MS));
    await advance(app, app.test.scope, DAY_MS);
    expect((await compareBooks()).periods).toBe(charges);
  });
});
