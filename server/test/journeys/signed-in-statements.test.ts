/** What buyers who are signed in state, and what stays open to them in a shop that is closed. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { archiveWorkspace, suspendWorkspace } from '../../src/flows/workspaces/change-state.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { type PortalBrowser, portalOf, readMails, signIn } from '../support/portal.ts';
import { readPdf } from '../support/read-pdf.ts';

let app: TestApp;
let shop: LawShop;
beforeAll(async () => {
  app = await createTestApp();
  await makePlanOffer(app.test);
  shop = createLawShop(app, (await portalOf(app, app.test)).store);
});
afterAll(() => app.close());

const withdraw = async (browser: PortalBrowser, body: object, options = {}) =>
  browser.post('/withdrawals', { ...(await portalOf(app, app.test)), name: 'Ada', ...body }, options);
const itemsOf = async (id: string) => (await shop.orderOf(id)).items as Array<{ id: string; total: number }>;

describe('a withdrawal of who is signed in', () => {
  test('S29 S51 is of the items that were ticked, takes effect at once, and never of another’s order', async () => {
    const offersIds = [await makeOffer(app.test, { price: 1000 }), await makeOffer(app.test, { price: 500 })];
    const sale = await shop.sell(offersIds);
    const [first, second] = await itemsOf(sale.order.id);
    const browser = await signIn(app, sale.email);
    const body = { orderNumber: sale.order.number, email: sale.email, items: [first?.id] };
    const answer = await withdraw(browser, body);
    expect(answer.status, answer.text).toBe(200);
    await shop.settle();
    const row = await shop.withdrawalOf(answer.body.data.withdrawal.id);
    expect(row).toMatchObject({ status: 'refunded', source: 'portal', items: [first?.id] });
    const { order, refunds } = await shop.orderOf(sale.order.id);
    expect(refunds).toMatchObject([{ amount: first?.total }]);
    expect(order.status).toBe('PARTIALLY_REFUNDED');
    const other = await shop.sell([offersIds[0] ?? '']);
    // Any number is heard, and answered alike; it opens nothing.
    const stolen = await withdraw(browser, { orderNumber: other.order.number, email: sale.email });
    expect(stolen.status, stolen.text).toBe(200);
    expect(await shop.withdrawalOf(stolen.body.data.withdrawal.id)).toMatchObject({
      ...{ status: 'unmatched', source: 'page' },
    });
    const mixed = { ...body, items: (await itemsOf(other.order.id)).map(({ id }) => id) };
    await expectRefusal(withdraw(browser, mixed), 400, 'invalid_input');
    // The page of another site has no session here.
    const rest = { ...body, items: [second?.id] };
    await expectRefusal(withdraw(browser, rest, { origin: 'https://evil.example' }), 400, 'invalid_input');
  });

  test('S51 of the same item gives its money back once, however often it is stated', async () => {
    const offersIds = [
      await makeOffer(app.test, { price: 1000 }),
      await makeOffer(app.test, { price: 5000 }),
    ];
    const sale = await shop.sell(offersIds);
    const [first, second] = await itemsOf(sale.order.id);
    const browser = await signIn(app, sale.email);
    const body = { orderNumber: sale.order.number, email: sale.email };
    const state = async (items: Array<string | undefined>) =>
      (await withdraw(browser, { ...body, items })).body.data.withdrawal.id;
    // In two tabs, before either has taken effect, and once more later.
    const ids = [await state([first?.id]), await state([first?.id])];
    await shop.settle();
    ids.push(await state([first?.id]));
    await shop.settle();
    const refunded = async () =>
      (await shop.orderOf(sale.order.id)).refunds.map(({ amount }: { amount: number }) => amount);
    expect(await refunded()).toEqual([first?.total]);
    for (const id of ids) expect((await shop.withdrawalOf(id)).status).toBe('refunded');
    await state([first?.id, second?.id]);
    await shop.settle();
    expect((await refunded()).toSorted((a: number, b: number) => a - b)).toEqual([
      first?.total,
      second?.total,
    ]);
  });

  test('S29 of some items is confirmed with their names, on paper and by mail', async () => {
    const names = ['Starfield', 'Soundtrack'];
    const offersIds = await Promise.all(names.map((name) => makeOffer(app.test, { name })));
    const sale = await shop.sell(offersIds);
    const { items } = await shop.orderOf(sale.order.id);
    const ticked = items.find(({ name }: { name: string }) => name.includes('Soundtrack'));
    const browser = await signIn(app, sale.email);
    const answer = await withdraw(browser, {
      ...{ orderNumber: sale.order.number, email: sale.email, items: [ticked.id] },
    });
    const { pathname } = new URL(answer.body.data.confirmationUrl);
    const pdf = await app.app.inject({ method: 'GET', url: pathname });
    const { text } = await readPdf(pdf.rawPayload);
    expect(text).toContain('Soundtrack');
    expect(text).not.toContain('Starfield');
    await shop.settle();
    const [mail] = await shop.listMails('withdrawal_received', sale.email);
    expect(mail?.plain).toContain('Soundtrack');
    expect(mail?.plain).not.toContain('Starfield');
  });

  test('S29 has a page that offers the buyer’s own orders, and nobody else’s', async () => {
    const sale = await shop.sell([await makeOffer(app.test, { name: 'Starfield' })]);
    const browser = await signIn(app, sale.email);
    const url = `/portal/${(await portalOf(app, app.test)).store}/test/withdraw`;
    const cookie = [...browser.cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const own = await app.app.inject({ method: 'GET', url, headers: { cookie } });
    expect(own.payload).toContain(sale.order.number);
    expect((await app.app.inject({ method: 'GET', url })).payload).not.toContain(sale.order.number);
  });

  test('S29 has pages that begin with the order that the buyer comes from', async () => {
    const { store } = await portalOf(app, app.test);
    for (const page of ['withdraw', 'cancel-contract']) {
      const url = `/portal/${store}/test/${page}?order=K7QWXYZ12345`;
      const { payload } = await app.app.inject({ method: 'GET', url });
      expect(payload).toMatch(/"number":"K7QWXYZ12345"/);
    }
  });

  test('S51 cancels at once, whatever address is typed, what is theirs and no other’s', async () => {
    const plan = await makePlanOffer(app.test, { price: 900 });
    const sale = await shop.sell([plan]);
    const other = await shop.sell([plan]);
    const browser = await signIn(app, sale.email);
    const state = async (contractNumber: string) => {
      const body = { ...(await portalOf(app, app.test)), type: 'ordinary', name: 'Ada', contractNumber };
      const stated = { ...body, email: 'ada@elsewhere.example' };
      const answer = await browser.post('/cancellation-notices', stated);
      expect(answer.status, answer.text).toBe(200);
      return shop.noticeOf(answer.body.data.notice.id);
    };
    expect(await state(sale.order.number)).toMatchObject({ status: 'done', source: 'portal' });
    expect(await state(other.order.number)).toMatchObject({ status: 'unmatched', source: 'page' });
  });

  test('S31 a key that was shown in the portal has begun: with consent the right is lost', async () => {
    const sale = await shop.sell([await shop.makeKeyed()], { consent: true });
    await app.service.db.updateTable('orderItems').set({ deliveryBeganAt: null }).execute();
    const browser = await signIn(app, sale.email);
    const [item] = await itemsOf(sale.order.id);
    expect((await browser.post(`/library/${item?.id}/reveal`)).body.data.keys).toHaveLength(1);
    const id = (await withdraw(browser, { orderNumber: sale.order.number, email: sale.email })).body.data
      .withdrawal.id;
    expect(await shop.withdrawalOf(id)).toMatchObject({ status: 'received', reason: 'waived' });
  });
});

test('S54 a suspended and an archived shop: documents, cancelling, withdrawal and notices work; checkout does not', async () => {
  const offerId = await makeOffer(app.test, { price: 800 });
  const productId = await makeProduct(app.test, { type: 'Subscription', name: 'Club' });
  const [planId, dearerId] = [
    await makePlanOffer(app.test, { productId, price: 900 }),
    await makePlanOffer(app.test, { productId, price: 1_900 }),
  ];
  const sale = await shop.sell([offerId]);
  const subscribed = await shop.sell([planId]);
  const { workspaceId } = app.test.scope;
  const by = { workspaceId, by: 'admin' as const };
  const close = [suspendWorkspace, archiveWorkspace];
  for (const [round, change] of close.entries()) {
    const realMs = app.service.realNowMs();
    await inTransaction(app.service.db, (tx) => change({ tx, ...by, realMs }));
    const buyer = await signIn(app, sale.email);
    const { documents } = (await buyer.get('/documents/list')).body.data;
    const path = new URL(documents[0].url).pathname;
    expect((await app.app.inject({ method: 'GET', url: path })).statusCode).toBe(200);
    const subscriber = await signIn(app, subscribed.email);
    const standing = `/subscriptions/${subscribed.order.number}`;
    const charges = (await subscriber.get(standing)).body.data.subscription.actions.includes('change');
    const preview = await subscriber.post(`${standing}/preview-change`, { offerId: dearerId, quantity: 1 });
    const next = (await subscriber.get(`${standing}/upcoming-payment`)).body.data.upcomingPayment;
    // A suspended shop's subscriptions go on; an archived one charges nobody, and shows nothing that would.
    expect([charges, preview.status, next !== null]).toEqual(
      round === 0 ? [true, 200, true] : [false, 403, false],
    );
    const verb = round === 0 ? 'cancel' : 'keep';
    const answer = await subscriber.patch(`${standing}/${verb}`);
    expect(answer.status, answer.text).toBe(200);
    const withdrawn = await withdraw(buyer, { orderNumber: sale.order.number, email: sale.email });
    expect(withdrawn.status, withdrawn.text).toBe(200);
    const notice = await shop.cancel({ contractNumber: subscribed.order.number, email: subscribed.email });
    expect(notice.status, notice.text).toBe(200);
    expect((await readMails(app, sale.email)).map(({ kind }) => kind)).toContain('withdrawal_received');
    const checkout = await app.app.inject({ method: 'GET', url: `/checkout/${offerId}` });
    expect(checkout.payload).toMatch(/workspace_(suspended|archived)/);
  }
});
