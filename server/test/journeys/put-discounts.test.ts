/** A code that is put on a running subscription: when it counts, what it costs, and what refuses it. */
import { expect, it } from 'vitest';
import { PAYS_ONCE } from '../support/cards.ts';
import { createPlanOperations } from '../support/changing-plans.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import type { TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

let app: TestApp;
let plans: ReturnType<typeof createPlanOperations>;
let silverId: string;
let goldId: string;
let count = 0;

useShop(async (made) => {
  app = made;
  plans = createPlanOperations(app);
  silverId = await makePlanOffer(app.test, { price: 1000, name: 'Silver' });
  goldId = await makePlanOffer(app.test, { price: 3000, name: 'Gold' });
});

async function makeCode(fields: Record<string, unknown> = {}): Promise<{ code: string; id: string }> {
  count += 1;
  const code = `KEEP-${count}`;
  const { body, text } = await app.test.post('/v0/discounts/create', {
    type: 'code',
    discountCode: code,
    amount: 50,
    amountType: 'percentage',
    includesAllOffers: true,
    ...fields,
  });
  expect(body.status, text).toBe('success');
  return { code, id: body.data.discount.id };
}

const start = (body: Record<string, unknown> = {}) =>
  subscribe(app, silverId, { userEmail: `${Math.random()}@example.com`, ...body });
const usesOf = async (id: string) => (await app.test.get(`/v0/discounts/${id}`)).body.data.discount.timesUsed;

async function put(subscribed: Subscribed, body: Record<string, unknown>) {
  const preview = await plans.preview(subscribed, body);
  const { status, body: answer, text } = await plans.update(subscribed, body);
  expect(status, text).toBe(200);
  expect(answer.data.payment?.value ?? 0).toBe(preview.amountDue);
  expect((await plans.upcoming(subscribed))?.value).toBe(preview.nextPayment?.value);
  return answer.data;
}

it('is used at once and lowers the payments from the next interval on', async () => {
  const { code, id } = await makeCode({ duration: 'repeating', durationIntervals: 2 });
  const subscribed = await start();
  const { subscription } = await put(subscribed, { discountCode: code });
  expect(subscription.discount).toMatchObject({ id, discountCode: code, amount: 50 });
  expect(await usesOf(id)).toBe(1);
  const values: number[] = [];
  for (let period = 0; period < 3; period += 1) values.push((await plans.renew(subscribed)).value);
  expect(values).toEqual([595, 595, 1190]);
  expect(await usesOf(id)).toBe(1);
  // It has run out: another may follow.
  const next = await makeCode();
  await put(subscribed, { discountCode: next.code });
  expect(await plans.renew(subscribed)).toMatchObject({ value: 595 });
});

it('leaves the period that runs at the price that it was paid at', async () => {
  const first = await makeCode({ amount: 20 });
  const subscribed = await start({ discountCode: first.code });
  const { code } = await makeCode();
  await put(subscribed, { discountCode: code });
  const { currentIntervalStart: prorationDate } = await show(app, subscribed);
  const preview = await plans.preview(subscribed, { offerId: goldId, prorationDate });
  // 20 % off both plans in this period, 50 % off the next.
  expect(preview.lines.map(({ total }: { total: number }) => total)).toEqual([-952, 2856]);
  expect(preview.nextPayment.value).toBe(2856 - 952 + 1785);
});

it('lowers the new period of another interval that the same update asks for', async () => {
  const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
  const { code } = await makeCode();
  const subscribed = await start();
  const { currentIntervalStart: prorationDate } = await show(app, subscribed);
  const { payment } = await put(subscribed, { offerId: yearlyId, discountCode: code, prorationDate });
  // 4,500 and 855 of tax, less 1,190; it was one of one.
  expect(payment).toMatchObject({ status: 'PAID', value: 5355 - 1190 });
  expect(await plans.renew(subscribed)).toMatchObject({ value: 10_710 });
});

it('stays where the payment of such a change is declined, and counts none', async () => {
  const yearlyId = await makePlanOffer(app.test, { price: 9000, recurringInterval: 'year' });
  const { code, id } = await makeCode();
  const subscribed = await start({ card: PAYS_ONCE });
  const { payment } = (await plans.update(subscribed, { offerId: yearlyId, discountCode: code })).body.data;
  expect(payment.status).toBe('FAILED');
  expect(await usesOf(id)).toBe(1);
  expect(await plans.upcoming(subscribed)).toMatchObject({ value: 595 });
});

it('in a trial lowers the first payment after it', async () => {
  const offerId = await makePlanOffer(app.test, {
    price: 1000,
    trialInterval: 'day',
    trialIntervalCount: 14,
  });
  const { code } = await makeCode();
  const subscribed = await subscribe(app, offerId, { userEmail: `${Math.random()}@example.com` });
  await put(subscribed, { discountCode: code });
  expect(await plans.renew(subscribed)).toMatchObject({ value: 595 });
  expect(await plans.renew(subscribed)).toMatchObject({ value: 1190 });
});

it('keeps its redemption when the first payment is refunded in full', async () => {
  const first = await makeCode();
  const later = await makeCode();
  const subscribed = await start({ discountCode: first.code });
  await put(subscribed, { discountCode: later.code });
  await app.test.post(`/v0/orders/${subscribed.orderId}/refunds`, {});
  expect(await usesOf(first.id)).toBe(0);
  expect(await usesOf(later.id)).toBe(1);
});

it('is refused where one still runs, and where it cannot be used, with its own word', async () => {
  const forever = await makeCode({ duration: 'forever' });
  const other = await makeCode();
  const subscribed = await start({ discountCode: forever.code });
  const running = { discountCode: other.code };
  await expectRefusal(plans.update(subscribed, running), 409, 'discount_running');
  const path = `/v0/subscriptions/${subscribed.number}/preview-update`;
  await expectRefusal(app.test.post(path, running, { keys: 'public' }), 409, 'discount_running');

  const plain = await start();
  const limited = await makeCode({ purchaseLimit: 1 });
  await start({ discountCode: limited.code });
  const refused: Array<[Record<string, unknown> | string, string]> = [
    ['NO-SUCH-CODE', 'discount_code_unknown'],
    [limited.code, 'discount_exhausted'],
    [(await makeCode({ status: 'inactive' })).code, 'discount_inactive'],
    [(await makeCode({ validUntil: Date.UTC(2020, 0) })).code, 'discount_expired'],
    [
      (await makeCode({ includesAllOffers: false, includedOffers: [goldId] })).code,
      'discount_not_applicable',
    ],
  ];
  for (const [discountCode, code] of refused) {
    await expectRefusal(plans.update(plain, { discountCode }), 400, code);
  }
  expect(await usesOf(limited.id)).toBe(1);
});

it('Y24 tells the public key alone no more of who has used it than a quote does', async () => {
  const { code: discountCode } = await makeCode({ limitPerUser: 1 });
  const userEmail = 'used-it@example.com';
  await start({ userEmail, discountCode });
  const again = await start({ userEmail });
  const path = `/v0/subscriptions/${again.number}/preview-update`;
  const shown = await app.test.post(path, { discountCode }, { keys: 'public' });
  expect(shown.body.data?.preview.nextPayment.value, shown.text).toBe(595);
  await expectRefusal(app.test.post(path, { discountCode }), 400, 'discount_user_limit');
  await expectRefusal(plans.update(again, { discountCode }), 400, 'discount_user_limit');
});

it('of a limit of one is put on one subscription, however many ask at once', async () => {
  const { code, id } = await makeCode({ purchaseLimit: 1 });
  const all = [await start(), await start(), await start(), await start()];
  const answers = await Promise.all(all.map((one) => plans.update(one, { discountCode: code })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
  expect(await usesOf(id)).toBe(1);
});

it('is put on once by the same request at once, and not used where it takes nothing off', async () => {
  const subscribed = await start();
  const { code, id } = await makeCode({ duration: 'forever' });
  const answers = await Promise.all([1, 2, 3].map(() => plans.update(subscribed, { discountCode: code })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  expect(await usesOf(id)).toBe(1);
  const tiny = await makeCode({ amount: 0.01 });
  const other = await start();
  const { subscription } = await put(other, { discountCode: tiny.code });
  expect(subscription.discount).toBeNull();
  expect(await usesOf(tiny.id)).toBe(0);
});
