/** What a merchant's server hears who asks whether a buyer has access, and what the buyer's own page hands out. */
import { describe, expect, it } from 'vitest';
import { buy, card, openPage, VISA } from '../support/buying.ts';
import { DISPUTED, PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import type { TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { useShop } from '../support/shop.ts';
import { type Subscribed, show, subscribe } from '../support/subscribing.ts';

/** Retries 2, 5, 7 and 7 days after the failure before. */
const RUN_DAYS = 21;
const GRACE_DAYS = 7;

let app: TestApp;
let buyers = 0;
useShop((made) => {
  app = made;
});

const pass = (ms: number) => advance(app, app.test.scope, ms);
const newBuyer = () => {
  buyers += 1;
  return { userEmail: `buyer${buyers}@example.com` };
};

async function readClock(): Promise<number> {
  return (await app.test.get('/v0/test-clock')).body.data.testClock.now;
}

interface Listed {
  status: string;
  expiresAt: number | null;
}

/** Status and end of what the inventory lists; without a query that is what the user has access to. */
async function listInventory(userId: string, query: Record<string, string> = {}): Promise<Listed[]> {
  const { body } = await app.test.get(`/v0/users/${userId}/inventory`, { query });
  expect(body.data.count).toBe(body.data.inventory.length);
  return body.data.inventory.map(({ status, expiresAt }: Listed) => ({ status, expiresAt }));
}

async function subscribeWith(cardNumber: string): Promise<Subscribed & { endMs: number }> {
  const offerId = await makePlanOffer(app.test);
  const subscribed = await subscribe(app, offerId, { card: cardNumber, ...newBuyer() });
  return { ...subscribed, endMs: (await show(app, subscribed)).currentIntervalEnd };
}

const patch = ({ number }: Subscribed, verb: string, body = {}) =>
  app.test.patch(`/v0/subscriptions/${number}/${verb}`, body);

async function passTo(ms: number): Promise<void> {
  await pass(ms - (await readClock()));
}

describe('access to a subscription', () => {
  it('outlasts a failed renewal by the grace, and comes back when all is paid', async () => {
    const subscribed = await subscribeWith(PAYS_ONCE);
    const { userId, endMs } = subscribed;
    expect(await listInventory(userId)).toEqual([{ status: 'active', expiresAt: endMs }]);
    await passTo(endMs + MINUTE_MS);
    const [overdue] = await listInventory(userId);
    expect(overdue?.status).toBe('active');
    const graceEndMs = overdue?.expiresAt ?? 0;
    expect(Math.floor((graceEndMs - endMs) / DAY_MS)).toBe(GRACE_DAYS);

    await passTo(graceEndMs + MINUTE_MS);
    expect((await show(app, subscribed)).status).toBe('past_due');
    expect(await listInventory(userId)).toEqual([]);
    await pass((RUN_DAYS - GRACE_DAYS) * DAY_MS);
    expect((await show(app, subscribed)).status).toBe('unpaid');
    expect(await listInventory(userId)).toEqual([]);
    // What ended since can be asked for.
    const since = { expiresAfter: String(graceEndMs - 1) };
    expect(await listInventory(userId, since)).toEqual([{ status: 'ended', expiresAt: graceEndMs }]);
    expect(await listInventory(userId, { expiresAfter: String(graceEndMs) })).toEqual([]);

    await app.test.patch(`/v0/users/${userId}/update`, {
      paymentData: { sandboxCustomerId: `card_${VISA}` },
    });
    await pass(MINUTE_MS);
    const { status, currentIntervalEnd } = await show(app, subscribed);
    expect(status).toBe('active');
    expect(await listInventory(userId)).toEqual([{ status: 'active', expiresAt: currentIntervalEnd }]);
  });

  it('is off while unpaid, however long the grace is', async () => {
    await app.test.patch('/v0/settings/update', { graceDays: 60 });
    const { userId, endMs, ...subscribed } = await subscribeWith(PAYS_ONCE);
    await passTo(endMs + (RUN_DAYS - 1) * DAY_MS);
    expect(await listInventory(userId)).toMatchObject([{ status: 'active' }]);
    await pass(2 * DAY_MS);
    expect((await show(app, { ...subscribed, userId })).status).toBe('unpaid');
    expect(await listInventory(userId)).toEqual([]);
    await app.test.patch('/v0/settings/update', { graceDays: GRACE_DAYS });
  });

  it('ends with the period that it was asked to end with, or at once', async () => {
    const later = await subscribeWith(VISA);
    await patch(later, 'cancel', { cancelOption: 'endInterval' });
    expect(await listInventory(later.userId)).toEqual([{ status: 'active', expiresAt: later.endMs }]);
    await passTo(later.endMs + MINUTE_MS);
    expect(await listInventory(later.userId)).toEqual([]);

    const now = await subscribeWith(VISA);
    await patch(now, 'cancel');
    expect(await listInventory(now.userId)).toEqual([]);
    const { endedAt } = await show(app, now);
    const all = await listInventory(now.userId, { expiresAfter: '1' });
    expect(all).toEqual([{ status: 'ended', expiresAt: endedAt }]);
  });

  it('stays in a pause while the paid period runs, and comes back with its end', async () => {
    const subscribed = await subscribeWith(VISA);
    const { userId, endMs } = subscribed;
    await patch(subscribed, 'pauseCollection');
    await passTo(endMs - MINUTE_MS);
    expect(await listInventory(userId)).toEqual([{ status: 'active', expiresAt: endMs }]);
    await pass(2 * MINUTE_MS);
    expect(await listInventory(userId)).toEqual([]);
    await patch(subscribed, 'resume');
    const { currentIntervalEnd } = await show(app, subscribed);
    expect(await listInventory(userId)).toEqual([{ status: 'active', expiresAt: currentIntervalEnd }]);
  });

  it('lasts with a trial and goes on with what is paid after it', async () => {
    const offerId = await makePlanOffer(app.test, { trialInterval: 'week', trialIntervalCount: 1 });
    const subscribed = await subscribe(app, offerId, newBuyer());
    const { trialEnd } = await show(app, subscribed);
    expect(await listInventory(subscribed.userId)).toEqual([{ status: 'active', expiresAt: trialEnd }]);
    await passTo(trialEnd + MINUTE_MS);
    const { currentIntervalEnd } = await show(app, subscribed);
    const expected = [{ status: 'active', expiresAt: currentIntervalEnd }];
    expect(await listInventory(subscribed.userId)).toEqual(expected);
  });

  it('is to the plan that runs, and not to the one that was bought', async () => {
    const subscribed = await subscribeWith(VISA);
    const [bought] = (await app.test.get(`/v0/users/${subscribed.userId}/inventory`)).body.data.inventory;
    expect(bought.subscriptionItems).toMatchObject([{ offerId: bought.offer.id, quantity: 1 }]);
    const offerId = await makePlanOffer(app.test, { price: 4900, internalId: 'pro' });
    const changed = await patch(subscribed, 'update', { offerId, quantity: 2 });
    expect(changed.body.data?.success, changed.text).toBe(true);
    const [item] = (await app.test.get(`/v0/users/${subscribed.userId}/inventory`)).body.data.inventory;
    expect(item).toMatchObject({ offer: bought.offer, subscriptionItems: [{ offerId, quantity: 2 }] });
    expect(item.subscriptionItems).toHaveLength(1);
  });

  it('is frozen while a payment is disputed, the first or a later one, and off when it is lost', async () => {
    const disputed = await subscribeWith(DISPUTED);
    await pass(DAY_MS + MINUTE_MS);
    expect(await listInventory(disputed.userId)).toEqual([]);
    expect(await listInventory(disputed.userId, { expiresAfter: '1' })).toMatchObject([{ status: 'frozen' }]);
    await pass(7 * DAY_MS);
    expect(await listInventory(disputed.userId, { expiresAfter: '1' })).toMatchObject([{ status: 'ended' }]);

    const renewed = await subscribeWith(VISA);
    await app.test.patch(`/v0/users/${renewed.userId}/update`, {
      paymentData: { sandboxCustomerId: `card_${DISPUTED}` },
    });
    await passTo(renewed.endMs + MINUTE_MS);
    expect(await listInventory(renewed.userId)).toMatchObject([{ status: 'active' }]);
    await pass(DAY_MS);
    expect(await listInventory(renewed.userId)).toEqual([]);
    expect(await listInventory(renewed.userId, { expiresAfter: '1' })).toMatchObject([{ status: 'frozen' }]);
  });
});

describe('access to a purchase', () => {
  it('is frozen while its payment is disputed, and gone when it is lost', async () => {
    const { order } = (
      await buy(app.test, { offersIds: [await makeOffer(app.test)], card: DISPUTED, ...newBuyer() })
    ).body.data;
    expect(await listInventory(order.userId)).toEqual([{ status: 'active', expiresAt: null }]);
    const { inventory } = (await app.test.get(`/v0/users/${order.userId}/inventory`)).body.data;
    expect(inventory[0].subscriptionItems).toBeNull();
    await pass(DAY_MS + MINUTE_MS);
    expect(await listInventory(order.userId)).toEqual([]);
    expect(await listInventory(order.userId, { expiresAfter: '1' })).toMatchObject([{ status: 'frozen' }]);
    await pass(7 * DAY_MS);
    expect(await listInventory(order.userId, { expiresAfter: '1' })).toEqual([]);
  });
});

describe('the download of a subscription', () => {
  it('is handed out while there is access, and not beyond it', async () => {
    const uploaded = await app.test.request('POST', '/v0/files/upload', {
      body: Buffer.from('a file'),
      headers: { 'content-type': 'application/zip', 'x-file-name': 'club.zip' },
    });
    const downloadFileId = uploaded.body.data.file.id;
    const page = await openPage(app, `/checkout/${await makePlanOffer(app.test, { downloadFileId })}`);
    const { body } = await page.submit({ email: newBuyer().userEmail, card: card(VISA) });
    const { receipt } = body.data.checkout;
    const { url } = receipt.items[0].download;
    const download = async () => (await app.test.get(url, { keys: 'none' })).status;
    const shown = async () => (await page.show()).body.data.checkout.receipt.items[0].download;
    expect(await download()).toBe(303);
    await app.test.patch(`/v0/subscriptions/${receipt.orderNumber}/cancel`);
    expect(await shown()).toBeNull();
    expect(await download()).toBe(404);
  });
});
