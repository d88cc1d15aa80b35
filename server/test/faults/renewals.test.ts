import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportedLists } from '../../src/api/routes.ts';
import type { Service } from '../../src/context.ts';
import { inScope } from '../../src/db/scope.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createJobs } from '../../src/main/jobs.ts';
import type { PaymentProvider, PreparedRequest } from '../../src/providers/payment/payment-provider.ts';
import { createPaymentProviders } from '../../src/providers/payment/registry.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import { createWorker } from '../../src/worker/worker.ts';
import { advance, DAY_MS, jumpClock, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { putToRest, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let planId: string;

beforeAll(async () => {
  app = await createTestApp();
  planId = await makePlanOffer(app.test, { price: 1000 });
});
beforeEach(() => putToRest(app));
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

async function startMany(count: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let made = 0; made < count; made += 10) {
    const batch = Array.from({ length: Math.min(10, count - made) }, (_, index) =>
      subscribe(app, planId, { userEmail: `buyer-${made + index}-${Math.random()}@example.com` }),
    );
    for (const { id } of await Promise.all(batch)) ids.add(id);
  }
  return ids;
}

/** The time goes by while no worker runs. */
async function sleepFor(byMs: number): Promise<void> {
  const { service, test } = app;
  const { offsetMs } = await getClock(service.db, test.scope);
  await jumpClock(service.db, test.scope, service.realNowMs() + offsetMs + byMs);
}

/** Its jobs share one pool of connections with those of the others. */
const workerOf = (service: Service = app.service, concurrency = 4) =>
  createWorker({ service, jobs: createJobs(service, exportedLists), concurrency });

/** Period payments of these subscriptions, by subscription and period, with what the sandbox took for each. */
async function listRenewals(ids: Set<string>) {
  const rows = await app.service.db
    .selectFrom('payments')
    .select(['id', 'subscriptionId', 'status', 'number', 'periodStart', 'paidAt'])
    .where(inScope(app.test.scope))
    .where('type', '=', 'subscription_interval')
    .where('subscriptionId', 'in', [...ids])
    .orderBy('subscriptionId')
    .orderBy('periodStart')
    .execute();
  const { rows: taken } = await app.service.pool.query<{ paymentId: string; count: number }>(
    `select c.payment_id as "paymentId", count(*)::int as count from sandbox_charges s
     join charges c on c.id = s.id where s.status = 'succeeded' group by 1`,
  );
  const counts = new Map(taken.map(({ paymentId, count }) => [paymentId, count]));
  return rows.map((row) => ({ ...row, taken: counts.get(row.id) ?? 0 }));
}

/** Longer than any test: who waits for an answer that never comes does nothing more. */
const FOR_EVER_MS = 1_000_000_000;

/** The service over a processor that misbehaves: `charge` is given the real call. */
function withFaults(
  charge: (real: () => ReturnType<PaymentProvider['charge']>) => ReturnType<PaymentProvider['charge']>,
  timeoutMs = FOR_EVER_MS,
): Service {
  const { sandbox } = app.service.payments;
  const faulty = { ...sandbox, charge: (request: PreparedRequest) => charge(() => sandbox.charge(request)) };
  const payments = createPaymentProviders({
    sandbox: faulty,
    kinds: [],
    timeoutMs,
    realNowMs: app.service.realNowMs,
    onFailure: () => {},
  });
  return { ...app.service, payments };
}

describe('renewals', () => {
  it('T01 of 200 subscriptions that fall due at once are made once each by four workers', async () => {
    const ids = await startMany(200);
    await sleepFor(32 * DAY_MS);
    const workers = Array.from({ length: 4 }, () => workerOf());
    await Promise.all(workers.map((worker) => worker.runDue()));
    const renewals = await listRenewals(ids);
    expect(renewals).toHaveLength(200);
    expect(new Set(renewals.map(({ subscriptionId }) => subscriptionId)).size).toBe(200);
    expect(renewals.filter(({ status, taken }) => status !== 'PAID' || taken !== 1)).toEqual([]);
  }, 180_000);

  it('T14 after an outage of three periods are one for each, in their order', async () => {
    const ids = await startMany(10);
    await sleepFor(95 * DAY_MS);
    const workers = [workerOf(), workerOf()];
    await Promise.all(workers.map((worker) => worker.runDue()));
    await app.wired.worker.runDue();
    const renewals = await listRenewals(ids);
    expect(renewals).toHaveLength(30);
    for (const id of ids) {
      const own = renewals.filter(({ subscriptionId }) => subscriptionId === id);
      expect(own.map(({ status, taken }) => ({ status, taken }))).toEqual(
        Array(3).fill({ status: 'PAID', taken: 1 }),
      );
      expect(own.map(({ number }) => number.split('-')[1])).toEqual(['1', '2', '3']);
      expect(own.map(({ paidAt }) => paidAt)).toEqual(own.map(({ paidAt }) => paidAt).toSorted());
    }
  }, 180_000);

  it('are due by the clock of the store, whatever that of the process says', async () => {
    const ids = await startMany(5);
    await sleepFor(20 * DAY_MS);
    const fast = { ...app.service, realNowMs: () => Date.now() + 20 * DAY_MS };
    const slow = { ...app.service, realNowMs: () => Date.now() - 5 * MINUTE_MS };
    await workerOf(fast).runDue();
    expect(await listRenewals(ids)).toEqual([]);
    await sleepFor(12 * DAY_MS);
    await workerOf(slow).runDue();
    await workerOf(fast).runDue();
    expect((await listRenewals(ids)).map(({ taken }) => taken)).toEqual([1, 1, 1, 1, 1]);
  }, 180_000);

  it('whose worker dies before or after the call to the processor are gone on with by another, and charged once', async () => {
    const ids = await startMany(40);
    await sleepFor(32 * DAY_MS);
    let calls = 0;
    const dead = new Promise<void>((resolve) => {
      const dying = withFaults(async (real) => {
        const isAfter = calls % 2 === 1;
        if (isAfter) await real();
        calls += 1;
        if (calls === ids.size) resolve();
        return new Promise(() => {});
      });
      // It never comes to an end that anybody waits for.
      workerOf(dying, ids.size)
        .runDue()
        .catch(() => {});
    });
    await dead;
    await expireLeases();
    await app.wired.worker.runDue();
    expect((await listRenewals(ids)).every(({ status }) => status === 'PENDING')).toBe(true);
    await advance(app, app.test.scope, MINUTE_MS);
    const renewals = await listRenewals(ids);
    expect(renewals).toHaveLength(40);
    expect(renewals.filter(({ status, taken }) => status !== 'PAID' || taken !== 1)).toEqual([]);
  }, 180_000);

  it('T03 whose answer is lost, or that never arrive, stay pending until the processor is asked, and are charged once', async () => {
    const ids = await startMany(30);
    await sleepFor(32 * DAY_MS);
    let calls = 0;
    const ill = withFaults(async (real) => {
      calls += 1;
      const kind = calls % 3;
      if (kind === 0) throw new Error('connection reset before the request was sent');
      const outcome = await real();
      if (kind === 1) throw new Error('the answer was cut off');
      return outcome;
    });
    await workerOf(ill).runDue();
    const pending = await listRenewals(ids);
    // A busy machine may leave more of them for later; never fewer.
    const paid = pending.filter(({ status }) => status === 'PAID');
    expect(paid.length).toBeLessThanOrEqual(10);
    expect(pending.filter(({ status }) => status === 'PENDING')).toHaveLength(30 - paid.length);
    await advance(app, app.test.scope, 2 * MINUTE_MS);
    const renewals = await listRenewals(ids);
    expect(renewals).toHaveLength(30);
    expect(renewals.filter(({ status, taken }) => status !== 'PAID' || taken !== 1)).toEqual([]);
  }, 180_000);

  it('T04 whose processor stalls are left pending after the time-out, and are charged once', async () => {
    const ids = await startMany(5);
    await sleepFor(32 * DAY_MS);
    const stalling = withFaults(async (real) => {
      await real();
      return new Promise(() => {});
    }, 1);
    await workerOf(stalling).runDue();
    expect((await listRenewals(ids)).map(({ status }) => status)).toEqual(Array(5).fill('PENDING'));
    await advance(app, app.test.scope, 2 * MINUTE_MS);
    const renewals = await listRenewals(ids);
    expect(renewals).toHaveLength(5);
    expect(renewals.filter(({ status, taken }) => status !== 'PAID' || taken !== 1)).toEqual([]);
  }, 180_000);
});

/** As real time does: the dead worker's leases run out. What it goes on with may hold rows in another order. */
async function expireLeases(): Promise<void> {
  await inTransaction(app.service.db, (tx) =>
    tx.updateTable('dueWork').set({ leaseUntilMs: null }).execute(),
  );
}
