import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { queueOwnerMails } from '../../src/flows/outbox/queue-mail.ts';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Mail {
  id: string;
  kind: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  language: string;
  status: string;
  createdAt: number;
}

/** The mails of an order, oldest first, once all that is due has been done. */
async function listMails(orderId: string): Promise<Mail[]> {
  await app.wired.worker.runDue();
  const { body } = await app.test.get('/v0/mails/list', { query: { orderId } });
  return (body.data.mails as Mail[]).reverse();
}

const kindsOf = (mails: Mail[]) => mails.map(({ kind }) => kind);

async function findSlug(): Promise<string> {
  const { portalSlug } = await app.service.db
    .selectFrom('workspaces')
    .select('portalSlug')
    .where('id', '=', app.test.scope.workspaceId)
    .executeTakeFirstOrThrow();
  return portalSlug;
}

async function makeKeyOffer(productKeys: string[]): Promise<string> {
  const productId = await makeProduct(app.test, { name: 'Nebula' });
  const offerId = await makeOffer(app.test, { productId });
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
  return offerId;
}

/** Buys on the checkout page in a browser of the given language; answers the order. */
async function buyOnPage(offerId: string, language: string) {
  const page = await openPage(app, `/checkout/${offerId}`, { 'accept-language': language });
  await page.submit({ email: 'ada@example.com' });
  const { body } = await page.show();
  const order = await app.test.get(`/v0/orders/${body.data.checkout.receipt.orderNumber}`);
  return order.body.data;
}

describe('the receipt', () => {
  it.each([
    ['de-AT,de;q=0.9', 'de', 'Vielen Dank für Ihren Kauf', '23,79 €'],
    ['sw,en;q=0.5', 'en', 'Thank you for your purchase', '€23.79'],
    ['', 'en', 'Thank you for your purchase', '€23.79'],
  ])('is written in the language of the checkout (%s)', async (accepted, language, title, amount) => {
    const key = `NEB-${language}-${accepted.length}-ULA`;
    const { order, payments } = await buyOnPage(await makeKeyOffer([key]), accepted);
    const [mail, ...others] = await listMails(order.id);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ kind: 'receipt', to: 'ada@example.com', language, status: 'kept' });
    expect(mail?.subject).toContain(order.number);
    for (const twin of [mail?.html, mail?.text]) {
      expect(twin).toContain(title);
      expect(twin?.replaceAll('\u00a0', ' ')).toContain(amount);
      expect(twin).toContain(order.number);
      expect(twin).toContain(key);
      expect(twin).toContain(payments[0].invoiceNumber);
      expect(twin).toContain(payments[0].invoiceUrl);
    }
  });

  it('is written in the language that the merchant set for the user, whatever the browser says', async () => {
    const ask = async (language: string | null) => {
      const email = `${crypto.randomUUID()}@example.com`;
      await app.test.post('/v0/users/create', { email, language });
      const page = await openPage(app, `/checkout/${await makeOffer(app.test)}`, { 'accept-language': 'de' });
      const { body } = await page.submit({ email });
      const [mail] = await listMails(body.data.checkout.receipt.orderId);
      return mail?.language;
    };
    expect([
      await ask('en-GB'),
      await ask('de-AT'),
      await ask(null),
      await ask('pl'),
      await ask('sw'),
    ]).toEqual([...['en', 'de', 'de', 'pl', 'de']]);
  });

  it('S48 is written in the shop’s language where nobody said another, with its invoice and what was agreed to', async () => {
    await app.test.patch('/v0/settings/update', { checkout: { defaultLanguage: 'de-AT' } });
    const sell = { offersIds: [await makeOffer(app.test)], billingDetails: { countryCode: 'DE' } };
    const { body } = await buy(app.test, { ...sell, consent: true });
    const { body: signIn } = await app.test.post('/v0/portal/sign-in/request', {
      ...{ store: await findSlug(), testMode: true, email: body.data.order.user?.email ?? 'ada@example.com' },
    });
    await app.test.patch('/v0/settings/update', { checkout: { defaultLanguage: null } });
    const [mail] = await listMails(body.data.order.id);
    expect(mail).toMatchObject({ kind: 'receipt', language: 'de' });
    expect(signIn.data).toEqual({ sent: true });
    const { body: code } = await app.test.get('/v0/mails/list', { query: { kind: 'magic_link' } });
    expect(code.data.mails[0]).toMatchObject({ language: 'de' });
    const { body: read } = await app.test.get(`/v0/orders/${body.data.order.number}`);
    expect(read.data.order.consents[0]).toMatchObject({ language: 'de' });
    const invoice = await app.service.db
      .selectFrom('invoices')
      .select('snapshot')
      .where('orderId', '=', body.data.order.id)
      .executeTakeFirstOrThrow();
    expect(JSON.parse(invoice.snapshot)).toMatchObject({ language: 'de' });
  });

  it('leads to a page that still shows the purchase', async () => {
    const { order } = await buyOnPage(await makeKeyOffer(['PAGE-KEY-12345']), 'en');
    const [mail] = await listMails(order.id);
    const [, path] = /http:\/\/localhost:3000(\/checkout\/\S+)/.exec(mail?.text ?? '') ?? [];
    const page = await app.app.inject({ method: 'GET', url: path ?? '' });
    expect(page.statusCode).toBe(200);
    expect(page.payload).toContain('PAGE-KEY-12345');
    // Nothing was sent, so the page must not say so.
    expect(page.payload).toContain('"isMailed":false');
  });

  it('shows names as they are and runs none of them', async () => {
    const name = '<img src=x onerror=alert(1)>"\' & \r\nBcc: all@example.com';
    await app.test.patch('/v0/settings/update', { seller: { name: '<b>Shop</b>' } });
    const productId = await makeProduct(app.test, { name: name.replace(/[\r\n]/g, ' ') });
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test, { productId })] });
    const [mail] = await listMails(body.data.order.id);
    await app.test.patch('/v0/settings/update', { seller: { name: null } });
    expect(mail?.html).not.toMatch(/<img|<b>/);
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39; &amp;');
    expect(mail?.text).toContain('<img src=x onerror=alert(1)>"\' &');
    expect(mail?.subject).toContain('<b>Shop</b>');
  });
});

describe('a mail', () => {
  it('is one per event, however often its job runs', async () => {
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    const orderId: string = body.data.order.id;
    const [mail] = await listMails(orderId);
    const { workspaceId, testMode } = app.test.scope;
    const due = {
      workspaceId,
      testMode,
      kind: 'send_mail' as const,
      refId: mail?.id ?? '',
      dueMs: 1,
      dueRealMs: 1,
    };
    await app.service.db.insertInto('dueWork').values(due).execute();
    expect(await listMails(orderId)).toEqual([mail]);
    expect(
      await app.service.db.selectFrom('dueWork').selectAll().where('kind', '=', 'send_mail').execute(),
    ).toEqual([]);
  });

  it('is queued exactly when the change is written', async () => {
    const mails = () =>
      app.service.db.selectFrom('mails').select('key').where('key', '=', 'rolled back').execute();
    const change = inTransaction(app.service.db, async (tx) => {
      await queueOwnerMails(tx, app.test.scope, [
        { kind: 'low_stock', key: 'rolled back', at: 1, params: { offerName: 'Nebula', available: 2 } },
      ]);
      throw new Error('the change failed');
    });
    await expect(change).rejects.toThrow('the change failed');
    expect(await mails()).toEqual([]);
  });

  it('is stamped with its moment on the clock of the store', async () => {
    await advance(app, app.test.scope, 40 * DAY_MS);
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    const [mail] = await listMails(body.data.order.id);
    expect(mail?.createdAt).toBe(body.data.order.paidAt);
    expect(mail?.text).toContain(String(new Date(body.data.order.paidAt).getUTCFullYear()));
  });
});

describe('each purchase tells the buyer once', () => {
  it.each([
    ['of nothing', { freeProduct: true, price: 0 }, 'free_claim'],
    ['of something', {}, 'receipt'],
  ])('%s', async (_what, fields, kind) => {
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test, fields)] });
    expect(kindsOf(await listMails(body.data.order.id))).toEqual([kind]);
  });

  it.each([
    ['a subscription', {}, 'subscription_started'],
    ['a trial', { trialInterval: 'day', trialIntervalCount: 14 }, 'trial_started'],
  ])('%s', async (_what, fields, kind) => {
    const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test, fields)] });
    expect(kindsOf(await listMails(body.data.order.id))).toEqual([kind]);
  });

  it('but not of a decline that they see on the page', async () => {
    const { body } = await buy(app.test, {
      offersIds: [await makeOffer(app.test)],
      card: '4000000000000002',
    });
    expect(body.data.payment.status).toBe('FAILED');
    expect(await listMails(body.data.order.id)).toEqual([]);
  });

  it('of a refund, with the credit note', async () => {
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
    const { order } = body.data;
    const refunded = await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 500 });
    expect(refunded.status).toBe(200);
    const mails = await listMails(order.id);
    expect(kindsOf(mails)).toEqual(['receipt', 'refund']);
    const { creditNoteNumber, creditNoteUrl } = refunded.body.data.refund;
    expect(creditNoteNumber).not.toBeNull();
    for (const fact of ['€5.00', creditNoteNumber, creditNoteUrl]) expect(mails[1]?.text).toContain(fact);
  });
});

describe('a subscription tells its buyer', () => {
  const subscribe = async (fields: Record<string, unknown>, card?: string) => {
    const offersIds = [await makePlanOffer(app.test, fields)];
    const { body } = await buy(app.test, {
      offersIds,
      userEmail: 'sub@example.com',
      ...(card ? { card } : {}),
    });
    return { orderId: String(body.data.order.id), id: String(body.data.subscription.id) };
  };

  it('three days before a trial ends, of the very amount that is then taken', async () => {
    const { orderId } = await subscribe({ trialInterval: 'day', trialIntervalCount: 14 });
    await advance(app, app.test.scope, 15 * DAY_MS);
    const mails = await listMails(orderId);
    expect(kindsOf(mails)).toEqual(['trial_started', 'trial_ending', 'subscription_renewed']);
    const [started, ending, renewed] = mails;
    expect((ending?.createdAt ?? 0) - (started?.createdAt ?? 0)).toBe(11 * DAY_MS);
    for (const mail of [started, ending, renewed]) {
      expect(mail?.text).toContain('€23.79');
      expect(mail?.text).toMatch(mail === renewed ? /VAT 19%: €3\.80/ : /of which tax: €3\.80/);
    }
  });

  it('S48 of a plan by more than the name of its interval', async () => {
    const fields = { name: 'Monthly', trialInterval: 'day', trialIntervalCount: 14 };
    const { orderId, id } = await subscribe(fields, '4000000000000341');
    await advance(app, app.test.scope, 40 * DAY_MS);
    await app.test.patch(`/v0/subscriptions/${id}/cancel`, { cancelOption: 'immediately' });
    const mails = await listMails(orderId);
    expect(kindsOf(mails)).toContain('trial_ending');
    // Alone it leaves open of what: the product stands beside it, or before it.
    for (const { kind, text } of mails) if (/Monthly/.test(text ?? '')) expect(text, kind).toMatch(/Club/);
    const ending = mails.find(({ kind }) => kind === 'trial_ending');
    expect(ending?.text).toContain('Club · Monthly');
  });

  it('of a trial that is called off before the mail is written without an amount', async () => {
    const fields = { trialInterval: 'day', trialIntervalCount: 14 };
    const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test, fields)] });
    const { order, subscription } = body.data;
    await app.test.patch(`/v0/subscriptions/${subscription.id}/cancel`, { cancelOption: 'endInterval' });
    const [started] = await listMails(order.id);
    expect(started?.text).toContain('unless you cancel before');
    expect(started?.text).not.toContain('€23.79');
  });

  it('of each renewal, and seven days before one that comes once a year', async () => {
    const monthly = await subscribe({});
    const yearly = await subscribe({ recurringInterval: 'year' });
    await advance(app, app.test.scope, 62 * DAY_MS);
    expect(kindsOf(await listMails(monthly.orderId))).toEqual([
      'subscription_started',
      'subscription_renewed',
      'subscription_renewed',
    ]);
    expect(kindsOf(await listMails(yearly.orderId))).toEqual(['subscription_started']);
    await advance(app, app.test.scope, 305 * DAY_MS);
    expect(kindsOf(await listMails(yearly.orderId))).toEqual([
      'subscription_started',
      'renewal_reminder',
      'subscription_renewed',
    ]);
  });

  it('of each declined renewal, with a link to pay', async () => {
    const { orderId } = await subscribe({}, '4000000000000341');
    await advance(app, app.test.scope, 32 * DAY_MS);
    const mails = await listMails(orderId);
    expect(kindsOf(mails)).toEqual(['subscription_started', 'payment_failed']);
    for (const part of [
      /http:\/\/localhost:3000\/pay\/\S+/,
      /Period: \S/,
      /Reason: The card was declined\./,
      /We try again on \S/,
    ]) {
      expect(mails[1]?.text).toMatch(part);
    }
  });

  it('of another plan, of its coming end, and of the end', async () => {
    const { orderId, id } = await subscribe({});
    const offerId = await makePlanOffer(app.test, { price: 4999 });
    const update = (body: object) => app.test.patch(`/v0/subscriptions/${id}/update`, body);
    expect((await update({ items: [{ offerId }], prorationBehavior: 'none' })).status).toBe(200);
    expect((await update({ cancelAtIntervalEnd: true })).status).toBe(200);
    await advance(app, app.test.scope, 32 * DAY_MS);
    expect(kindsOf(await listMails(orderId))).toEqual([
      'subscription_started',
      'subscription_changed',
      'subscription_ending',
      'subscription_cancelled',
    ]);
  });
});

describe('a change that is paid at once', () => {
  it('is told of, also where the new plan costs the same', async () => {
    const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test)] });
    const { order, subscription } = body.data;
    const offerId = await makePlanOffer(app.test, { recurringInterval: 'year' });
    const answer = await app.test.patch(`/v0/subscriptions/${subscription.id}/update`, { offerId });
    expect(answer.body.data.payment.status).toBe('PAID');
    const kinds = kindsOf(await listMails(order.id));
    expect(kinds.toSorted()).toEqual(['receipt', 'subscription_changed', 'subscription_started']);
  });
});

describe('the owner', () => {
  it('hears once that few keys are left, and again after the shelf was filled', async () => {
    const keys = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => `STOCK-${from + n}`);
    const productId = await makeProduct(app.test, { name: 'Comet' });
    const offerId = await makeOffer(app.test, { productId });
    const add = (productKeys: string[]) => app.test.post(`/v0/offers/${offerId}/keys/add`, { productKeys });
    const countTold = async () => {
      await app.wired.worker.runDue();
      const { body } = await app.test.get('/v0/mails/list', { query: { kind: 'low_stock', term: 'Comet' } });
      return body.data.mails.length;
    };
    await add(keys(1, 7));
    await buy(app.test, { offersIds: [offerId] });
    expect(await countTold()).toBe(0);
    await buy(app.test, { offersIds: [offerId] });
    await buy(app.test, { offersIds: [offerId] });
    expect(await countTold()).toBe(1);
    await add(keys(8, 2));
    await buy(app.test, { offersIds: [offerId] });
    expect(await countTold()).toBe(2);
    await app.test.patch('/v0/settings/update', { lowStockThreshold: 0 });
    await add(keys(10, 1));
    await buy(app.test, { offersIds: [offerId] });
    expect(await countTold()).toBe(2);
  });
});

describe('notifications that are held back', () => {
  it('leave the buyer of that subscription in peace', async () => {
    const { body } = await buy(app.test, { offersIds: [await makePlanOffer(app.test)] });
    const orderId: string = body.data.order.id;
    const { db } = app.service;
    await db.deleteFrom('mails').where('orderId', '=', orderId).execute();
    await db
      .updateTable('subscriptions')
      .set({ skipNotifications: true })
      .where('orderId', '=', orderId)
      .execute();
    await app.test.post(`/v0/orders/${orderId}/refunds`, {});
    expect(await listMails(orderId)).toEqual([]);
  });
});
