/** What buyers' banks do to charges over Stripe, and what they warn of: both books have the same at each step. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { keepNotifications } from '../../src/flows/processors/take-notification.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import { buy } from '../support/buying.ts';
import { advance } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';

const DAY_MS = 86_400_000;
/** What happens there by itself takes a moment. */
const WAIT = { timeout: 20_000, interval: 250 };
const EUROS = { price: 1999, currency: 'EUR', taxBehavior: 'inclusive' };
let double: StripeDouble;
let app: TestApp;
let account: StripeAccount;
let processorId: string;
let offerId: string;

let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, double, account, processorId, close } = await openStripeApp());
  offerId = await makeOffer(app.test, EUROS);
});
afterEach(() => expectInvariants(app));
afterAll(() => close?.());

async function purchase(paymentMethod = 'pm_card_visa', offersIds = [offerId]) {
  const { body, text } = await buy(app.test, { offersIds, processorId, paymentMethod });
  expect(body.data?.payment.status, text).toBe('PAID');
  const { payment, order } = body.data;
  const chargeId = String(payment.charges[0].id);
  const charge = await app.service.db
    .selectFrom('charges')
    .select('processorId')
    .where('id', '=', chargeId)
    .executeTakeFirstOrThrow();
  const object = String(charge.processorId);
  return { chargeId, object, paymentId: String(payment.id), orderId: String(order.id) };
}

type Bought = Awaited<ReturnType<typeof purchase>>;

let told = 0;
/** What Stripe tells of it is taken in; and the look that it brings forward. */
async function tell({ object: ofCharge }: Bought, type = 'charge.dispute.updated'): Promise<void> {
  const realMs = app.service.realNowMs();
  const nowMs = realMs + (await getClock(app.service.db, app.test.scope)).offsetMs;
  told += 1;
  const about = { kind: 'dispute' as const, processorId: 'du_any', ofCharge, ownId: null };
  const notification = { id: `evt_${told}`, type, happenedAtMs: realMs, object: about };
  const kept = { connectionId: processorId, notifications: [notification], wasRead: false };
  const ctx = { ...app.service, nowMs };
  await inTransaction(app.service.db, (tx) => keepNotifications(ctx, app.test.scope, { tx, ...kept }));
  await advance(app, app.test.scope, 1000);
}

/** At the bank; and Stripe tells of it. */
async function dispute(bought: Bought, body: object, object = bought.object): Promise<string> {
  const made = await double.control(`POST /objects/${object}/dispute`, body);
  await tell(bought);
  return String(made.id);
}

const listOf = async ({ orderId }: Bought) =>
  (await app.test.get('/v0/disputes/list', { query: { orderId } })).body.data.disputes;
const paymentOf = async ({ paymentId }: Bought) =>
  (await app.test.get(`/v0/payments/${paymentId}`)).body.data.payment;
const refundsOf = async ({ orderId }: Bought) =>
  (await app.test.get(`/v0/refunds/list?orderId=${orderId}`)).body.data.refunds;
const refund = ({ orderId }: Bought, body = {}) => app.test.post(`/v0/orders/${orderId}/refunds`, body);

async function mailsOf(kind: string): Promise<Array<Record<string, unknown>>> {
  const rows = await app.service.db
    .selectFrom('mails')
    .select('params')
    .where('kind', '=', kind)
    .orderBy('createdAt')
    .execute();
  return rows.map(({ params }) => params as Record<string, unknown>);
}

async function isFrozen({ orderId }: Bought): Promise<boolean> {
  const orders = app.service.db.selectFrom('orders').select('frozenAt').where('id', '=', orderId);
  return (await orders.executeTakeFirstOrThrow()).frozenAt !== null;
}

/** Both books are read to now, and hold the same money. */
async function expectSameBooks(): Promise<void> {
  const to = app.service.realNowMs();
  const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, { from: 1, to });
  const counts = { missing_money: 0, unknown_money: 0, amount_differs: 0 };
  expect(body.data?.report.counts, text).toMatchObject(counts);
  const { balance } = await double.control<{ balance: { eur: number } }>(`GET /books?account=${account.id}`);
  const { balances } = (await app.test.get('/v0/ledger/balances')).body.data;
  const ours = balances.find(
    (row: { account: string; currency: string }) =>
      row.account === 'processor_clearing' && row.currency === 'EUR',
  );
  expect(ours.balance).toBe(balance.eur);
}

describe('P40 an inquiry over Stripe', () => {
  it('is told by mail, withholds nothing, and may come to nothing', async () => {
    const bought = await purchase();
    const id = await dispute(bought, { stage: 'inquiry', reason: 'product_not_received' });
    const [listed] = await listOf(bought);
    expect(listed).toMatchObject({
      ...{ object: 'dispute', status: 'open', stage: 'inquiry', reason: 'product_not_received' },
      ...{ amount: 1999, currency: 'EUR', chargeId: bought.chargeId, paymentId: bought.paymentId },
      ...{ processorUrl: `https://dashboard.stripe.com/test/disputes/${id}`, closedAt: null },
      evidence: { submitted: false, pastDue: false },
    });
    expect(listed.evidenceDueAt).toBeGreaterThan(app.service.realNowMs());
    const { body } = await app.test.get(`/v0/disputes/${listed.id}`);
    expect(body.data.dispute).toEqual(listed);
    await expectRefusal(app.test.get(`/v0/disputes/${bought.orderId}`), 404, 'not_found');
    await expectRefusal(app.other.get(`/v0/disputes/${listed.id}`), 404, 'not_found');
    expect(await isFrozen(bought)).toBe(false);
    expect(await mailsOf('dispute_inquiry')).toMatchObject([
      { reason: 'product_not_received', processorUrl: listed.processorUrl, dueAtMs: listed.evidenceDueAt },
    ]);
    expect((await refund(bought, { amount: 100 })).body.data.refund.status).toBe('succeeded');
    await dispute(bought, { stage: 'none' }, id);
    expect(await listOf(bought)).toMatchObject([{ status: 'closed', stage: 'none' }]);
    expect(await mailsOf('dispute_opened')).toEqual([]);
    const closed = await app.test.get('/v0/disputes/list', { query: { statuses: 'closed' } });
    expect(closed.body.data.disputes).toHaveLength(1);
    await expectSameBooks();
  });

  it('may become a dispute, whose money comes back when it is won, but for its fee', async () => {
    const bought = await purchase();
    const id = await dispute(bought, { stage: 'inquiry' });
    await dispute(bought, { stage: 'open' }, id);
    expect(await isFrozen(bought)).toBe(true);
    expect(await listOf(bought)).toMatchObject([{ status: 'open', stage: 'open', amount: 1999 }]);
    await expectRefusal(refund(bought), 409, 'payment_disputed');
    expect(await mailsOf('dispute_opened')).toHaveLength(1);
    await expectSameBooks();
    await dispute(bought, { stage: 'won' }, id);
    expect(await isFrozen(bought)).toBe(false);
    expect(await listOf(bought)).toMatchObject([{ status: 'won', stage: 'won' }]);
    expect(await paymentOf(bought)).toMatchObject({ status: 'PAID', refundedValue: 0 });
    await expectSameBooks();
    expect((await refund(bought, { amount: 500 })).body.data.refund.status).toBe('succeeded');
    expect((await refund(bought)).body.data.refund).toMatchObject({ status: 'succeeded', amount: 1499 });
    expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
    await expectSameBooks();
  });
});

describe('P40 several disputes of one charge over Stripe', () => {
  it('freeze until the last has ended, and each is lost or won by itself', async () => {
    const planId = await makePlanOffer(app.test, EUROS);
    const bought = await purchase('pm_card_visa', [planId]);
    const first = await dispute(bought, { stage: 'open', amount: 500 });
    const second = await dispute(bought, { stage: 'open', amount: 700 });
    expect(second).not.toBe(first);
    const subscriptionId = async () =>
      (await app.test.get(`/v0/orders/${bought.orderId}`)).body.data.subscription;
    expect(await subscriptionId()).toMatchObject({ status: 'paused' });
    expect((await listOf(bought)).map(({ amount }: { amount: number }) => amount).sort()).toEqual([500, 700]);
    await dispute(bought, { stage: 'lost' }, first);
    expect(await paymentOf(bought)).toMatchObject({ status: 'PARTIALLY_REFUNDED', refundedValue: 500 });
    expect(await isFrozen(bought)).toBe(true);
    expect(await subscriptionId()).toMatchObject({ status: 'paused' });
    await dispute(bought, { stage: 'won' }, second);
    expect(await isFrozen(bought)).toBe(false);
    expect(await subscriptionId()).toMatchObject({ status: 'active' });
    expect(await refundsOf(bought)).toMatchObject([{ reason: 'dispute', amount: 500, status: 'succeeded' }]);
    await expectSameBooks();
  });

  it('the test card of two has them both, and nothing is left when both are lost', async () => {
    const bought = await purchase('pm_card_createMultipleDisputes');
    const listed = await vi.waitFor(async () => {
      await tell(bought);
      const both = await listOf(bought);
      expect(both).toHaveLength(2);
      return both;
    }, WAIT);
    expect(listed.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      'fraudulent',
      'product_not_received',
    ]);
    for (const { processorUrl } of listed) {
      await dispute(bought, { stage: 'lost' }, String(processorUrl.split('/').pop()));
    }
    const { value } = await paymentOf(bought);
    expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED', refundedValue: value });
    await expectSameBooks();
  });
});

describe('P40 a dispute over Stripe', () => {
  it('that is lost after a part was refunded takes what is left, and the rest stands apart', async () => {
    const bought = await purchase();
    await refund(bought, { amount: 600 });
    const id = await dispute(bought, { stage: 'open' });
    expect(await listOf(bought)).toMatchObject([{ stage: 'open', amount: 1399 }]);
    const told = { amountMinor: 600, currency: 'EUR' };
    expect((await mailsOf('dispute_excess')).at(-1)).toMatchObject(told);
    await dispute(bought, { stage: 'lost' }, id);
    expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
    expect((await refundsOf(bought)).map(({ amount }: { amount: number }) => amount).sort()).toEqual([
      1399, 600,
    ]);
    await expectSameBooks();
  });

  it('of what was refunded whole takes nothing of ours, and is told', async () => {
    const bought = await purchase();
    await refund(bought);
    const id = await dispute(bought, { stage: 'open' });
    expect(await listOf(bought)).toMatchObject([{ stage: 'open', amount: 0, tax: 0 }]);
    await dispute(bought, { stage: 'lost' }, id);
    expect(await refundsOf(bought)).toHaveLength(1);
    expect(await listOf(bought)).toMatchObject([{ stage: 'lost', amount: 0 }]);
    await expectSameBooks();
  });

  it('that is given back after it was lost changes the books alone', async () => {
    const bought = await purchase();
    const id = await dispute(bought, { stage: 'lost' });
    expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED', refundedValue: 1999 });
    await dispute(bought, { stage: 'won' }, id);
    expect(await listOf(bought)).toMatchObject([{ stage: 'lost' }]);
    expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED' });
    await expectSameBooks();
  });
});

describe('P40 an early fraud warning', () => {
  /** The issuer takes its time. */
  const warn = async () => {
    const bought = await purchase('pm_card_createIssuerFraudRecord');
    await vi.waitFor(async () => {
      await tell(bought, 'radar.early_fraud_warning.created');
      expect(await mailOf(bought)).toHaveLength(1);
    }, WAIT);
    return bought;
  };
  const mailOf = async ({ orderId }: Bought) => {
    const { order } = (await app.test.get(`/v0/orders/${orderId}`)).body.data;
    return (await mailsOf('early_fraud_warning')).filter(({ orderNumber }) => orderNumber === order.number);
  };

  it('is told, and gives nothing back by itself', async () => {
    const bought = await warn();
    await tell(bought, 'radar.early_fraud_warning.created');
    expect(await mailOf(bought)).toMatchObject([{ isRefunded: false, amountMinor: 1999 }]);
    expect(await refundsOf(bought)).toEqual([]);
    expect(await paymentOf(bought)).toMatchObject({ status: 'PAID' });
  });

  it('gives all back at once where the store says so', async () => {
    await app.test.patch('/v0/settings/update', { earlyFraudWarning: 'refund' });
    const bought = await warn();
    await tell(bought, 'radar.early_fraud_warning.created');
    expect(await mailOf(bought)).toMatchObject([{ isRefunded: true }]);
    expect(await refundsOf(bought)).toMatchObject([
      { reason: 'fraudulent', amount: 1999, status: 'succeeded' },
    ]);
    expect(await paymentOf(bought)).toMatchObject({ status: 'REFUNDED' });
    await app.test.patch('/v0/settings/update', { earlyFraudWarning: 'notify' });
    await advance(app, app.test.scope, DAY_MS);
    await expectSameBooks();
  });
});
