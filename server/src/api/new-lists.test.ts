import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
let order: { id: string; number: string; userId: string };
let paymentId: string;
let webhookId: string;

beforeAll(async () => {
  app = await createTestApp({ RATE_LIMIT_TEST: '1000' });
  const { body: webhook } = await app.test.post('/v0/webhooks/create', {
    url: 'https://8.8.8.8/hook',
    events: ['payment_success'],
  });
  webhookId = webhook.data.webhook.id;
  const offerId = await makeOffer(app.test, { price: 1000 });
  await app.test.post(`/v0/offers/${offerId}/keys/add`, { keys: ['AAAA-BBBB-CCCC-0001'] });
  const { body } = await buy(app.test, { offersIds: [offerId] });
  order = body.data.order;
  paymentId = body.data.payment.id;
  await app.test.post(`/v0/orders/${order.id}/refunds`, { amount: 500 });
});
afterAll(() => app.close());

const get = async (path: string) => (await app.test.get(path)).body.data;

describe('GET /v0/invoices/list', () => {
  it('shows invoices and credit notes with their buyer, and one of them by its number', async () => {
    const { invoices, count } = await get('/v0/invoices/list');
    expect(count).toBe(2);
    expect(invoices.map(({ kind }: { kind: string }) => kind)).toEqual(['credit_note', 'invoice']);
    const [note, invoice] = invoices;
    expect(note).toMatchObject({ refersTo: invoice.id, orderNumber: order.number, total: 500 });
    expect(invoice).toMatchObject({ userEmail: 'ada@example.com', total: 1190, tax: 190, paymentId });
    for (const query of ['kind=invoice', `number=${invoice.number}`])
      expect((await get(`/v0/invoices/list?${query}`)).invoices).toEqual([invoice]);
    expect((await get(`/v0/invoices/list?userId=${order.userId}&orderId=${order.id}`)).invoices).toHaveLength(
      2,
    );
    expect((await get(`/v0/invoices/list?createdFrom=${Date.now() + 1000}`)).invoices).toEqual([]);
    expect((await get(`/v0/invoices/${invoice.number}`)).invoice).toEqual(invoice);
    expect((await get(`/v0/invoices/${invoice.id}`)).invoice).toEqual(invoice);
    await expectRefusal(app.test.get('/v0/invoices/INV-2001-000001'), 404, 'not_found');
  });
});

describe('GET /v0/refunds/list and /v0/disputes/list', () => {
  it('show what was given back and what is disputed', async () => {
    const { refunds } = await get('/v0/refunds/list?status=succeeded');
    expect(refunds).toEqual([
      expect.objectContaining({ amount: 500, orderNumber: order.number, userEmail: 'ada@example.com' }),
    ]);
    expect((await get('/v0/refunds/list?reasons=dispute')).refunds).toEqual([]);
    expect((await get(`/v0/refunds/list?userId=${order.userId}&paymentId=${paymentId}`)).count).toBe(1);
    expect((await get('/v0/disputes/list?status=open')).disputes).toEqual([]);
  });
});

describe('GET /v0/ledger/entries/list', () => {
  it('shows whole movements, whose debits are their credits', async () => {
    const { ledgerEntries, count } = await get('/v0/ledger/entries/list');
    expect(count).toBe(2);
    const sum = (name: 'debit' | 'credit') =>
      ledgerEntries.reduce((total: number, line: Record<string, number>) => total + Number(line[name]), 0);
    expect(sum('debit')).toBe(sum('credit'));
    const first = await get('/v0/ledger/entries/list?take=1');
    expect(new Set(first.ledgerEntries.map(({ id }: { id: string }) => id)).size).toBe(1);
    expect(first.ledgerEntries[0]).toMatchObject({
      kind: 'refund',
      paymentId,
      paymentNumber: expect.stringMatching(/^[0-9A-Z]{12}$/),
      refundId: expect.any(String),
    });
    const second = await get(`/v0/ledger/entries/list?take=1&cursor=${first.cursor}`);
    expect([...first.ledgerEntries, ...second.ledgerEntries]).toEqual(ledgerEntries);
    const sales = await get('/v0/ledger/entries/list?accounts=sales');
    expect(sales.ledgerEntries).toMatchObject([{ account: 'sales', credit: 1000, debit: 0 }]);
  });
});

describe('GET /v0/files/list', () => {
  it('finds files by their name', async () => {
    await app.test.request('POST', '/v0/files/upload', {
      body: Buffer.from('hello'),
      headers: { 'content-type': 'text/plain', 'x-file-name': 'manual.txt' },
    });
    const { files } = await get('/v0/files/list?term=manual&purpose=download');
    expect(files).toMatchObject([{ fileName: 'manual.txt', createdAt: expect.any(Number) }]);
    expect((await get('/v0/files/list?purpose=picture')).files).toEqual([]);
  });
});

describe('deliveries', () => {
  it('D36 are listed by webhook and by event, each with its attempts', async () => {
    const { deliveries } = await get(`/v0/webhooks/${webhookId}/deliveries`);
    expect(deliveries).toMatchObject([{ eventType: 'payment_success', status: 'waiting', attempts: [] }]);
    const ofEvent = await get(`/v0/events/${deliveries[0].eventId}/deliveries`);
    expect(ofEvent.deliveries).toEqual(deliveries);
    expect((await get(`/v0/webhooks/${webhookId}/deliveries?status=failed`)).deliveries).toEqual([]);
    await expectRefusal(app.test.get(`/v0/events/${webhookId}/deliveries`), 404, 'not_found');
  });
});

describe('reveals', () => {
  it('show a secret and keys, are noted without them, and are few', async () => {
    const secret = await app.test.post(`/v0/webhooks/${webhookId}/reveal-secret`);
    expect(secret.body.data.secret).toMatch(/^whsec_/);
    const keys = await app.test.post(`/v0/orders/${order.number}/reveal-keys`);
    expect(keys.body.data.keys).toMatchObject([{ key: 'AAAA-BBBB-CCCC-0001' }]);
    const rows = await app.service.db
      .selectFrom('auditLog')
      .select(['operation', 'objectId', 'after'])
      .where('operation', 'like', 'reveal%')
      .orderBy('id')
      .execute();
    expect(rows.map(({ objectId }) => objectId)).toEqual([webhookId, order.id]);
    expect(JSON.stringify(rows)).not.toMatch(/whsec_|AAAA/);
    for (let made = 2; made < 100; made += 1) await app.test.post(`/v0/webhooks/${webhookId}/reveal-secret`);
    await expectRefusal(app.test.post(`/v0/webhooks/${webhookId}/reveal-secret`), 429, 'rate_limited');
  });
});

describe('POST /v0/mails/{id}/resend', () => {
  it('sends a mail of a sale to the address that the buyer has now', async () => {
    await app.test.patch(`/v0/users/${order.userId}/update`, { email: 'ada.l@example.com' });
    const [mail] = (await get(`/v0/mails/list?orderId=${order.id}&kind=receipt`)).mails;
    const { body } = await app.test.post(`/v0/mails/${mail.id}/resend`);
    expect(body.data.mail).toMatchObject({ to: 'ada.l@example.com', kind: 'receipt', status: 'queued' });
    expect(body.data.mail.id).not.toBe(mail.id);
  });

  it('refuses one that lets its reader in', async () => {
    const { workspaceId, testMode } = app.test.scope;
    const id = app.service.ids.next(Date.now());
    await app.service.db
      .insertInto('mails')
      .values({
        ...{
          workspaceId,
          testMode,
          id,
          kind: 'magic_link',
          key: 'x',
          recipient: 'a@b.example',
          language: 'en',
        },
        createdAt: 1,
      })
      .execute();
    await expectRefusal(app.test.post(`/v0/mails/${id}/resend`), 409, 'mail_not_resendable');
  });
});

test('D55 each of these reads asks for the secret key', async () => {
  for (const path of [
    '/v0/invoices/list',
    '/v0/invoices/INV-2001-000001',
    '/v0/refunds/list',
    '/v0/disputes/list',
    '/v0/ledger/entries/list',
    '/v0/files/list',
    `/v0/webhooks/${webhookId}/deliveries`,
    `/v0/events/${webhookId}/deliveries`,
  ])
    await expectRefusal(app.test.get(path, { keys: 'public' }), 401, 'secret_key_required');
});
