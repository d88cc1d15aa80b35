/** Stripe takes other money than was asked for: nobody is paid by it until a person decides, and both books agree then. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy, card } from '../support/buying.ts';
import { VISA } from '../support/cards.ts';
import { advance } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';
import { openStripeApp } from '../support/stripe-app.ts';
import type { StripeAccount, StripeDouble } from '../support/stripe-double.ts';

let double: StripeDouble;
let app: TestApp;
let account: StripeAccount;
let processorId: string;
let offerId: string;

let close: () => Promise<void>;
beforeAll(async () => {
  ({ app, double, account, processorId, close } = await openStripeApp());
  offerId = await makeOffer(app.test, { currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(() => expectInvariants(app));
afterAll(() => close?.());

const countHeldMails = async () =>
  (await app.service.db.selectFrom('mails').select('id').where('kind', '=', 'charge_held').execute()).length;

/** A purchase of 19.99 EUR by which so much is taken. */
async function startHeld(take: { amount?: number; currency?: string }) {
  const mails = await countHeldMails();
  await double.control('POST /faults', {
    match: { account: account.id, method: 'POST', path: '/v1/payment_intents/*/confirm' },
    ...{ do: { take }, times: 1 },
  });
  const { body, text } = await buy(app.test, {
    offersIds: [offerId],
    processorId,
    paymentMethod: 'pm_card_visa',
  });
  const { payment, order } = body.data;
  expect(payment.status, text).toBe('PENDING');
  const { amount = 1999, currency = 'eur' } = take;
  expect(payment.charges).toMatchObject([
    { status: 'pending', hold: 'discrepancy', taken: { amount, currency: currency.toUpperCase() } },
  ]);
  expect(await countHeldMails()).toBe(mails + 1);
  await expectInvariants(app);
  const chargeId = String(payment.charges[0].id);
  return {
    orderId: String(order.id),
    decide: (verb: string) => app.test.post(`/v0/charges/${chargeId}/${verb}`, { note: 'Seen to.' }),
    read: async () => (await app.test.get(`/v0/payments/${payment.id}`)).body.data.payment,
  };
}

/** What the account holds is what our books say that it does, in each currency. */
async function expectBooksToAgree(): Promise<void> {
  const to = app.service.realNowMs();
  const asked = { from: to - 86_400_000, to };
  const { body, text } = await app.test.post(`/v0/processors/${processorId}/reconcile`, asked);
  expect(body.data?.report.counts, text).toMatchObject({
    ...{ repaired: 0, missing_money: 0, unknown_money: 0, amount_differs: 0 },
  });
  const sums = body.data.report.sums as Array<{ ours: number; theirs: number }>;
  expect(sums.map(({ ours }) => ours)).toEqual(sums.map(({ theirs }) => theirs));
}

const OTHER = [
  ['a unit less', { amount: 1998 }],
  ['a unit more', { amount: 2000 }],
  ['USD for EUR', { currency: 'usd' }],
] as const;

describe('P41 what Stripe takes beside what was asked for', () => {
  it.each(OTHER)('is held, and accepted it pays: %s', async (_name, take) => {
    const { decide, read } = await startHeld(take);
    const accepted = await decide('accept');
    expect(accepted.status, accepted.text).toBe(200);
    expect(await read()).toMatchObject({ status: 'PAID', value: 1999, charges: [{ status: 'succeeded' }] });
    await expectBooksToAgree();
  });

  it.each(OTHER)('is held, and sent back the payment is payable again: %s', async (_name, take) => {
    const { decide, read, orderId } = await startHeld(take);
    const returned = await decide('return');
    expect(returned.status, returned.text).toBe(200);
    await advance(app, app.test.scope, 1000);
    const { status, charges, payUrl } = await read();
    expect({ status, charges }).toMatchObject({ status: 'FAILED', charges: [{ status: 'failed' }] });
    await expectBooksToAgree();
    const base = new URL(payUrl).pathname.replace('/pay/', '/payment-pages/');
    const body = { card: card(VISA) };
    const paid = await app.test.request('POST', `${base}/pay`, { keys: 'none', body });
    expect(paid.status, paid.text).toBe(200);
    const { order } = (await app.test.get(`/v0/orders/${orderId}`)).body.data;
    expect(order.status).toBe('PAID');
  });
});
