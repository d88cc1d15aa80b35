/** Refunds that a bank sends back, that are made in Stripe's dashboard, and many at once: both books have the same. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { keepNotifications } from '../../src/flows/processors/take-notification.ts';
import { buy } from '../support/buying.ts';
import { advance } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { tellFigures } from '../support/full-size.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';
import { reconcileUntilNow, refundInDashboard } from '../support/stripe-refunds.ts';

const HOUR_MS = 3_600_000;
let double: StripeDouble;
let app: TestApp;
let account: StripeAccount;
let processorId: string;
let offerId: string;

let realAheadMs = 0;

let close: () => Promise<void>;
beforeAll(async () => {
  const opened = await openStripeApp({}, { realNowMs: () => Date.now() + realAheadMs });
  ({ app, double, account, processorId, close } = opened);
  offerId = await makeOffer(app.test, { currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(() => expectInvariants(app));
afterAll(() => close?.());

async function purchase(paymentMethod = 'pm_card_visa') {
  const bought = { offersIds: [offerId], processorId, paymentMethod };
  const { body, text } = await buy(app.test, bought);
  expect(body.data?.payment.status, text).toBe('PAID');
  const { payment, order } = body.data;
  const chargeId = String(payment.charges[0].id);
  const charge = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .where('id', '=', chargeId)
    .executeTakeFirstOrThrow();
  return {
    paymentId: String(payment.id),
    orderId: String(order.id),
    chargeId,
    object: String(charge.processorId),
  };
}

type Bought = Awaited<ReturnType<typeof purchase>>;

const give = ({ orderId }: Bought, body: object) => app.test.post(`/v0/orders/${orderId}/refunds`, body);
const listOf = async ({ orderId }: Bought) =>
  (await app.test.get(`/v0/refunds/list?orderId=${orderId}&take=100`)).body.data.refunds as Array<{
    id: string;
    status: string;
    amount: number;
    note: string | null;
    creditNoteNumber: string | null;
    returnedAt: number | null;
  }>;
const paymentOf = async ({ paymentId }: Bought) =>
  (await app.test.get(`/v0/payments/${paymentId}`)).body.data.payment;

/** Of one that has failed: for whoever looks into it, and in no answer. */
async function reasonOf({ id }: { id: string }): Promise<string | null> {
  const rows = app.service.db.selectFrom('refunds').select('failureReason').where('id', '=', id);
  return (await rows.executeTakeFirstOrThrow()).failureReason;
}

async function refundedThere({ chargeId }: Bought): Promise<number | undefined> {
  const { charges } = await double.control<{ charges: Record<string, { refunded: number }> }>(
    `GET /books?account=${account.id}`,
  );
  return charges[chargeId]?.refunded;
}

let told = 0;
/** As the endpoint takes it in; and the looks that it brings forward. */
async function tell(type: string, refund: string, { object: ofCharge }: Bought, ownId: string | null = null) {
  const nowMs = app.service.realNowMs();
  const object = { kind: 'refund' as const, processorId: refund, ofCharge, ownId };
  told += 1;
  const notification = { id: `evt_${told}`, type, happenedAtMs: nowMs, object };
  const ctx = { ...app.service, nowMs };
  const kept = { connectionId: processorId, notifications: [notification], wasRead: false };
  await inTransaction(app.service.db, (tx) => keepNotifications(ctx, app.test.scope, { tx, ...kept }));
  await advance(app, app.test.scope, 1000);
}

async function countMails(kind: string): Promise<number> {
  const rows = await app.service.db.selectFrom('mails').select('id').where('kind', '=', kind).execute();
  return rows.length;
}

async function reconcile() {
  // The processor stamps whole seconds.
  realAheadMs += 2_000;
  return reconcileUntilNow(app, processorId);
}

it('P37 100 partial refunds raced, a tenth of the answers dropped: the sums are equal', async () => {
  const bought = await purchase();
  const { id } = await double.control('POST /faults', {
    match: { account: account.id, method: 'POST', path: '/v1/refunds', share: 0.1 },
    do: { drop: 'after' },
  });
  const answers = await Promise.all(Array.from({ length: 100 }, () => give(bought, { amount: 19 })));
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  await double.control(`DELETE /faults/${String(id)}`);
  await advance(app, app.test.scope, 2 * HOUR_MS);
  const refunds = await listOf(bought);
  expect(refunds.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'succeeded'));
  expect(new Set(refunds.map(({ creditNoteNumber }) => creditNoteNumber)).size).toBe(100);
  expect(await refundedThere(bought)).toBe(1900);
  expect(await paymentOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 1900 });
  expect((await give(bought, { amount: 100 })).body.error).toMatchObject({ code: 'refund_exceeds_paid' });
  expect((await give(bought, {})).body.data.refund).toMatchObject({ status: 'succeeded', amount: 99 });
  expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
  tellFigures('P37', { refunds: refunds.length, refundedThere: 1900 });
});

it('P38 a refund that comes back is owed, and stands: settling it by hand clears it', async () => {
  const bought = await purchase();
  const { refund } = (await give(bought, { amount: 500 })).body.data;
  expect(refund.status).toBe('succeeded');
  const { processorId: there } = await app.service.db
    .selectFrom('refunds')
    .select('processorId')
    .where('id', '=', refund.id)
    .executeTakeFirstOrThrow();
  await expectRefusal(
    app.test.post(`/v0/refunds/${refund.id}/settle`, { reference: 'T-1' }),
    409,
    'refund_state',
  );
  await double.control(`POST /objects/${there}/return`, {});
  await tell('refund.failed', String(there), bought, refund.id);
  await tell('refund.updated', String(there), bought, refund.id);
  const [after] = await listOf(bought);
  expect(after).toMatchObject({ status: 'succeeded', returnReason: 'lost_or_stolen_card' });
  expect(after?.returnedAt).not.toBeNull();
  expect(await paymentOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 500 });
  expect([await countMails('processor_refund_returned'), await countMails('refund_delayed')]).toEqual([1, 1]);
  const owed = async () => {
    const { balances } = (await app.test.get('/v0/ledger/balances')).body.data;
    const row = balances.find(({ account: name }: { account: string }) => name === 'refunds_payable');
    return row.balance;
  };
  expect(await owed()).toBe(-500);
  await expectInvariants(app);
  const settled = await app.test.post(`/v0/refunds/${refund.id}/settle`, { reference: 'T-2' });
  expect(settled.body.data?.refund, settled.text).toMatchObject({ status: 'succeeded', amount: 500 });
  expect(await owed()).toBe(0);
  await expectRefusal(
    app.test.post(`/v0/refunds/${refund.id}/settle`, { reference: 'T-3' }),
    409,
    'refund_state',
  );
});

it('P37 a refund that waits has left the account: the report says so of both books', async () => {
  const bought = await purchase('pm_card_pendingRefund');
  const { refund } = (await give(bought, { amount: 700 })).body.data;
  expect(refund.status).toBe('pending');
  const expectSame = async () => {
    const { balance } = await double.control<{ balance: { eur: number } }>(
      `GET /books?account=${account.id}`,
    );
    const both = { currency: 'EUR', ours: balance.eur, theirs: balance.eur };
    expect((await reconcile()).sums).toEqual([both]);
  };
  await expectSame();
  // Read once more, it has left once.
  await expectSame();
  const refunds = await fetch(`${double.apiUrl}/v1/refunds?payment_intent=${bought.object}`, {
    headers: { authorization: `Bearer ${account.secretKey}` },
  });
  const { data } = (await refunds.json()) as { data: Array<{ id: string }> };
  await double.control(`POST /objects/${data[0]?.id}/settle`, {});
  await advance(app, app.test.scope, 25 * HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ id: refund.id, status: 'succeeded' }]);
  await expectSame();
});

it('P37 a refund whose answer was lost is none that failed because what was made cannot be listed', async () => {
  const bought = await purchase();
  const addFault = async (method: string, doing: object) => {
    const match = { account: account.id, method, path: '/v1/refunds' };
    return String((await double.control('POST /faults', { match, do: doing })).id);
  };
  const lost = await addFault('POST', { drop: 'after' });
  expect((await give(bought, { amount: 500 })).body.data.refund.status).toBe('pending');
  await double.control(`DELETE /faults/${lost}`);
  const unlisted = await addFault('GET', { status: 400, code: 'parameter_unknown', effect: false });
  await advance(app, app.test.scope, HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ status: 'pending' }]);
  await double.control(`DELETE /faults/${unlisted}`);
  await advance(app, app.test.scope, 8 * HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ status: 'succeeded', amount: 500 }]);
  expect(await refundedThere(bought)).toBe(500);
});

it('P37 a refund that was refused and made all the same succeeds once it is told, or compared', async () => {
  for (const isTold of [true, false]) {
    const bought = await purchase();
    await double.control('POST /faults', {
      match: { account: account.id, method: 'POST', path: '/v1/refunds' },
      ...{ do: { status: 400, code: 'charge_already_refunded', effect: true }, times: 1 },
    });
    const { refund } = (await give(bought, { amount: 500 })).body.data;
    expect(refund.status).toBe('failed');
    const listed = await fetch(`${double.apiUrl}/v1/refunds?payment_intent=${bought.object}`, {
      headers: { authorization: `Bearer ${account.secretKey}` },
    });
    const { data } = (await listed.json()) as { data: Array<{ id: string }> };
    if (isTold) await tell('refund.created', String(data[0]?.id), bought, refund.id);
    else expect((await reconcile()).counts).toMatchObject({ repaired: 1, imported: 0 });
    expect(await listOf(bought)).toMatchObject([{ status: 'succeeded', amount: 500 }]);
    expect(await refundedThere(bought)).toBe(500);
  }
});

it.each([
  ['charge_disputed', 'charge_disputed'],
  ['charge_already_refunded', 'not_refundable'],
])(
  'P37 a refund that Stripe refuses as %s has failed at once, and may be asked for anew',
  async (code, reason) => {
    const bought = await purchase();
    await double.control('POST /faults', {
      match: { account: account.id, method: 'POST', path: '/v1/refunds' },
      ...{ do: { status: 400, code, effect: false }, times: 1 },
    });
    const { refund } = (await give(bought, { amount: 500 })).body.data;
    expect(refund.status).toBe('failed');
    expect(await reasonOf(refund)).toBe(reason);
    expect((await give(bought, {})).body.data.refund).toMatchObject({ status: 'succeeded', amount: 1999 });
  },
);

it('P37 a refund that Stripe finds wrongly asked for says nothing of the money: it waits until it is asked for rightly', async () => {
  const bought = await purchase();
  const { id } = await double.control('POST /faults', {
    match: { account: account.id, method: 'POST', path: '/v1/refunds' },
    do: { status: 400, code: 'parameter_unknown', effect: false },
  });
  expect((await give(bought, { amount: 500 })).body.data.refund.status).toBe('pending');
  await advance(app, app.test.scope, HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ status: 'pending' }]);
  await double.control(`DELETE /faults/${String(id)}`);
  await advance(app, app.test.scope, 8 * HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ status: 'succeeded', amount: 500 }]);
  expect(await refundedThere(bought)).toBe(500);
});

it('P37 a refund that cannot be traced for 23 hours has failed, and has succeeded once it shows up', async () => {
  const bought = await purchase();
  const { id } = await double.control('POST /faults', {
    match: { account: account.id, method: 'POST', path: '/v1/refunds' },
    do: { drop: 'before' },
  });
  const { refund } = (await give(bought, { amount: 500 })).body.data;
  expect(refund.status).toBe('pending');
  realAheadMs = 22 * HOUR_MS;
  await advance(app, app.test.scope, 24 * HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ status: 'pending' }]);
  realAheadMs = 23 * HOUR_MS + 60_000;
  await advance(app, app.test.scope, 24 * HOUR_MS);
  expect(await listOf(bought)).toMatchObject([{ status: 'failed' }]);
  expect(await reasonOf(refund)).toBe('processor_error');
  expect(await countMails('processor_refund_lost')).toBe(1);
  await double.control(`DELETE /faults/${String(id)}`);
  const there = await refundInDashboard(
    { double, account },
    { object: bought.object, amount: 500, ownId: refund.id },
  );
  await tell('refund.created', there, bought, refund.id);
  await tell('refund.updated', there, bought, refund.id);
  const [after, ...more] = await listOf(bought);
  expect([after, more]).toMatchObject([{ status: 'succeeded' }, []]);
  expect(after?.creditNoteNumber).not.toBeNull();
  expect(await refundedThere(bought)).toBe(500);
  expect(await paymentOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 500 });
});

it('P39 a refund made in the dashboard, also while ours is in flight: one row and one credit note each', async () => {
  const bought = await purchase();
  const events = async () => {
    const { rows } = await app.service.pool.query(
      "select count(*)::int as count from events where type = 'payment_refunded' and entity_id = $1",
      [bought.paymentId],
    );
    return rows[0].count as number;
  };
  await double.control('POST /faults', {
    match: { account: account.id, method: 'POST', path: '/v1/refunds' },
    ...{ do: { drop: 'after' }, times: 1 },
  });
  expect((await give(bought, { amount: 500 })).body.data.refund.status).toBe('pending');
  const there = await refundInDashboard({ double, account }, { object: bought.object, amount: 500 });
  await tell('refund.created', there, bought);
  await tell('refund.updated', there, bought);
  await advance(app, app.test.scope, HOUR_MS);
  const refunds = await listOf(bought);
  expect(refunds.map(({ amount, status }) => ({ amount, status }))).toEqual([
    { amount: 500, status: 'succeeded' },
    { amount: 500, status: 'succeeded' },
  ]);
  expect(refunds.filter(({ note }) => note?.includes(there))).toHaveLength(1);
  expect(new Set(refunds.map(({ creditNoteNumber }) => creditNoteNumber)).size).toBe(2);
  expect(await events()).toBe(2);
  expect(await refundedThere(bought)).toBe(1000);
  expect(await paymentOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 1000 });
});

it('P34 a refund made in the dashboard before its payment is booked here is imported once it is', async () => {
  const confirm = { account: account.id, method: 'POST', path: '/v1/payment_intents/*/confirm' };
  const look = { account: account.id, method: 'GET', path: '/v1/payment_intents/*' };
  await double.control('POST /faults', { match: confirm, do: { drop: 'after' }, times: 1 });
  const fault = await double.control<{ id: string }>('POST /faults', {
    ...{ match: look, do: { status: 500, effect: false } },
  });
  const { body } = await buy(app.test, {
    ...{ offersIds: [offerId], processorId, paymentMethod: 'pm_card_visa' },
  });
  const { payment, order } = body.data;
  expect(payment.status).toBe('PENDING');
  const chargeId = String(payment.charges[0].id);
  const { processorId: object } = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .where('id', '=', chargeId)
    .executeTakeFirstOrThrow();
  const bought = {
    ...{ paymentId: String(payment.id), orderId: String(order.id), chargeId, object: String(object) },
  };
  await tell(
    'refund.created',
    await refundInDashboard({ double, account }, { object: bought.object, amount: 500 }),
    bought,
  );
  await double.control(`DELETE /faults/${fault.id}`);
  await advance(app, app.test.scope, HOUR_MS);
  expect(await paymentOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 500 });
});

it('P39 what no event told of is imported by the comparison, once', async () => {
  const bought = await purchase();
  await refundInDashboard({ double, account }, { object: bought.object, amount: 1999 });
  expect((await reconcile()).counts).toMatchObject({ imported: 1, amount_differs: 0, unknown_money: 0 });
  expect((await reconcile()).counts).toMatchObject({ imported: 0, amount_differs: 0, unknown_money: 0 });
  expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
  const { sums } = await reconcile();
  expect(sums).toEqual([{ currency: 'EUR', ours: sums[0].theirs, theirs: sums[0].theirs }]);
});
