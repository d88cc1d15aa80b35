/** What a buyer finds when they open the page of their purchase again, whatever has happened to it since. */
import { describe, expect, it } from 'vitest';
import { openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';

let app: TestApp;
useShop((made) => {
  app = made;
});

/** Buys on the page; `show` answers what the page shows later. */
async function buyOnPage(offerId: string) {
  const page = await openPage(app, `/checkout/${offerId}`);
  const { body, text } = await page.submit();
  expect(body.data?.checkout.status, text).toBe('paid');
  const show = async () => (await page.show()).body.data.checkout;
  return { first: body.data.checkout.receipt, show };
}

describe('the receipt', () => {
  it('stays that of the first payment when the subscription has been renewed', async () => {
    const offerId = await makePlanOffer(app.test, { price: 900, recurringInterval: 'week' });
    const { first, show } = await buyOnPage(offerId);
    expect(first).toMatchObject({ invoiceNumber: expect.any(String), total: 1071 });
    await advance(app, app.test.scope, 8 * DAY_MS);
    const { receipt } = await show();
    expect(receipt).toEqual({ ...first, subscription: receipt.subscription });
    expect(receipt.subscription.currentIntervalEnd).toBe(first.subscription.currentIntervalEnd + 7 * DAY_MS);
  });

  it('tells whether the subscription still renews', async () => {
    const { first, show } = await buyOnPage(await makePlanOffer(app.test));
    expect(first.subscription).toMatchObject({ status: 'active', cancelAtIntervalEnd: false });
    const cancel = (body: Record<string, unknown>) =>
      app.test.patch(`/v0/subscriptions/${first.subscription.id}/cancel`, body);
    await cancel({ cancelOption: 'endInterval' });
    expect((await show()).receipt.subscription).toMatchObject({ cancelAtIntervalEnd: true });
    await cancel({ cancelOption: 'immediately' });
    expect((await show()).receipt.subscription).toMatchObject({ status: 'canceled' });
  });

  it('shows each refund beside what was paid, with a credit note that opens', async () => {
    const { first, show } = await buyOnPage(await makeOffer(app.test));
    expect(first).toMatchObject({ refunds: [], isRefunded: false });
    const refund = (body: Record<string, unknown>) =>
      app.test.post(`/v0/orders/${first.orderId}/refunds`, body);
    const made = [await refund({ amount: 1000 }), await refund({})].map(({ body }) => body.data.refund);
    const { receipt } = await show();
    expect(receipt).toMatchObject({
      total: 2379,
      invoiceNumber: first.invoiceNumber,
      isRefunded: true,
    });
    expect(receipt.refunds).toMatchObject(
      made.map(({ amount, creditNoteNumber, creditNoteUrl }) => ({
        amount,
        creditNoteNumber,
        creditNoteUrl: new URL(creditNoteUrl).pathname,
      })),
    );
    const opened = await app.app.inject({ method: 'GET', url: receipt.refunds[0].creditNoteUrl });
    expect(opened.headers['content-type']).toBe('application/pdf');
  });

  it('stays for an order that was paid and then cancelled, without what it gave', async () => {
    const offerId = await makeOffer(app.test);
    await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys: ['RECEIPT-KEY-ONE-1'] });
    const { first, show } = await buyOnPage(offerId);
    expect(first).toMatchObject({ isCancelled: false, items: [{ keys: ['RECEIPT-KEY-ONE-1'] }] });
    await app.test.patch(`/v0/orders/${first.orderId}/cancel`);
    expect(await show()).toMatchObject({
      status: 'paid',
      receipt: { isCancelled: true, total: 2379, invoiceNumber: first.invoiceNumber, items: [{ keys: [] }] },
    });
  });
});
