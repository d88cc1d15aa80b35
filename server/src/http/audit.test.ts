/** What opens something is for whom it was made: the rows that tell who did what are read by others, and for years. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { card, openPage } from '../../test/support/buying.ts';
import { advance, DAY_MS } from '../../test/support/clock.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer, makePlanOffer } from '../../test/support/make-catalogue.ts';
import { signIn } from '../../test/support/portal.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function readAudit(): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select string_agg(to_jsonb(a)::text, '') as text from audit_log a`.execute(app.service.db);
  return rows[0]?.text ?? '';
}

describe('the audit log', () => {
  it('Y10 S53 holds no bearer and no link of a session that a merchant has opened', async () => {
    const { user } = (await app.test.post('/v0/users/create', { email: 'ada@example.com' })).body.data;
    const opened = await app.test.post('/v0/portal-sessions/create', { userId: user.id });
    const { portalSession } = opened.body.data;
    const offersIds = [await makeOffer(app.test)];
    const { checkoutSession } = (await app.test.post('/v0/checkout-sessions/create', { offersIds })).body
      .data;
    expect((await app.test.patch(`/v0/checkout-sessions/${checkoutSession.id}/expire`)).status).toBe(200);
    expect((await app.test.patch(`/v0/portal-sessions/${portalSession.id}/revoke`)).status).toBe(200);
    const audit = await readAudit();
    for (const operation of ['createPortalSession', 'createCheckoutSession', 'revokePortalSession'])
      expect(audit).toContain(operation);
    expect(audit).toContain('expireCheckoutSession');
    const words = [portalSession.token, portalSession.url, checkoutSession.url].map(
      (link: string) => link.split('?')[0]?.split('/').at(-1) ?? '',
    );
    for (const word of words) {
      expect(word.length).toBeGreaterThan(40);
      expect(audit).not.toContain(word);
    }
  });

  it('Y10 holds no link that pays or changes a card of what a buyer has cancelled', async () => {
    const planId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'month' });
    const email = 'owes@example.com';
    const page = await openPage(app, `/checkout/${planId}`);
    await page.submit({ email, card: card('4000000000000341') });
    await advance(app, app.test.scope, 32 * DAY_MS);
    const buyer = await signIn(app, email);
    const { subscriptions } = (await buyer.get('/subscriptions/list')).body.data;
    const [subscription] = subscriptions;
    expect(subscription.owed.payUrl).toContain('/pay/');
    const cancelled = await buyer.patch(`/subscriptions/${subscription.id}/cancel`, {});
    expect(cancelled.status).toBe(200);
    const audit = await readAudit();
    expect(audit).toContain('cancelPortalSubscription');
    expect(audit).not.toMatch(/\/(?:pay|card|invoices|credit-notes)\//);
  });

  it('names subscriptions and orders by the id that the API shows, whichever way the request did', async () => {
    const planId = await makePlanOffer(app.test, { price: 1000, recurringInterval: 'month' });
    const page = await openPage(app, `/checkout/${planId}`);
    await page.submit({ email: 'named@example.com', card: card('4242424242424242') });
    const [{ id, currency }] = (await app.test.get('/v0/subscriptions/list')).body.data.subscriptions;
    const order = (await app.test.get('/v0/orders/list')).body.data.orders[0];
    const path = `/v0/subscriptions/${id.toLowerCase()}`;
    const items = [{ name: 'Set-up', unitPrice: 900, currency }];
    await app.test.post(`${path}/charge`, { items });
    await app.test.patch(`${path}/update`, { cancelAtIntervalEnd: true });
    await app.test.patch(`${path}/update`, { cancelAtIntervalEnd: false });
    await app.test.patch(`${path}/pauseCollection`, { invoicingBehavior: 'void' });
    await app.test.patch(`${path}/resume`, {});
    await app.test.patch(`${path}/cancel`, {});
    await app.test.post(`/v0/orders/${order.number}/refunds`, { amount: 100 });
    const { rows } = await sql<{ operation: string; objectId: string }>`
      select operation, object_id from audit_log
      where operation like '%Subscription' and actor like 'key:%' or operation = 'refundOrder'
      order by id`.execute(app.service.db);
    expect(rows).toEqual([
      ...['charge', 'update', 'update', 'pause', 'resume', 'cancel'].map((word) => ({
        operation: `${word}Subscription`,
        objectId: id,
      })),
      { operation: 'refundOrder', objectId: order.id },
    ]);
  });
});
