import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tx } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { unarchiveWorkspace } from '../../src/flows/renewals/unarchive-workspace.ts';
import {
  archiveWorkspace,
  reactivateWorkspace,
  suspendWorkspace,
} from '../../src/flows/workspaces/change-state.ts';
import { authenticate, buy, card, listTaken, openPage, readState } from '../support/buying.ts';
import { AUTHENTICATES, PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { listPeriods, type Subscribed, show, subscribe } from '../support/subscribing.ts';

/** A key pair's state is remembered for a few seconds. */
const REMEMBERED_MS = 10_000;

let app: TestApp;
let grownOldMs = 0;
let offerId: string;
let planId: string;
beforeAll(async () => {
  app = await createTestApp({}, undefined, { monotonicMs: () => performance.now() + grownOldMs });
  offerId = await makeOffer(app.test, { price: 1000 });
  planId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'month' });
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

let made = 0;
const buyer = () => ({ userEmail: `closed${++made}@example.com` });
const workspaceId = () => app.test.scope.workspaceId;
const change = async (work: (tx: Tx) => Promise<boolean>) => {
  grownOldMs += REMEMBERED_MS;
  return inTransaction(app.service.db, work);
};
const suspend = () =>
  change((tx) =>
    suspendWorkspace({ tx, workspaceId: workspaceId(), by: 'admin', realMs: app.service.realNowMs() }),
  );
const reactivate = () =>
  change((tx) => reactivateWorkspace({ tx, workspaceId: workspaceId(), realMs: app.service.realNowMs() }));
const archive = () =>
  change((tx) =>
    archiveWorkspace({ tx, workspaceId: workspaceId(), by: 'admin', realMs: app.service.realNowMs() }),
  );
const unarchive = async () => {
  grownOldMs += REMEMBERED_MS;
  return unarchiveWorkspace(app.service, workspaceId());
};

/** Time goes by for all clocks of the workspace although nobody moves the test clock. */
async function passDays(count: number): Promise<void> {
  const { pool } = app.service;
  await pool.query(
    'update stores set clock_offset_ms = clock_offset_ms + $1 where workspace_id = $2 and test_mode',
    [count * DAY_MS, workspaceId()],
  );
  await pool.query('update workspaces set archived_at = archived_at - $1 where id = $2', [
    count * DAY_MS,
    workspaceId(),
  ]);
  await pool.query(
    `update due_work set due_real_ms = due_real_ms - $1
      where workspace_id = $2 and test_mode and due_real_ms < 8640000000000000`,
    [count * DAY_MS, workspaceId()],
  );
  await app.wired.worker.runDue();
}

async function payPathOf({ number }: Subscribed): Promise<string> {
  const { rows } = await app.service.pool.query<{ token: string }>(
    'select pay_token as token from payments where number = $1',
    [`${number}-1`],
  );
  return `/pay/${rows[0]?.token}`;
}

const open = async (url: string) => (await app.app.inject({ method: 'GET', url })).statusCode;

describe('a suspended workspace', () => {
  it('Y22 sells nothing and says so on a page, and no authentication completes a purchase', async () => {
    const page = await openPage(app, `/checkout/${offerId}`);
    const waiting = await openPage(app, `/checkout/${offerId}`);
    const { body } = await waiting.submit({ card: card(AUTHENTICATES) });
    const authentication = new URL(body.data.checkout.action.url, 'http://x').pathname;
    const taken = (await listTaken(app)).length;
    await suspend();
    const link = await app.app.inject({ method: 'GET', url: `/checkout/${offerId}` });
    expect({ status: link.statusCode, type: link.headers['content-type'] }).toEqual({
      status: 403,
      type: expect.stringContaining('text/html'),
    });
    await expectRefusal(page.quote(), 403, 'workspace_suspended');
    await expectRefusal(page.submit(), 403, 'workspace_suspended');
    expect(await open(authentication)).toBe(403);
    expect((await authenticate(app, authentication, 'approve')).status).toBe(403);
    expect(await listTaken(app)).toHaveLength(taken);
    await expectRefusal(app.test.post('/v0/products/create', {}), 403, 'workspace_suspended');
    expect((await app.test.get('/v0/products/list')).status).toBe(200);
    await reactivate();
    expect((await page.submit()).body.data.checkout.status).toBe('paid');
  });

  it('Y22 renews on, and what a running subscription owes can be paid; of an ended one it cannot', async () => {
    const living = await subscribe(app, planId, buyer());
    const owing = await subscribe(app, planId, { ...buyer(), card: PAYS_ONCE });
    const ended = await subscribe(app, planId, { ...buyer(), card: PAYS_ONCE });
    await suspend();
    await advance(app, app.test.scope, 32 * DAY_MS);
    expect((await show(app, living)).lastPayment).toMatchObject({
      type: 'subscription_interval',
      status: 'PAID',
    });
    const path = await payPathOf(owing);
    expect(await open(path)).toBe(200);
    const paid = await app.test.request('POST', `${path.replace('/pay/', '/payment-pages/')}/pay`, {
      keys: 'none',
      body: { card: card('4242424242424242') },
    });
    expect(paid.body.data.debt.status).toBe('paid');
    await reactivate();
    await app.test.patch(`/v0/subscriptions/${ended.number}/cancel`, {});
    await suspend();
    expect(await open(await payPathOf(ended))).toBe(403);
    await reactivate();
  });
});

describe('an archived workspace', () => {
  it('Y22 claims, charges and delivers nothing, and closes what can be paid; documents stay open', async () => {
    const { body } = await buy(app.test, { offersIds: [offerId], ...buyer() });
    const owing = await subscribe(app, planId, { ...buyer(), card: PAYS_ONCE });
    await advance(app, app.test.scope, 32 * DAY_MS);
    const living = await subscribe(app, planId, buyer());
    const taken = (await listTaken(app)).length;
    await archive();
    await passDays(70);
    expect(await listPeriods(app, living).catch(() => [])).toEqual([]);
    expect(await listTaken(app)).toHaveLength(taken);
    expect(await open(await payPathOf(owing))).toBe(403);
    expect(await open(`/checkout/${offerId}`)).toBe(403);
    expect(await open(new URL(body.data.payment.invoiceUrl).pathname)).toBe(200);
    // Who comes to a closed door reads whose it is, and where a contract can be ended all the same.
    for (const url of [`/checkout/${offerId}`, await payPathOf(owing)]) {
      const { payload } = await app.app.inject({ method: 'GET', url });
      expect(readState(payload)).toMatchObject({
        code: 'workspace_archived',
        seller: { name: 'First' },
        legal: { cancel: expect.stringMatching(/\/cancel-contract$/) },
      });
    }
    const nowhere = await app.app.inject({
      method: 'GET',
      url: `/checkout/${planId.replace(/^.{8}/, '0'.repeat(8))}`,
    });
    expect(readState(nowhere.payload)).toEqual({ code: 'not_found', message: expect.any(String) });
    await expectRefusal(app.test.get('/v0/products/list'), 403, 'workspace_archived');
    // Work that was begun before leaves rows that are not claimed either.
    await app.service.pool.query('update due_work set due_real_ms = 0 where workspace_id = $1', [
      workspaceId(),
    ]);
    expect(await app.wired.worker.runDue()).toBe(0);
    await app.service.pool.query(
      `update due_work d set due_real_ms = d.due_ms - s.clock_offset_ms from stores s
        where d.workspace_id = $1 and s.workspace_id = d.workspace_id and s.test_mode = d.test_mode`,
      [workspaceId()],
    );
    await unarchive();
    await app.wired.worker.runDue();
  });

  it('Y22 goes on from the next boundary without billing what went by', async () => {
    const living = await subscribe(app, planId, buyer());
    const paused = await subscribe(app, planId, buyer());
    const keeping = { invoicingBehavior: 'keep_as_draft' };
    await app.test.patch(`/v0/subscriptions/${paused.number}/pauseCollection`, keeping);
    const trialPlan = await makePlanOffer(app.test, {
      ...{ price: 700, recurringInterval: 'month', trialInterval: 'day', trialIntervalCount: 10 },
    });
    const trialing = await subscribe(app, trialPlan, buyer());
    const ending = await subscribe(app, planId, buyer());
    await app.test.patch(`/v0/subscriptions/${ending.number}/cancel`, { cancelOption: 'endInterval' });
    const before = await show(app, living);
    await archive();
    await passDays(100);
    await unarchive();
    await app.wired.worker.runDue();
    const after = await show(app, living);
    const { now } = (await app.test.get('/v0/test-clock')).body.data.testClock;
    expect(await listPeriods(app, living)).toEqual([]);
    expect(after.status).toBe('active');
    expect(after.currentIntervalStart).toBeGreaterThan(before.currentIntervalEnd);
    expect(after.currentIntervalStart).toBeLessThanOrEqual(now);
    expect(after.currentIntervalEnd).toBeGreaterThan(now);
    expect(await listPeriods(app, paused)).toEqual([]);
    expect((await show(app, trialing)).status).toBe('active');
    expect(await listPeriods(app, trialing)).toEqual([]);
    expect((await show(app, ending)).status).toBe('canceled');
    await advance(app, app.test.scope, after.currentIntervalEnd - now + DAY_MS);
    expect(await listPeriods(app, living)).toMatchObject([
      { status: 'PAID', periodStart: after.currentIntervalEnd },
    ]);
    expect(await listPeriods(app, paused)).toMatchObject([{ status: 'UNPAID' }]);
  });

  it('Y22 lets a run of retries go on with the days that it had left', async () => {
    const owing = await subscribe(app, planId, { ...buyer(), card: PAYS_ONCE });
    await advance(app, app.test.scope, 31 * DAY_MS);
    const countCharges = async () =>
      (await app.test.get(`/v0/payments/${owing.number}-1`)).body.data.payment.charges.length;
    const before = await countCharges();
    await archive();
    await passDays(60);
    await unarchive();
    await app.wired.worker.runDue();
    expect((await show(app, owing)).status).toBe('past_due');
    expect(await countCharges()).toBe(before);
    await advance(app, app.test.scope, 8 * DAY_MS);
    expect(await countCharges()).toBeGreaterThan(before);
  });

  it('Y22 is taken back alone, and by nothing that takes back a suspension', async () => {
    expect([await unarchive(), await reactivate()]).toEqual([false, false]);
    expect([await suspend(), await suspend(), await archive()]).toEqual([true, false, true]);
    expect([await reactivate(), await suspend(), await archive()]).toEqual([false, false, false]);
    expect([await unarchive(), await unarchive()]).toEqual([true, false]);
  });
});
