/** Whoever types an address can have few mails of a kind sent to it: further ones are kept for the merchant. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { LIMITS } from '../../src/domain/limits.ts';
import { queueCausedMail } from '../../src/flows/outbox/queue-mail.ts';
import { buy, card, openPage } from '../support/buying.ts';
import { DECLINED, PAYS_ONCE } from '../support/cards.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { portalOf, signIn } from '../support/portal.ts';

const { max } = LIMITS.mail_by_mailbox;

let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await createTestApp({ RATE_LIMIT_TEST: '1000', SMTP_URL: server.url });
});
afterAll(async () => {
  await app.close();
  await server.close();
});
beforeEach(() => {
  server.received.length = 0;
});

const arrivedAt = (address: string) =>
  server.received.filter(({ to }) => to?.some((one) => one.address?.toLowerCase() === address)).length;

/** The mails to an address, oldest first, once all that is due has been done. */
async function listMails(recipient: string) {
  await app.wired.worker.runDue();
  const { body } = await app.test.get('/v0/mails/list', { query: { recipient, take: '100' } });
  return (body.data.mails as Array<Record<string, unknown>>).reverse();
}

async function makeFree(name: string): Promise<string> {
  const productId = await makeProduct(app.test, { name });
  return makeOffer(app.test, { productId, price: 0, freeProduct: true });
}

describe('Y11 row 10', () => {
  test('Y11 row 10: of the claims of many offers by one address the first mails are sent, the rest is kept', async () => {
    const email = 'flooded@example.com';
    for (let count = 0; count <= max; count += 1) {
      const page = await openPage(app, `/checkout/${await makeFree(`Gift ${count}`)}`);
      const { body } = await page.submit({ email: count % 2 ? email : email.toUpperCase(), card: undefined });
      expect(body.data.checkout.status).toBe('paid');
    }
    const mails = await listMails(email);
    expect(mails.map(({ status }) => status)).toEqual([...Array(max).fill('sent'), 'kept']);
    expect(mails.at(-1)).toMatchObject({
      kind: 'free_claim',
      attempts: 0,
      sentAt: null,
      text: expect.stringContaining('Gift'),
      lastError: expect.stringContaining('Not sent'),
    });
    expect(arrivedAt(email)).toBe(max);
  });

  test('Y11 row 10: presses on the page of what is owed bring few mails, and dunning’s own are sent all the same', async () => {
    const email = 'owes@example.com';
    const offerId = await makePlanOffer(app.test, { price: 500, recurringInterval: 'week' });
    await buy(app.test, { offersIds: [offerId], card: PAYS_ONCE, userEmail: email });
    await advance(app, app.test.scope, 8 * DAY_MS);
    const { body } = await app.test.get('/v0/payments/list', { query: { statuses: 'FAILED' } });
    const { payUrl } = body.data.payments[0];
    const path = new URL(payUrl).pathname.replace('/pay/', '/payment-pages/');
    const before = (await listMails(email)).filter(({ kind }) => kind === 'payment_failed').length;
    for (let count = 0; count <= max; count += 1) {
      // Each press in an hour of its own, so that it is counted among mails alone.
      await app.service.db.deleteFrom('limitCounters').where('kind', '<>', 'mail_by_mailbox').execute();
      await app.test.request('POST', `${path}/pay`, { keys: 'none', body: { card: card(DECLINED) } });
    }
    await advance(app, app.test.scope, 3 * DAY_MS);
    const failed = (await listMails(email)).filter(({ kind }) => kind === 'payment_failed').slice(before);
    expect(failed.map(({ status }) => status)).toEqual([...Array(max).fill('sent'), 'kept', 'sent']);
  });

  test('Y12 a claim with the secret key is always sent', async () => {
    const email = 'merchant-says@example.com';
    for (let count = 0; count <= max; count += 1) {
      await buy(app.test, { offersIds: [await makeFree(`Prize ${count}`)], userEmail: email });
    }
    const mails = await listMails(email);
    expect(mails.filter(({ status }) => status === 'sent')).toHaveLength(max + 1);
  });
});

describe('a mail that somebody asks for', () => {
  it('is kept without what lets in once it is one too many, each kind and store for itself', async () => {
    const to = 'asked@example.com';
    const ask = (number: number, scope = app.test.scope) =>
      inTransaction(app.service.db, (tx) =>
        queueCausedMail(app.service, scope, {
          tx,
          mail: {
            kind: 'magic_link',
            params: { code: '12345678', url: 'https://example.com/in/secret-word', validMinutes: 30 },
            ...{ key: `magic_link:${to}:${number}`, at: app.service.realNowMs(), to, language: null },
          },
        }),
      );
    const sent: boolean[] = [];
    for (let number = 0; number <= max; number += 1) sent.push(await ask(number));
    expect(sent).toEqual([...Array(max).fill(true), false]);
    expect(await ask(0, app.other.scope)).toBe(true);
    const mails = await listMails(to);
    const kept = mails.filter(({ status }) => status === 'kept');
    expect(kept).toHaveLength(1);
    expect(kept[0]).toMatchObject({ text: null, html: null, lastError: expect.stringContaining('Not sent') });
    expect(arrivedAt(to)).toBe(max + 1);
  });
});

test('Y12 an address that is not the order’s has three acknowledgements a day, also of who is signed in', async () => {
  const offersIds = [await makeOffer(app.test)];
  const owner = 'states-a-lot@example.com';
  const { order } = (await buy(app.test, { offersIds, userEmail: owner })).body.data;
  const browser = await signIn(app, owner);
  const shop = await portalOf(app, app.test);
  for (let count = 0; count < 4; count += 1) {
    const body = { ...shop, name: 'Ada', orderNumber: order.number, email: 'somebody-else@example.com' };
    expect((await browser.post('/withdrawals', body)).status).toBe(200);
  }
  const ofKind = async (to: string) =>
    (await listMails(to)).filter(({ kind }) => kind === 'withdrawal_received').map(({ status }) => status);
  expect(await ofKind('somebody-else@example.com')).toEqual(['sent', 'sent', 'sent', 'kept']);
  expect(await ofKind(owner)).toEqual(['sent', 'sent', 'sent', 'sent']);
});
