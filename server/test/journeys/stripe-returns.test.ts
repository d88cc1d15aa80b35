/** What a bank sent back, and is given back in Stripe's dashboard once more: it is owed to nobody, and is no second refund. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';
import { reconcileUntilNow, refundInDashboard } from '../support/stripe-refunds.ts';

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

/** Given back whole, and come back. */
async function purchaseReturned() {
  const { body } = await buy(app.test, { offersIds: [offerId], processorId, paymentMethod: 'pm_card_visa' });
  const { payment, order } = body.data;
  const { refund } = (await app.test.post(`/v0/orders/${order.id}/refunds`, {})).body.data;
  const [there] = await rowsOf<{ refund: string; charge: string }>(
    `select r.processor_id as refund, c.processor_id as charge from refunds r join charges c on c.id = r.charge_id
     where r.id = $1`,
    [refund.id],
  );
  await double.control(`POST /objects/${there?.refund}/return`, {});
  await reconcile();
  return {
    refundId: String(refund.id),
    orderId: String(order.id),
    value: Number(payment.value),
    object: String(there?.charge),
  };
}

async function rowsOf<T>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await app.service.pool.query<never>(text, values)).rows as T[];
}

async function reconcile() {
  // The processor stamps whole seconds.
  realAheadMs += 2_000;
  return reconcileUntilNow(app, processorId);
}

async function balanceOf(name: string): Promise<number> {
  const { balances } = (await app.test.get('/v0/ledger/balances')).body.data;
  return balances
    .filter(({ account: of }: { account: string }) => of === name)
    .reduce((sum: number, { balance }: { balance: number }) => sum + balance, 0);
}

async function clearingThere(): Promise<number> {
  const { balance } = await double.control<{ balance: Record<string, number> }>(
    `GET /books?account=${account.id}`,
  );
  return Object.values(balance).reduce((sum, amount) => sum + amount, 0);
}

it('P38 P39 settles what came back, once, by the refund of the same sum that was made there', async () => {
  const { refundId, orderId, value, object } = await purchaseReturned();
  expect(await balanceOf('refunds_payable')).toBe(-value);
  const again = await refundInDashboard({ double, account }, { object, amount: value });
  expect(await reconcile()).toMatchObject({ counts: { imported: 1, amount_differs: 0 } });
  expect(await reconcile()).toMatchObject({ counts: { imported: 0, amount_differs: 0 } });
  expect(await balanceOf('refunds_payable')).toBe(0);
  expect(await balanceOf('processor_clearing')).toBe(await clearingThere());
  const { refunds } = (await app.test.get(`/v0/refunds/list?orderId=${orderId}`)).body.data;
  expect(refunds).toMatchObject([{ id: refundId, status: 'succeeded', amount: value }]);
  await expectRefusal(
    app.test.post(`/v0/refunds/${refundId}/settle`, { reference: 'T-1' }),
    409,
    'refund_state',
  );
  const { proof } = (await app.test.get('/v0/ledger/proof')).body.data;
  expect(proof.differences).toEqual([]);
  expect(await rowsOf('select status from processor_movements where source = $1', [again])).toEqual([
    { status: 'linked' },
  ]);
});

it('P38 P39 leaves to a person what was given back there of another sum, or came back once more', async () => {
  const { refundId, value, object } = await purchaseReturned();
  const other = await refundInDashboard({ double, account }, { object, amount: value - 1 });
  expect(await reconcile()).toMatchObject({ counts: { imported: 0, amount_differs: 1 } });
  expect(await balanceOf('refunds_payable')).toBe(-value);
  await double.control(`POST /objects/${other}/return`, {});
  const again = await refundInDashboard({ double, account }, { object, amount: value });
  expect(await reconcile()).toMatchObject({ counts: { imported: 1 } });
  expect(await balanceOf('refunds_payable')).toBe(0);
  await double.control(`POST /objects/${again}/return`, {});
  const { id, counts } = await reconcile();
  expect(counts).toMatchObject({ amount_differs: 1 });
  expect(await rowsOf('select return_reference as by from refunds where id = $1', [refundId])).toEqual([
    { by: again },
  ]);
  const path = `/v0/processors/${processorId}/reports/${id}/acknowledge`;
  expect((await app.test.post(path, { note: 'Paid by hand.' })).status).toBe(200);
});
