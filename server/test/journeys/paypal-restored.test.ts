/** A store that was restored to before its renewals over PayPal, which keeps no metadata and reports three hours late. */
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { adoptDue } from '../../src/flows/processors/adopt-restored.ts';
import { resume } from '../../src/flows/quarantine/resume.ts';
import { type Wired, wire } from '../../src/main/wire.ts';
import { updateInstallationState } from '../../src/resources/installation/held.queries.ts';
import { openPage } from '../support/buying.ts';
import { DAY_MS, jumpClock } from '../support/clock.ts';
import { copyTestDatabase, STORE_FORM, type TestDatabase } from '../support/database.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import {
  type PayPalAccount,
  type PayPalDouble,
  pressAtPayPal,
  startPayPalDouble,
} from '../support/paypal-double.ts';

const HOUR_MS = 3_600_000;
const RENEWALS = 4;
const EUROS = { currency: 'EUR', taxBehavior: 'inclusive', price: 900, recurringInterval: 'month' };

let double: PayPalDouble;
let account: PayPalAccount;
let env: Record<string, string>;
let app: TestApp;
let connectionId: string;
let url = '';
let dueMs = 0;
let lost: Wired;
const subscriptions: string[] = [];
const opened: Array<{ wired: Wired; database: TestDatabase }> = [];

// Its clock stands so far back that its report is whole once it is now.
beforeAll(async () => {
  double = await startPayPalDouble({ now: new Date(Date.now() - 5 * HOUR_MS).toISOString() });
  await double.control('POST /events', { deliver: 'never' });
  env = {
    PAYPAL_SANDBOX_API_URL: double.apiUrl,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PROCESSOR_TIMEOUT_MS: '60000',
  };
  const through = async (given: string) => {
    url = given;
    return given;
  };
  app = await createTestApp(env, undefined, { through });
  account = await double.openAccount();
  const { clientId, clientSecret } = account;
  const { body, text } = await app.test.post('/v0/processors/connect', {
    ...{ kind: 'paypal', name: 'PayPal', credentials: { clientId, clientSecret } },
  });
  expect(body?.data?.processor, text).toBeDefined();
  connectionId = body.data.processor.id;
  await app.test.patch('/v0/settings/update', { testCheckout: 'processors' });
  const planId = await makePlanOffer(app.test, EUROS);
  for (let n = 0; n < RENEWALS; n += 1) await subscribe(planId, `renewed${n}@example.com`);
  await app.wired.close();
  lost = await openCopy();
  // In the hour that is lost a price was edited, and then all were renewed.
  await lost.service.pool.query(
    'update subscription_items set unit_price = 1000 where subscription_id = (select id from subscriptions where number = $1)',
    [subscriptions[0]],
  );
  await lost.service.clock.advance(app.test.scope, dueMs + HOUR_MS);
  expect((await listRenewals(lost)).map(({ status }) => status)).toEqual(subscriptions.map(() => 'PAID'));
});
afterAll(async () => {
  for (const { wired, database } of opened) {
    await wired.close();
    await database.drop();
  }
  await app?.close();
  await double?.close();
});

async function subscribe(planId: string, email: string): Promise<void> {
  const page = await openPage(app, `/checkout/${planId}`);
  const pressed = await page.submit({ card: undefined, payment: { option: 'redirect' }, email });
  expect(pressed.status, pressed.text).toBe(200);
  const back = new URL(await pressAtPayPal(pressed.body.data.checkout.action.url, 'approve'));
  await app.test.get(`${back.pathname}${back.search}`, { keys: 'none' });
  const { rows } = await app.service.pool.query<{ number: string; status: string; end: string }>(
    `select s.number, s.status, s.current_interval_end as end from subscriptions s join users u on u.id = s.user_id
     where u.email = $1`,
    [email],
  );
  expect(rows).toMatchObject([{ status: 'active' }]);
  subscriptions.push(String(rows[0]?.number));
  dueMs = Number(rows[0]?.end);
}

/** A service of its own over a copy of the store. */
async function openCopy(): Promise<Wired> {
  const database = await copyTestDatabase({ url });
  const settings = { STORE_FORM, RATE_LIMIT_TEST: '0', PUBLIC_URL: 'http://localhost:3000', ...env };
  const log = pino({ level: 'silent' });
  const store = database.poolConfig;
  const wired = await wire({ config: parseConfig(settings), store, log, guardEscapes: true });
  opened.push({ wired, database });
  return wired;
}

interface Renewal {
  chargeId: string;
  object: string;
  status: string;
  hold: string | null;
}

async function listRenewals({ service }: Wired): Promise<Renewal[]> {
  const { rows } = await service.pool.query<Renewal>(
    `select c.id as "chargeId", c.processor_id as object, p.status, c.hold from charges c
     join payments p on p.id = c.payment_id where p.type = 'subscription_interval' order by c.id`,
  );
  return rows;
}

/** What each charge has taken there. */
async function readTaken(): Promise<Array<[string, number]>> {
  const { charges } = await double.control<{ charges: Record<string, { taken: number }> }>(
    `GET /books?account=${account.id}`,
  );
  return Object.entries(charges).map(([id, { taken }]) => [id, taken]);
}

/** The operator says that the copy takes the place of the lost one, whose renewals are due. */
async function restore(): Promise<Wired> {
  const restored = await openCopy();
  const { service } = restored;
  await jumpClock(service.db, app.test.scope, dueMs + HOUR_MS);
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
  await resume(service.db, { as: 'restored', ...asked });
  await adoptDue(service);
  await service.clock.advance(app.test.scope, dueMs + 2 * DAY_MS);
  return restored;
}

describe('P25 P44 a store over PayPal that was restored to before its renewals', () => {
  it('asks for the same orders while the report of them is late, and nobody pays twice', async () => {
    const before = await readTaken();
    const restored = await restore();
    expect(await readTaken()).toEqual(before);
    const [then, now] = [await listRenewals(lost), await listRenewals(restored)];
    expect(now.map(({ chargeId }) => chargeId)).toEqual(then.map(({ chargeId }) => chargeId));
    expect(now.filter(({ status }) => status === 'PAID')).toHaveLength(RENEWALS - 1);
    await expectInvariants({ service: restored.service } as TestApp);
  });

  it('adopts them by the names that their orders bear, once PayPal has forgotten every key', async () => {
    // Six hours and more: what was asked then would be made anew.
    await double.control('POST /clock', { byMs: 5 * HOUR_MS });
    const before = await readTaken();
    await double.control('POST /clock', { byMs: 4 * HOUR_MS });
    const restored = await restore();
    expect(await readTaken()).toEqual(before);
    const [then, now] = [await listRenewals(lost), await listRenewals(restored)];
    const named = (rows: Renewal[]) => rows.map(({ chargeId, object }) => [chargeId, object]);
    expect(named(now)).toEqual(named(then));
    expect(now.filter(({ status }) => status === 'PAID')).toHaveLength(RENEWALS - 1);
    // Other money was taken than the restored price says: a person decides.
    expect(now.filter(({ hold }) => hold === 'discrepancy')).toHaveLength(1);
    const { rows } = await restored.service.pool.query<{ counts: Record<string, number> }>(
      'select counts from processor_reports where connection_id = $1 order by created_at desc limit 1',
      [connectionId],
    );
    expect(rows[0]?.counts).toMatchObject({ adopted: RENEWALS - 1, repaired: 1, unknown_money: 0 });
    await expectInvariants({ service: restored.service } as TestApp);
  });
});
