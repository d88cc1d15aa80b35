/** What withdrawals and cancellation notices do: what goes back, what ends, and what a person decides. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { DISPUTED } from '../support/cards.ts';
import { DAY_MS } from '../support/clock.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { readPdf } from '../support/read-pdf.ts';

let app: TestApp;
let shop: LawShop;
beforeAll(async () => {
  app = await createTestApp();
  await makePlanOffer(app.test);
  const slug = (await app.test.get('/v0/settings')).body.data.settings.portalSlug;
  shop = createLawShop(app, slug);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

describe('S30: what a withdrawal gives back', () => {
  it('of a subscription with consent is what was not used, after 24 hours, with a credit note', async () => {
    const offerId = await makePlanOffer(app.test, { price: 3000, recurringInterval: 'week' });
    const sale = await shop.sell([offerId], { consent: true });
    await shop.pass(2 * DAY_MS);
    const id = await shop.withdrawFrom(sale);
    const { receivedAt } = await shop.withdrawalOf(id);
    expect(await shop.withdrawalOf(id)).toMatchObject({
      status: 'received',
      orderId: sale.order.id,
      reason: null,
    });
    await shop.pass(DAY_MS - 10_000);
    expect((await shop.withdrawalOf(id)).status).toBe('received');
    await shop.pass(20_000);
    const done = await shop.withdrawalOf(id);
    expect(done.status).toBe('refunded');
    const { refunds, payments, subscription } = await shop.orderOf(sale.order.id);
    const [{ value }] = payments;
    const { currentIntervalStart: start, currentIntervalEnd: end } = (
      await app.test.get(`/v0/subscriptions/${sale.order.number}`)
    ).body.data.subscription;
    const used = Math.round((value * (receivedAt - start)) / (end - start));
    expect(refunds).toMatchObject([
      { id: done.refundIds[0], amount: value - used, status: 'succeeded', note: `withdrawal ${done.number}` },
    ]);
    expect(refunds[0].creditNoteNumber).not.toBeNull();
    expect(subscription.status).toBe('canceled');
  });

  it('is nothing once the order’s mailbox says that it was not theirs; GET changes nothing', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)]);
    const id = await shop.withdrawFrom(sale);
    await shop.settle();
    const [mail] = await shop.listMails('withdrawal_received', sale.email);
    expect(mail?.plain).toContain('This was not me');
    const url = shop.linkIn(mail?.plain ?? null, 'withdraw/object/');
    expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    expect((await app.app.inject({ method: 'POST', url: `${url}x` })).statusCode).toBe(404);
    expect((await shop.withdrawalOf(id)).status).toBe('received');
    for (const _press of [1, 2]) expect((await app.app.inject({ method: 'POST', url })).statusCode).toBe(200);
    expect((await shop.withdrawalOf(id)).status).toBe('stopped');
    await shop.pass(2 * DAY_MS);
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'stopped', refundIds: [] });
    expect((await shop.orderOf(sale.order.id)).subscription.status).toBe('active');
    await expectRefusal(shop.decide(id, { accept: true }), 409, 'withdrawal_state');
    const late = await shop.withdrawFrom(sale);
    await shop.settle();
    const mails = await shop.listMails('withdrawal_received', sale.email);
    const lateUrl = shop.linkIn(
      mails.find(({ key }) => key.endsWith(late))?.plain ?? null,
      'withdraw/object/',
    );
    await shop.pass(DAY_MS);
    expect((await app.app.inject({ method: 'POST', url: lateUrl })).statusCode).toBe(409);
  });
});

describe('S31: content', () => {
  it('that was delivered with consent is waived, and day 19 is too late: the merchant decides', async () => {
    const sale = await shop.sell([await shop.makeKeyed()], { consent: true });
    await shop.beginDelivery(sale.order.id);
    const id = await shop.withdrawFrom(sale);
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'received', reason: 'waived' });
    await shop.pass(2 * DAY_MS);
    expect((await shop.withdrawalOf(id)).status).toBe('received');
    const refused = await shop.decide(id, {
      accept: false,
      reason: 'waived',
      note: 'You have read the key.',
    });
    expect(refused.body.data.withdrawal).toMatchObject({ status: 'refused', reason: 'waived' });
    await shop.settle();
    const [mail] = await shop.listMails('withdrawal_decided', sale.email);
    expect(mail?.plain).toContain('You have read the key.');
    await expectRefusal(shop.decide(id, { accept: true }), 409, 'withdrawal_state');
    const other = await shop.sell([await shop.makeKeyed()]);
    await shop.pass(19 * DAY_MS);
    const late = await shop.withdrawFrom(other);
    expect(await shop.withdrawalOf(late)).toMatchObject({ status: 'received', reason: 'late' });
    await expectRefusal(shop.decide(late, { accept: true, amount: 999_999 }), 400, 'refund_exceeds_paid');
    const accepted = await shop.decide(late, { accept: true, amount: 500 });
    expect(accepted.body.data.withdrawal, accepted.text).toMatchObject({ status: 'refunded' });
    expect((await shop.orderOf(other.order.id)).order).toMatchObject({ refundedValue: 500 });
  });

  it('whose key was shown without consent waits for the merchant, or comes back where the shop lets it', async () => {
    const sale = await shop.sell([await shop.makeKeyed()]);
    await shop.beginDelivery(sale.order.id);
    const id = await shop.withdrawFrom(sale);
    await shop.pass(2 * DAY_MS);
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'received', reason: null, refundIds: [] });
    await shop.set({ deliveredContent: 'automatic' });
    const other = await shop.sell([await shop.makeKeyed()]);
    await shop.beginDelivery(other.order.id);
    const back = await shop.withdrawFrom(other);
    await shop.pass(DAY_MS + 1000);
    expect((await shop.withdrawalOf(back)).status).toBe('refunded');
    const { order, items } = await shop.orderOf(other.order.id);
    expect([order.status, items[0].keys]).toEqual(['REFUNDED', []]);
    await shop.set({ deliveredContent: 'manual' });
  });

  it('that nobody has seen comes back whole', async () => {
    const sale = await shop.sell([await shop.makeKeyed()]);
    const id = await shop.withdrawFrom(sale);
    await shop.pass(DAY_MS + 1000);
    expect((await shop.withdrawalOf(id)).status).toBe('refunded');
    expect((await shop.orderOf(sale.order.id)).order.status).toBe('REFUNDED');
  });

  it.each([
    ['business', { billingDetails: { countryCode: 'FR', type: 'company', companyName: 'Ada SARL' } }],
    ['elsewhere', { billingDetails: { countryCode: 'CH' } }],
  ])('of a buyer without the right says %s', async (reason, body) => {
    const id = await shop.withdrawFrom(await shop.sell([await shop.makeKeyed()], body));
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'received', reason });
  });

  it('that is excluded says so; an unmatched one is decided by its order', async () => {
    const productId = await makeProduct(app.test, { withdrawal: 'excluded' });
    const sale = await shop.sell([await makeOffer(app.test, { productId })]);
    expect(sale.order.withdrawableUntil).toBeNull();
    expect((await shop.withdrawalOf(await shop.withdrawFrom(sale))).reason).toBe('excluded');
    const id = await shop.withdrawFrom({ order: { number: 'NOTHING' }, email: shop.newEmail() });
    await expectRefusal(shop.decide(id, { accept: true }), 400, 'invalid_input');
    await expectRefusal(shop.decide(id, { accept: true, orderId: crypto.randomUUID() }), 404, 'not_found');
    const accepted = await shop.decide(id, { accept: true, orderId: `#${sale.order.number}` });
    expect(accepted.body.data.withdrawal).toMatchObject({ status: 'refunded', orderId: sale.order.id });
  });

  it('is listed by the day until which it is to be decided', async () => {
    const sale = await shop.sell([await makeOffer(app.test)]);
    const id = await shop.withdrawFrom(sale);
    const due = (await shop.withdrawalOf(id)).receivedAt + 14 * DAY_MS;
    const list = async (query: Record<string, string>) => {
      const answer = await app.test.get('/v0/withdrawals/list', { query: { term: sale.email, ...query } });
      return answer.body.data.withdrawals.map((row: { id: string }) => row.id);
    };
    expect(await list({ dueFrom: `${due}`, dueTo: `${due}` })).toEqual([id]);
    expect(await list({ dueFrom: `${due + 1}` })).toEqual([]);
    expect(await list({ dueTo: `${due - 1}` })).toEqual([]);
  });
});

describe('a decision', () => {
  it('for more than was paid is refused, and the contract goes on', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)], {
      billingDetails: { countryCode: 'CH' },
    });
    const id = await shop.withdrawFrom(sale);
    expect((await shop.withdrawalOf(id)).reason).toBe('elsewhere');
    await expectRefusal(shop.decide(id, { accept: true, amount: 99_999_999 }), 400, 'refund_exceeds_paid');
    expect((await shop.orderOf(sale.order.id)).subscription.status).toBe('active');
    const accepted = await shop.decide(id, { accept: true, amount: 1 });
    expect(accepted.body.data.withdrawal.status, accepted.text).toBe('refunded');
    expect((await shop.orderOf(sale.order.id)).subscription.status).toBe('canceled');
  });

  it('is made once, however many are sent at the same time', async () => {
    await shop.set({ withdrawalHandling: 'manual' });
    const sale = await shop.sell([await makeOffer(app.test)]);
    const id = await shop.withdrawFrom(sale);
    const asked = [
      ...[100, 200, 300].map((amount) => ({ accept: true, amount })),
      ...['other', 'late'].map((reason) => ({ accept: false, reason })),
    ];
    const answers = await Promise.all(asked.map((body) => shop.decide(id, body)));
    await shop.set({ withdrawalHandling: 'automatic' });
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).toSorted();
    expect(codes).toEqual(['200 ', ...Array<string>(4).fill('409 withdrawal_state')]);
    const made = asked[answers.findIndex(({ status }) => status === 200)];
    await shop.settle();
    const withdrawal = await shop.withdrawalOf(id);
    const { refundedValue } = (await shop.orderOf(sale.order.id)).order;
    expect([withdrawal.status, refundedValue]).toEqual(
      made && 'amount' in made ? ['refunded', made.amount] : ['refused', 0],
    );
    expect(await shop.listMails('withdrawal_decided', sale.email)).toHaveLength(1);
  });

  it('is asked of an order by a number in wide letters, as keyboards of Japan type them', async () => {
    const sale = await shop.sell([await shop.makeKeyed()]);
    const wide = [...`＃${sale.order.number}`].map((sign) =>
      /[0-9A-Z]/.test(sign) ? String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0) : sign,
    );
    const id = await shop.withdrawFrom({ order: { number: `\u200b${wide.join('')} ` }, email: sale.email });
    expect((await shop.withdrawalOf(id)).orderId).toBe(sale.order.id);
  });
});

describe('S32: the button that cancels contracts', () => {
  it('ends an ordinary contract with its period, by PDF and mail, from which it can be kept', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)]);
    const answer = await shop.cancel({
      contractNumber: sale.order.number,
      email: sale.email,
      language: 'de',
    });
    expect(answer.status, answer.text).toBe(200);
    const { notice, confirmationUrl } = answer.body.data;
    expect(notice).toMatchObject({ status: 'received', subscriptionId: null });
    expect(await shop.noticeOf(notice.id)).toMatchObject({
      status: 'done',
      subscriptionId: sale.order.number,
    });
    const show = async () =>
      (await app.test.get(`/v0/subscriptions/${sale.order.number}`)).body.data.subscription;
    expect(await show()).toMatchObject({ status: 'active', cancelAtIntervalEnd: true });
    await shop.settle();
    const [mail] = await shop.listMails('notice_received', sale.email);
    expect(mail?.subject).toContain('Ihre Kündigung');
    expect(mail?.plain).toContain('Abonnement behalten');
    const pdf = await app.app.inject({ method: 'GET', url: new URL(confirmationUrl).pathname });
    expect((await readPdf(pdf.rawPayload)).text).toContain(notice.number);
    const url = shop.linkIn(mail?.plain ?? null, 'cancel-contract/keep/');
    expect((await app.app.inject({ method: 'GET', url })).statusCode).toBe(200);
    expect((await show()).cancelAtIntervalEnd).toBe(true);
    expect((await app.app.inject({ method: 'POST', url })).statusCode).toBe(200);
    expect((await show()).cancelAtIntervalEnd).toBe(false);
    await shop.settle();
    const [kept] = await shop.listMails('subscription_changed', sale.email);
    expect(kept?.plain).toContain('Next payment: ');
    expect(kept?.plain).toContain('Amount: €23.79');
    await shop.cancel({ contractNumber: sale.order.number, email: sale.email });
    await shop.pass(32 * DAY_MS);
    expect((await show()).status).toBe('canceled');
  });

  it('is heard while the first payment is under way, and ends the contract once that is known', async () => {
    const offersIds = [await makePlanOffer(app.test)];
    const email = shop.newEmail();
    const begun = await buy(app.test, { offersIds, userEmail: email, card: '4000000000000119' });
    const { order } = begun.body.data;
    const show = async () =>
      (await app.test.get(`/v0/subscriptions/${order.number}`)).body.data.subscription.status;
    expect(await show()).toBe('incomplete');
    const answer = await shop.cancel({ contractNumber: order.number, email });
    expect(answer.status, answer.text).toBe(200);
    await shop.settle();
    expect(await shop.listMails('notice_received', email)).toHaveLength(1);
    await shop.pass(10 * 60_000);
    expect((await shop.noticeOf(answer.body.data.notice.id)).status).toBe('done');
    const { subscription } = await shop.orderOf(order.id);
    expect(subscription.status === 'canceled' || subscription.cancelAtIntervalEnd).toBe(true);
  });

  it('keeps a later date, and cancels in the last period before it', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test, { recurringInterval: 'week' })]);
    const show = async () =>
      (await app.test.get(`/v0/subscriptions/${sale.order.number}`)).body.data.subscription;
    const endDate = (await show()).currentIntervalEnd + 10 * DAY_MS;
    const { body } = await shop.cancel({ contractNumber: sale.order.number, email: sale.email, endDate });
    expect((await show()).cancelAtIntervalEnd).toBe(false);
    expect(await shop.noticeOf(body.data.notice.id)).toMatchObject({ status: 'received', endDate });
    await shop.pass(8 * DAY_MS);
    expect(await show()).toMatchObject({ status: 'active', cancelAtIntervalEnd: true });
    expect((await shop.noticeOf(body.data.notice.id)).status).toBe('done');
    await shop.pass(7 * DAY_MS);
    const ended = await show();
    expect(ended.status).toBe('canceled');
    expect(ended.endedAt).toBeLessThanOrEqual(endDate);
  });

  it('leaves a cause, and a contract that is not the sender’s, to the merchant', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)]);
    const number = sale.order.number;
    await expectRefusal(
      shop.cancel({ type: 'cause', contractNumber: number, email: sale.email }),
      400,
      'invalid_input',
    );
    const cause = { type: 'cause', reason: 'It never worked.', contractNumber: number };
    const own = (await shop.cancel({ ...cause, email: sale.email })).body.data.notice.id;
    const decideNotice = (id: string, body: Record<string, unknown>) =>
      app.test.patch(`/v0/cancellation-notices/${id}/decide`, body);
    expect(await shop.noticeOf(own)).toMatchObject({ status: 'received', statedReason: 'It never worked.' });
    const other = (await shop.cancel({ contractNumber: number, email: shop.newEmail() })).body.data.notice.id;
    expect(await shop.noticeOf(other)).toMatchObject({ status: 'unmatched', subscriptionId: null });
    await expectRefusal(decideNotice(other, { accept: true }), 400, 'invalid_input');
    const refused = await decideNotice(other, { accept: false, note: 'Not yours.' });
    expect(refused.body.data.notice.status).toBe('refused');
    await expectRefusal(decideNotice(other, { accept: true }), 409, 'notice_state');
    const accepted = await decideNotice(own, { accept: true });
    expect(accepted.body.data.notice, accepted.text).toMatchObject({ status: 'done' });
    expect((await shop.orderOf(sale.order.id)).subscription.status).toBe('canceled');
    const list = await app.test.get('/v0/cancellation-notices/list', { query: { statuses: 'refused' } });
    expect(list.body.data.notices.map(({ id }: { id: string }) => id)).toContain(other);
  });
});

describe('S51: the withdrawal', () => {
  it('of a disputed purchase waits for the end of the dispute', async () => {
    const sale = await shop.sell([await shop.makeKeyed()], { card: DISPUTED });
    const id = await shop.withdrawFrom(sale);
    await shop.pass(DAY_MS + 10_000);
    await shop.pass(DAY_MS);
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'received', refundIds: [] });
    await expectRefusal(shop.decide(id, { accept: true }), 409, 'payment_disputed');
    await shop.pass(8 * DAY_MS);
    expect((await shop.withdrawalOf(id)).status).toBe('refunded');
    expect((await shop.orderOf(sale.order.id)).refunds).toMatchObject([{ reason: 'dispute' }]);
  });

  it('of what was paid outside is refunded by hand, and the owner is warned on days 7 and 12', async () => {
    const declined = await buy(app.test, {
      ...{ offersIds: [await shop.makeKeyed()], userEmail: shop.newEmail(), card: '4000000000000002' },
    });
    const { order } = declined.body.data;
    const paid = await app.test.patch(`/v0/orders/${order.id}/update`, { status: 'PAID' });
    expect(paid.body.data.order.status, paid.text).toBe('PAID');
    const { email } = (await app.test.get(`/v0/users/${order.userId}`)).body.data.user;
    const id = await shop.withdrawFrom({ order, email });
    await shop.pass(DAY_MS + 1000);
    const waiting = await shop.withdrawalOf(id);
    expect(waiting).toMatchObject({ status: 'received' });
    const [refund] = (await shop.orderOf(order.id)).refunds;
    expect(refund).toMatchObject({ id: waiting.refundIds[0], status: 'pending' });
    await expectRefusal(shop.decide(id, { accept: true }), 409, 'withdrawal_state');
    const count = async () =>
      (
        await app.service.db
          .selectFrom('mails')
          .select('key')
          .where('kind', '=', 'withdrawal_waiting')
          .execute()
      ).filter(({ key }) => key.includes(id)).length;
    await shop.pass(6 * DAY_MS + 1000);
    const warned = await count();
    expect(warned).toBeGreaterThan(0);
    await shop.pass(5 * DAY_MS + 1000);
    expect(await count()).toBe(warned * 2);
    const settled = await app.test.post(`/v0/refunds/${refund.id}/settle`, { reference: 'T-1' });
    expect(settled.status, settled.text).toBe(200);
    expect((await shop.withdrawalOf(id)).status).toBe('refunded');
  });

  it('of a weekly plan in its second week gives back that week’s rest', async () => {
    const offerId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'week' });
    const sale = await shop.sell([offerId], { consent: true });
    await shop.pass(9 * DAY_MS);
    const id = await shop.withdrawFrom(sale);
    const { receivedAt } = await shop.withdrawalOf(id);
    await shop.pass(DAY_MS + 1000);
    const { refunds, payments } = await shop.orderOf(sale.order.id);
    const all = payments.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
    const { currentIntervalStart: start, currentIntervalEnd: end } = (
      await app.test.get(`/v0/subscriptions/${sale.order.number}`)
    ).body.data.subscription;
    const used = Math.round(all / 2 + ((all / 2) * (receivedAt - start)) / (end - start));
    expect(refunds.map(({ amount }: { amount: number }) => amount)).toEqual([all - used]);
  });

  it('of a part of an order in the buyer’s own words is decided by a person', async () => {
    const sale = await shop.sell([await shop.makeKeyed(), await shop.makeKeyed()]);
    const id = await shop.withdrawFrom(sale, { part: 'only the second' });
    await shop.pass(2 * DAY_MS);
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'received', reason: null });
    const { items } = await shop.orderOf(sale.order.id);
    const accepted = await shop.decide(id, { accept: true, amount: items[1].total });
    expect(accepted.body.data.withdrawal.status, accepted.text).toBe('refunded');
  });

  it('of an unpaid subscription is not needed: a notice ends it at once', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)], { card: '4000000000000341' });
    await shop.pass(60 * DAY_MS);
    const show = async () =>
      (await app.test.get(`/v0/subscriptions/${sale.order.number}`)).body.data.subscription;
    expect((await show()).status).toBe('unpaid');
    await shop.cancel({ contractNumber: sale.order.number, email: sale.email });
    expect((await show()).status).toBe('canceled');
    await shop.settle();
    const [mail] = await shop.listMails('notice_received', sale.email);
    // Nothing is left that could be kept.
    expect(mail?.plain).not.toContain('/cancel-contract/keep/');
  });
});
