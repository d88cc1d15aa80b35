/** Money that a processor has taken by charges that our rows have lost is adopted, and never taken a second time. */
import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { adoptDue } from '../../src/flows/processors/adopt-restored.ts';
import { resume } from '../../src/flows/quarantine/resume.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { updateInstallationState } from '../../src/resources/installation/held.queries.ts';
import { buy } from '../support/buying.ts';
import { DAY_MS, jumpClock } from '../support/clock.ts';
import { copyTestDatabase, STORE_FORM, type TestDatabase } from '../support/database.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { sizeOf, tellFigures } from '../support/full-size.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { createReceiver, type Receiver } from '../support/receiver.ts';
import { type StripeAccount, type StripeDouble, startStripeDouble } from '../support/stripe-double.ts';

const RENEWALS = sizeOf(12, 500);
const EDITED = sizeOf(2, 20);
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive' };

let double: StripeDouble;
let account: StripeAccount;
let env: Record<string, string>;
let app: TestApp;
let connectionId: string;
let receiver: Receiver;
let url = '';
const opened: Array<{ wired: Wired; database: TestDatabase }> = [];

beforeAll(async () => {
  double = await startStripeDouble();
  // Nothing listens where it would tell.
  await double.control('POST /events', { deliver: 'never' });
  env = {
    STRIPE_API_URL: double.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '60000',
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  };
  receiver = await createReceiver();
  const through = async (given: string) => {
    url = given;
    return given;
  };
  app = await createTestApp(env, undefined, { through });
  account = await double.openAccount();
  const { secretKey, publishableKey } = account;
  const { body, text } = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'stripe', name: 'Cards', credentials: { secretKey, publishableKey } },
  });
  expect(body?.data?.processor, text).toBeDefined();
  connectionId = body.data.processor.id;
});
afterAll(async () => {
  for (const { wired, database } of opened) {
    await wired.close();
    await database.drop();
  }
  await app?.close();
  await double?.close();
  await receiver?.close();
});

interface Books {
  charges: Record<string, { taken: number; refunded: number }>;
  calls: Array<{ endpoint: string; key: string | null; count: number }>;
}

/** What was taken, and every call that may have moved money. */
async function readBooks() {
  const { charges, calls } = await double.control<Books>(`GET /books?account=${account.id}`);
  return { charges, moving: calls.filter(({ endpoint }) => endpoint.startsWith('POST ')) };
}

const purchase = (offerId: string, paymentMethod: string, userEmail: string) =>
  buy(app.test, { offersIds: [offerId], processorId: connectionId, paymentMethod, userEmail });

/** One call of Stripe's API, as somebody else makes it who has the key. */
async function askStripe(
  path: string,
  body: Record<string, string>,
): Promise<{ id: string; status: string }> {
  const answer = await fetch(`${double.apiUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.secretKey}` },
    body: new URLSearchParams(body),
  });
  return (await answer.json()) as { id: string; status: string };
}

/** An order that waits for its buyer, whose next try is taken by an object that no row of ours names. */
async function loseTry(amount: number) {
  const offerId = await makeOffer(app.test, { ...EUROS, price: 700 });
  const { body } = await purchase(offerId, 'pm_card_authenticationRequired', `${randomUUID()}@example.com`);
  const { id: orderNumber } = body.data.order;
  const { rows } = await app.service.pool.query<Record<string, string>>(
    `select p.id as payment, o.id as "order", c.processor_id as object, s.install_id as install
     from orders o join payments p on p.order_id = o.id join charges c on c.payment_id = p.id
       join stores s on s.workspace_id = o.workspace_id and s.test_mode = o.test_mode where $1 in (o.number, o.id::text)`,
    [orderNumber],
  );
  const [{ payment = '', order = '', object = '', install = '' } = {}] = rows;
  await askStripe(`/v1/payment_intents/${object}/cancel`, {});
  const chargeId = randomUUID();
  const { workspaceId } = app.test.scope;
  const taken = await askStripe('/v1/payment_intents', {
    ...{ amount: String(amount), currency: 'eur', payment_method: 'pm_card_visa', confirm: 'true' },
    'allowed_payment_method_types[0]': 'card',
    return_url: 'http://localhost:3000/',
    'metadata[cf_install]': install,
    'metadata[cf_store]': `${workspaceId}:test`,
    'metadata[cf_charge]': chargeId,
    'metadata[cf_payment]': payment,
    'metadata[cf_order]': order,
    'metadata[cf_purpose]': 'purchase',
  });
  expect(taken.status, JSON.stringify(taken)).toBe('succeeded');
  return { orderNumber, chargeId, object: taken.id };
}

const paymentOf = async (orderNumber: string) =>
  (await app.test.get(`/v0/orders/${orderNumber}`)).body.data.payments[0];

describe('a further try of an order whose row was lost', () => {
  afterEach(() => expectInvariants(app));

  it('is adopted with its id of then by a comparison on demand', async () => {
    const { orderNumber, chargeId } = await loseTry(700);
    const nowMs = Date.now();
    const asked = { from: nowMs - DAY_MS, to: nowMs };
    const { body, text } = await app.test.post(`/v0/processors/${connectionId}/reconcile`, asked);
    expect(body.data?.report?.counts, text).toMatchObject({ adopted: 1, unknown_money: 0 });
    const payment = await paymentOf(orderNumber);
    expect(payment.status).toBe('PAID');
    const charges = payment.charges.map(({ id, status }: Record<string, string>) => [id, status]);
    expect(charges).toContainEqual([chargeId, 'succeeded']);
    // The same once more finds nothing new.
    const again = await app.test.post(`/v0/processors/${connectionId}/reconcile`, asked);
    expect(again.body.data.report.counts).toMatchObject({ adopted: 0, unknown_money: 0 });
  });

  it('is read once and adopted when its object is told of, and another’s is ignored', async () => {
    const { orderNumber, chargeId } = await loseTry(700);
    const foreign = await askStripe('/v1/payment_intents', {
      ...{ amount: '700', currency: 'eur', payment_method: 'pm_card_visa', confirm: 'true' },
      'allowed_payment_method_types[0]': 'card',
      return_url: 'http://localhost:3000/',
    });
    await app.service.books.readStore(app.test.scope, { anew: true });
    await app.wired.worker.runDue();
    const payment = await paymentOf(orderNumber);
    expect(payment.status).toBe('PAID');
    expect(payment.charges.at(-1)).toMatchObject({ id: chargeId, status: 'succeeded' });
    const told = await app.service.db
      .selectFrom('processorEvents')
      .select('status')
      .where('objectId', '=', foreign.id)
      .execute();
    expect(told).toEqual([{ status: 'ignored' }]);
  });
});

/** A service of its own over a copy of the store. */
async function openCopy() {
  const database = await copyTestDatabase({ url });
  const config = parseConfig({
    STORE_FORM,
    RATE_LIMIT_TEST: '0',
    PUBLIC_URL: 'http://localhost:3000',
    ...env,
  });
  const log = pino({ level: 'silent' });
  const wired = await wire({ config, store: database.poolConfig, log, guardEscapes: true });
  opened.push({ wired, database });
  return wired;
}

interface Renewal {
  chargeId: string;
  status: string;
  hold: string | null;
  paymentId: string;
}

async function listRenewals({ service }: Wired): Promise<Renewal[]> {
  const { rows } = await service.pool.query<Renewal>(
    `select c.id as "chargeId", p.status, c.hold, p.id as "paymentId" from charges c join payments p on p.id = c.payment_id
     where p.type = 'subscription_interval' order by c.id`,
  );
  return rows;
}

interface Told {
  what: 'mail' | 'delivery';
  eventId: string;
  status: string;
  why: string | null;
}

/** Mails to buyers and deliveries to webhooks of what renewals brought. */
async function listTold({ service }: Wired): Promise<Told[]> {
  const { rows } = await service.pool.query<Told>(
    `select t.what, t."eventId", t.status, t.why from (
       select 'mail' as what, event_id as "eventId", status, last_error as why from mails
       union all select 'delivery', event_id, status, reason from webhook_deliveries) t
     join events e on e.id = t."eventId" join payments p on p.id = e.payment_id
     where p.type = 'subscription_interval' order by 1, 2`,
  );
  return rows;
}

/** The operator says that the copy takes the place of the lost one. */
async function resumeRestored({ service }: Wired) {
  await inTransaction(service.db, (tx) =>
    updateInstallationState(tx, { heldSince: Date.now(), heldReason: 'data_dir' }),
  );
  const present = { dataDirId: null, publicUrl: null };
  const asked = {
    workspaceId: null,
    present,
    skip: 1000,
    sendOld: false,
    nowMs: Date.now(),
    ids: service.ids,
  };
  return resume(service.db, { as: 'restored', ...asked });
}

// Last: it ends the first service, so that its store can be copied.
describe('P25 O27 a store that was restored to before its renewals', () => {
  let lost: Wired;
  let dueMs = 0;
  const subscriptions: string[] = [];

  beforeAll(async () => {
    const planId = await makePlanOffer(app.test, { ...EUROS, price: 900, recurringInterval: 'month' });
    const hook = { url: receiver.url, events: ['payment_success', 'subscription_interval'] };
    const made = await app.test.post('/v0/webhooks/create', hook);
    expect(made.status, made.text).toBe(200);
    for (let n = 0; n < RENEWALS; n += 1) {
      const { body, text } = await purchase(planId, 'pm_card_visa', `renewed${n}@example.com`);
      expect(body.data?.subscription?.status, text).toBe('active');
      subscriptions.push(body.data.subscription.id);
      dueMs = body.data.subscription.currentIntervalEnd;
    }
    await app.wired.close();
    lost = await openCopy();
    // In the hour that is lost some prices were edited, and then all were renewed.
    await lost.service.pool.query(
      `update subscription_items set unit_price = 1000 where subscription_id in (
        select id from subscriptions where number = any($1::text[]))`,
      [subscriptions.slice(0, EDITED)],
    );
    await lost.service.clock.advance(app.test.scope, dueMs + DAY_MS);
    expect((await listRenewals(lost)).map(({ status }) => status)).toEqual(
      Array.from({ length: RENEWALS }, () => 'PAID'),
    );
  });

  const expectAdopted = async (wired: Wired) => {
    const [then, now] = [await listRenewals(lost), await listRenewals(wired)];
    const ids = (rows: Renewal[]) => rows.map(({ chargeId, paymentId }) => [chargeId, paymentId]);
    expect(ids(now)).toEqual(ids(then));
    const held = now.filter(({ hold }) => hold === 'discrepancy');
    expect(held).toHaveLength(EDITED);
    expect(held.map(({ status }) => status)).toEqual(held.map(() => 'PENDING'));
    expect(now.filter(({ status }) => status === 'PAID')).toHaveLength(RENEWALS - EDITED);
    await expectInvariants({ service: wired.service } as TestApp);
  };

  it('where the periods have begun adopts what is equal, holds what is not, and charges nobody a second time', async () => {
    const before = await readBooks();
    const toldBefore = await listTold(lost);
    const restored = await openCopy();
    await jumpClock(restored.service.db, app.test.scope, dueMs + DAY_MS);
    await resumeRestored(restored);
    // Whoever comes first: the worker charges nobody before the books were held against the rows.
    await restored.worker.runDue();
    await adoptDue(restored.service);
    await restored.worker.runDue();
    await expectAdopted(restored);
    // The lost one has told of it, and whoever asks finds it here; nobody is sent it a second time.
    const told = await listTold(restored);
    for (const what of ['mail', 'delivery'] as const) {
      const events = (all: Told[]) =>
        new Set(all.filter((one) => one.what === what).map(({ eventId }) => eventId));
      const [then, now] = [events(toldBefore), events(told)];
      expect(now.size).toBeGreaterThanOrEqual(RENEWALS - EDITED);
      expect([...now].filter((id) => !then.has(id))).toEqual([]);
    }
    expect(new Set(told.map(({ status, why }) => `${status} ${why}`))).toEqual(new Set(['dropped restored']));
    const [report] = await restored.service.db
      .selectFrom('processorReports')
      .select('counts')
      .orderBy('createdAt', 'desc')
      .limit(1)
      .execute();
    expect(report?.counts).toMatchObject({ adopted: RENEWALS - EDITED, repaired: EDITED, unknown_money: 0 });
    expect(await readBooks()).toEqual(before);
    tellFigures('P25', { renewals: RENEWALS, adopted: RENEWALS - EDITED, held: EDITED });
    const waiting = await restored.service.db.selectFrom('processors').select('adoptFrom').execute();
    expect(waiting.filter(({ adoptFrom }) => adoptFrom !== null)).toEqual([]);
  });

  it('where they have not begun waits until they do, and asks for nothing even so', async () => {
    const before = await readBooks();
    const restored = await openCopy();
    // A day and more later the processor has forgotten all keys: the object alone is the guard.
    await double.control('POST /clock', { byMs: 30 * 3_600_000 });
    await resumeRestored(restored);
    await adoptDue(restored.service);
    expect(await listRenewals(restored)).toEqual([]);
    await restored.service.clock.advance(app.test.scope, dueMs + DAY_MS);
    await expectAdopted(restored);
    expect(await readBooks()).toEqual(before);
    const left = await restored.service.db.selectFrom('adoptedCharges').selectAll().execute();
    expect(left).toEqual([]);
  });
});
