import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { advance, DAY_MS } from '../../../test/support/clock.ts';
import { expectInvariants } from '../../../test/support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makePlanOffer } from '../../../test/support/make-catalogue.ts';
import { listPeriods, show, subscribe } from '../../../test/support/subscribing.ts';
import { toSandboxConnectionId } from '../../providers/payment/sandbox/sandbox-connection.ts';
import { StripeFailure } from '../../providers/payment/stripe/failure.ts';
import { providerOf } from '../payments/provider-of.ts';
import { noteHealth } from './change-health.ts';
import { checkProcessors } from './check-processors.ts';
import { createCallWatch } from './watch-calls.ts';

let app: TestApp;
let sandboxId: string;
beforeAll(async () => {
  app = await createTestApp();
  sandboxId = toSandboxConnectionId(app.test.scope.workspaceId);
});
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});
beforeEach(() => app.service.db.deleteFrom('mails').where('kind', '=', 'processor_broken').execute());

const shown = async (id: string) => (await app.test.get(`/v0/processors/${id}`)).body.data.processor;
const countMails = async (kind: string) =>
  (await app.service.db.selectFrom('mails').select('id').where('kind', '=', kind).execute()).length;
const toBroken = { to: 'broken', reason: 'access_refused' } as const;
const toOk = { to: 'ok', reason: null } as const;

async function connectBank(): Promise<string> {
  const { body } = await app.test.post('/v0/processors/connect', {
    kind: 'manual',
    name: 'Bank',
    instructions: { en: 'Ask us.' },
  });
  return body.data.processor.id;
}

describe('while a connection is broken', () => {
  it('what is due waits as it is, and is charged in order once it is well', async () => {
    const offerId = await makePlanOffer(app.test);
    const first = await subscribe(app, offerId);
    await advance(app, app.test.scope, DAY_MS);
    const second = await subscribe(app, offerId, { userEmail: 'eva@example.com' });
    expect(await noteHealth(app.service, app.test.scope, { id: sandboxId, ...toBroken })).toBe(true);
    await advance(app, app.test.scope, 35 * DAY_MS);
    for (const one of [first, second]) {
      expect(await listPeriods(app, one)).toEqual([]);
      expect((await show(app, one)).status).toBe('active');
    }
    expect(await countMails('payment_failed')).toBe(0);
    const { health } = await shown(sandboxId);
    expect(health).toMatchObject({
      state: 'broken',
      reason: 'access_refused',
      waiting: { charges: 2, refunds: 0 },
    });

    // Nobody is charged by looking again.
    await app.wired.worker.runDue();
    expect(await listPeriods(app, first)).toEqual([]);

    expect(await noteHealth(app.service, app.test.scope, { id: sandboxId, ...toOk })).toBe(true);
    await app.wired.worker.runDue();
    const paid = [await listPeriods(app, first), await listPeriods(app, second)];
    for (const periods of paid) expect(periods.map(({ status }) => status)).toEqual(['PAID']);
    const [a, b] = paid.map(([period]) => period?.paidAt ?? 0);
    expect(a).toBeLessThanOrEqual(b ?? 0);
    expect((await shown(sandboxId)).health).toMatchObject({
      state: 'ok',
      reason: null,
      waiting: { charges: 0 },
    });
    expect((await show(app, first)).status).toBe('active');
  });

  it('one mail tells of it, however many find it', async () => {
    const id = await connectBank();
    const told = Array.from({ length: 5 }, () =>
      noteHealth(app.service, app.test.scope, { id, ...toBroken }),
    );
    expect((await Promise.all(told)).filter(Boolean)).toHaveLength(1);
    expect(await countMails('processor_broken')).toBe(1);
  });
});

it('while one is paused its renewals wait, and go on once it is active', async () => {
  const id = await connectBank();
  const subscription = await subscribe(app, await makePlanOffer(app.test), { userEmail: 'kim@example.com' });
  await app.service.db
    .updateTable('paymentMethods')
    .set({ connectionId: id, processor: 'manual' })
    .where('userId', '=', subscription.userId)
    .execute();
  await app.test.patch(`/v0/processors/${id}/update`, { status: 'paused' });
  await advance(app, app.test.scope, 32 * DAY_MS);
  expect(await listPeriods(app, subscription)).toEqual([]);
  const { body } = await app.test.patch(`/v0/processors/${id}/update`, { status: 'active' });
  expect(body.data.processor.status).toBe('active');
  await app.wired.worker.runDue();
  expect((await listPeriods(app, subscription)).map(({ status }) => status)).toEqual(['PENDING']);
});

describe('a connection is judged by how calls over it end', () => {
  const open = async () => {
    const id = await connectBank();
    const watch = createCallWatch(() => app.service);
    const connection = { id, scope: app.test.scope, kind: 'manual', details: null, credentials: null };
    const state = async () => {
      await watch.settle();
      return (await shown(id)).health.state;
    };
    const end = (count: number, how: 'answered' | 'unanswered' | 'locked_out') => {
      for (let n = 0; n < count; n += 1) watch.ended(connection, how);
    };
    return { id, end, state };
  };

  it('P52 answers that say no are answers', async () => {
    const { end, state } = await open();
    end(60, 'answered');
    end(14, 'unanswered');
    expect(await state()).toBe('ok');
    expect(await countMails('processor_broken')).toBe(0);
  });

  it('a fifth without one degrades it, until it is less', async () => {
    const { end, state } = await open();
    end(8, 'answered');
    end(1, 'unanswered');
    expect(await state()).toBe('ok');
    end(1, 'unanswered');
    expect(await state()).toBe('degraded');
    end(1, 'answered');
    expect(await state()).toBe('ok');
  });

  it('P06 one refused key breaks it: nothing is sent, nothing is declined, other ways are offered', async () => {
    const { id, end, state } = await open();
    end(3, 'locked_out');
    expect(await state()).toBe('broken');
    expect(await countMails('processor_broken')).toBe(1);
    const { service, test } = app;
    const provider = await providerOf(service, test.scope, { processor: 'manual', connectionId: id });
    const reference = { scope: test.scope, chargeId: id, processorId: null, nowMs: service.realNowMs() };
    expect(await provider?.cancel(reference)).toEqual({ kind: 'unknown' });
    expect(await provider?.refund({ ...reference, refundId: id, amountMinor: 1n } as never)).toMatchObject({
      kind: 'unknown',
    });
    // A single good answer is none of the account's.
    end(20, 'answered');
    expect(await state()).toBe('broken');
  });

  it('P06 it is asked every five minutes, and well again once it lets us in', async () => {
    const { id, end, state } = await open();
    const kind = app.service.payments.kindNamed('manual');
    if (!kind) throw new Error('there is a bank');
    const { open: openBank } = kind;
    let isLocked = true;
    let asked = 0;
    kind.open = (connection) => ({
      ...openBank(connection),
      check: async () => {
        if (connection.id === id) asked += 1;
        if (!isLocked) return;
        const none = { code: null, declineCode: null, requestId: null, param: null };
        throw new StripeFailure({ type: 'StripeAuthenticationError', status: 401, ...none });
      },
    });
    const look = async () => {
      await app.service.db.updateTable('processors').set({ checkedAt: 1 }).where('id', '=', id).execute();
      await checkProcessors(app.service);
    };
    end(1, 'locked_out');
    expect(await state()).toBe('broken');
    await look();
    expect([asked, await state()]).toEqual([1, 'broken']);
    // Not yet again.
    await checkProcessors(app.service);
    expect(asked).toBe(1);
    isLocked = false;
    await look();
    kind.open = openBank;
    expect([asked, await state()]).toEqual([2, 'ok']);
    expect(await countMails('processor_broken')).toBe(1);
  });
});
