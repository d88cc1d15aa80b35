/** Keys that leave by mail are delivered before anybody has read them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buy } from '../support/buying.ts';
import { DAY_MS } from '../support/clock.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';

let server: MailServer;
let app: TestApp;
let shop: LawShop;
beforeAll(async () => {
  server = await startMailServer();
  app = await createTestApp({ SMTP_URL: server.url });
  const { settings } = (await app.test.get('/v0/settings')).body.data;
  shop = createLawShop(app, settings.portalSlug);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

test('S31 a withdrawal that is stated while the mail with the keys is on its way waits for the merchant', async () => {
  const email = 'quick@example.com';
  const { body } = await buy(app.test, { offersIds: [await shop.makeKeyed()], userEmail: email });
  const { order } = body.data;
  const stated: string[] = [];
  server.refuseMail = async ({ text, to }) => {
    const isOfKeys = to?.[0]?.address === email && (text ?? '').includes('LAW-KEY-');
    if (isOfKeys && stated.length === 0) stated.push(await shop.withdrawFrom({ order, email }));
    return null;
  };
  await app.wired.worker.runDue();
  expect(stated).toHaveLength(1);
  await shop.pass(2 * DAY_MS);
  expect(await shop.withdrawalOf(stated[0] ?? '')).toMatchObject({ status: 'received', refundIds: [] });
  expect((await shop.orderOf(order.id)).order.status).toBe('PAID');
  await expectInvariants(app);
});
