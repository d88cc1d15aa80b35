import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Snapshot } from '../../src/domain/invoicing/snapshot.ts';
import { issueInvoice } from '../../src/flows/accounting/issue-invoice.ts';
import { lockSale } from '../../src/resources/sales/locked-sale.queries.ts';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp, type TestStore } from '../support/harness.ts';
import { makeOffer, makePlanOffer, makeProduct } from '../support/make-catalogue.ts';
import { readPdf } from '../support/read-pdf.ts';
import { subscribe } from '../support/subscribing.ts';

let app: TestApp;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'counterfoil-invoices-'));
  app = await createTestApp({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function buyOne(
  store: TestStore,
  offer: Record<string, unknown> = {},
  body: Record<string, unknown> = {},
) {
  const answer = await buy(store, { offersIds: [await makeOffer(store, offer)], ...body });
  expect(answer.text).toContain('"PAID"');
  return answer.body.data.payment;
}

function listDocuments({ scope }: TestStore, number?: string) {
  const query = app.service.db
    .selectFrom('invoices')
    .selectAll()
    .where('workspaceId', '=', scope.workspaceId)
    .where('testMode', '=', scope.testMode)
    .orderBy('series')
    .orderBy('position');
  return (number === undefined ? query : query.where('number', '=', number)).execute();
}

async function readSnapshot(store: TestStore, number: string): Promise<Snapshot> {
  const [row] = await listDocuments(store, number);
  return JSON.parse(row?.snapshot ?? 'null') as Snapshot;
}

/** Opens a link as a browser does. */
async function open(url: string, method: 'GET' | 'HEAD' = 'GET', headers: Record<string, string> = {}) {
  const response = await app.app.inject({ method, url: new URL(url).pathname, headers });
  return { status: response.statusCode, headers: response.headers, bytes: response.rawPayload };
}

describe('an invoice', () => {
  it('has its number and link in the answer to the purchase, and in the event of it', async () => {
    const payment = await buyOne(app.test);
    expect(payment.invoiceNumber).toMatch(/^TEST-INV-\d{4}-\d{6}$/);
    expect(payment.invoiceUrl).toMatch(
      /^http:\/\/localhost:3000\/invoices\/[A-Za-z0-9]{22}\.[A-Za-z0-9_-]{32}\.pdf$/,
    );
    const { body } = await app.test.get('/v0/events/list', {
      query: { types: 'payment_success', take: '1' },
    });
    expect(body.data.events[0].data.payment.invoiceUrl).toBe(payment.invoiceUrl);
    const read = await app.test.get(`/v0/payments/${payment.id}`);
    expect(read.body.data.payment.invoiceUrl).toBe(payment.invoiceUrl);
  });

  it('opens without a key, and is the same bytes for ever', async () => {
    const { invoiceNumber, invoiceUrl } = await buyOne(app.test);
    const first = await open(invoiceUrl);
    expect(first.status).toBe(200);
    expect(first.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `inline; filename="${invoiceNumber}.pdf"; filename*=UTF-8''${invoiceNumber}.pdf`,
    });
    const { text } = await readPdf(first.bytes);
    expect(text).toContain(invoiceNumber);
    expect(text).toContain('23.79 EUR');
    expect(text).toContain('Test mode');
    const [row] = await listDocuments(app.test, invoiceNumber);
    expect(row?.pdfSha256).toBe(createHash('sha256').update(first.bytes).digest('hex'));
    const again = await open(invoiceUrl);
    expect(Buffer.compare(again.bytes, first.bytes)).toBe(0);
    const head = await open(invoiceUrl, 'HEAD');
    expect([head.status, head.headers['content-length']]).toEqual([200, String(first.bytes.length)]);
  });

  it('is drawn once for many who open it at once, and again with equal bytes when the disk has lost it', async () => {
    const { invoiceUrl } = await buyOne(app.test);
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(invoiceUrl)));
    expect(opened.map(({ status }) => status)).toEqual(Array(5).fill(200));
    expect(new Set(opened.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
    const folder = path.join(dataDir, 'invoices', app.test.scope.workspaceId, 'test');
    const [row] = await listDocuments(
      app.test,
      (await readPdf(opened[0]?.bytes ?? Buffer.of())).title.slice(8),
    );
    const file = path.join(folder, `${row?.id}-${row?.pdfSha256}.pdf`);
    expect(await readdir(folder)).toContain(path.basename(file));
    await rm(file);
    const restored = await open(invoiceUrl);
    expect(Buffer.compare(restored.bytes, await readFile(file))).toBe(0);
  });

  it('stays closed to a link that was changed in any character', async () => {
    const { invoiceUrl } = await buyOne(app.test);
    const token = invoiceUrl.slice(-36, -4);
    for (let index = 0; index < token.length; index += 1) {
      const other = token[index] === 'A' ? 'B' : 'A';
      const changed = invoiceUrl.replace(token, token.slice(0, index) + other + token.slice(index + 1));
      expect((await open(changed)).status).toBe(404);
    }
    for (const name of [token, `${token}.PDF`, `${token}A.pdf`, `${token.slice(1)}.pdf`, '..%2f.pdf'])
      expect((await open(`http://localhost:3000/invoices/${name}`)).status).toBe(404);
  });

  it('says what was sold as it was: later edits of shop and catalogue reach it no more', async () => {
    const productId = await makeProduct(app.test, { name: 'Łódź 東京' });
    const payment = await buyOne(app.test, { productId, name: 'شركة' });
    await app.test.patch(`/v0/products/${productId}/update`, { name: 'Renamed' });
    await app.test.patch('/v0/settings/update', { seller: { name: 'Renamed Ltd' } });
    const { text } = await readPdf((await open(payment.invoiceUrl)).bytes);
    expect(text).toContain('شركة');
    expect(text).not.toContain('Renamed');
    const later = await buyOne(app.test);
    expect((await readSnapshot(app.test, later.invoiceNumber)).seller.name).toBe('Renamed Ltd');
  });

  it('of a company in another member state says that the recipient owes the tax', async () => {
    await app.other.patch('/v0/settings/update', {
      sellerCountry: 'DE',
      seller: { taxNumber: 'DE136695976' },
    });
    const company = { type: 'company', companyName: 'Exemple SARL', taxNumber: 'FR40303265045' };
    const billingDetails = { countryCode: 'FR', firstName: 'Ada', ...company };
    const payment = await buyOne(app.other, {}, { billingDetails });
    expect(payment).toMatchObject({ value: 1999, tax: 0 });
    const { text } = await readPdf((await open(payment.invoiceUrl)).bytes);
    for (const part of [
      'Exemple SARL',
      'VAT number: FR40303265045',
      'VAT number: DE136695976',
      'Reverse charge: VAT',
    ])
      expect(text).toContain(part);
  });

  it('is not made for a payment of 0', async () => {
    const offerId = await makeOffer(app.test, { price: 0, freeProduct: true });
    const { body } = await buy(app.test, { offersIds: [offerId] });
    expect(body.data.payment).toMatchObject({ status: 'PAID', invoiceNumber: null, invoiceUrl: null });
  });

  it('shows the shop’s picture in place of its name, and does without one that cannot be read', async () => {
    const upload = (bytes: Buffer) =>
      app.test.request('POST', '/v0/files/upload', {
        headers: { 'content-type': 'image/png', 'x-file-name': 'logo.png' },
        body: bytes,
      });
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { body } = await upload(Buffer.from(pixel, 'base64'));
    const { url, id } = body.data.file;
    const set = await app.test.patch('/v0/settings/update', { invoiceLogo: url });
    expect(set.status).toBe(200);
    const shown = await open((await buyOne(app.test)).invoiceUrl);
    expect(shown.bytes.includes('/Subtype /Image')).toBe(true);
    const lost = await buyOne(app.test);
    const folder = path.join(dataDir, 'files', app.test.scope.workspaceId, 'test');
    const name = (await readdir(folder)).find((one) => one.startsWith(id));
    await writeFile(path.join(folder, String(name)), 'no picture');
    const drawn = await open(lost.invoiceUrl);
    expect([drawn.status, drawn.bytes.includes('/Subtype /Image')]).toEqual([200, false]);
    await app.test.patch('/v0/settings/update', { invoiceLogo: null });
  });
});

describe('the numbers of invoices', () => {
  it('have no gaps and no doubles under 50 purchases at once, with transactions that are rolled back among them', async () => {
    const offerId = await makeOffer(app.other);
    const { scope } = app.other;
    const before = (await listDocuments(app.other)).length;
    const purchases = Array.from({ length: 50 }, (_, index) =>
      buy(app.other, { offersIds: [offerId], userEmail: `buyer${index}@example.com` }),
    );
    const paymentId = (await buyOne(app.other)).id;
    // A payment has one invoice: another one takes its number, finds the place taken and is undone.
    const ctx = { ...app.service, nowMs: app.service.realNowMs() };
    const undone = Array.from({ length: 10 }, () =>
      inTransaction(app.service.db, async (tx) => {
        const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
        assert(sale);
        const items = { kind: 'items' as const, rows: [] };
        const firstPeriod = { periodStart: null, periodEnd: null };
        return issueInvoice(ctx, scope, { tx, sale, items, method: null, firstPeriod });
      }).catch((error: unknown) => error),
    );
    const answers = await Promise.all(purchases);
    for (const failed of await Promise.all(undone)) expect(failed).toBeInstanceOf(Error);
    expect(answers.map(({ body }) => body.data.payment.status)).toEqual(Array(50).fill('PAID'));
    const rows = await listDocuments(app.other);
    expect(rows.length).toBe(before + 51);
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index + 1));
    const moments = rows.map(({ finalisedAt }) => finalisedAt);
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
  });

  it('begin anew with the year of the workspace’s clock and with another prefix', async () => {
    await app.test.patch('/v0/settings/update', { invoicePrefix: 'ACME' });
    const year = new Date(app.service.realNowMs()).getUTCFullYear();
    expect((await buyOne(app.test)).invoiceNumber).toBe(`TEST-ACME-${year}-000001`);
    expect((await buyOne(app.test)).invoiceNumber).toBe(`TEST-ACME-${year}-000002`);
    await advance(app, app.test.scope, 366 * DAY_MS);
    expect((await buyOne(app.test)).invoiceNumber).toBe(`TEST-ACME-${year + 1}-000001`);
  });
});

describe('a finalised document', () => {
  it('is the one that was hashed, and the store refuses to change or remove it', async () => {
    const { invoiceNumber, invoiceUrl } = await buyOne(app.test);
    const [row] = await listDocuments(app.test, invoiceNumber);
    expect(row).toBeDefined();
    expect(
      createHash('sha256')
        .update(row?.snapshot ?? '')
        .digest('hex'),
    ).toBe(row?.snapshotSha256);
    expect(JSON.parse(row?.snapshot ?? '')).toMatchObject({
      number: invoiceNumber,
      finalisedAt: row?.finalisedAt,
    });
    await open(invoiceUrl);
    const { db } = app.service;
    const statements = [
      sql`update invoices set total = 1 where number = ${invoiceNumber}`,
      sql`update invoices set snapshot = '{}' where number = ${invoiceNumber}`,
      sql`update invoices set token = 'x' where number = ${invoiceNumber}`,
      sql`update invoices set pdf_sha256 = 'x', pdf_size = 1 where number = ${invoiceNumber}`,
      sql`delete from invoices where number = ${invoiceNumber}`,
      sql`truncate invoices`,
    ];
    for (const statement of statements)
      await expect(statement.execute(db)).rejects.toThrow('a finalised invoice is never changed');
  });

  it('is not drawn when its words are no longer those that were finalised', async () => {
    const { invoiceNumber, invoiceUrl } = await buyOne(app.test);
    await sql`alter table invoices disable trigger invoices_kept`.execute(app.service.db);
    await sql`update invoices set snapshot = replace(snapshot, 'Rocket', 'Rocker') where number = ${invoiceNumber}`.execute(
      app.service.db,
    );
    await sql`alter table invoices enable trigger invoices_kept`.execute(app.service.db);
    expect((await open(invoiceUrl)).status).toBe(500);
  });
});

describe('a credit note', () => {
  it('is made with each refund, in a series of its own, and all together never pass the invoice', async () => {
    const payment = await buyOne(app.test, { price: 10_001 });
    const refund = async (body: Record<string, unknown>) => {
      const answer = await app.test.post(`/v0/orders/${payment.orderId}/refunds`, body);
      expect(answer.text).toContain('success');
      return answer.body.data.refund;
    };
    const notes = [await refund({ amount: 100 }), await refund({ amount: 1 }), await refund({})];
    for (const note of notes) {
      expect(note).toMatchObject({ status: 'succeeded' });
      expect(note.creditNoteNumber).toMatch(/^TEST-CN-\d{4}-\d{6}$/);
    }
    const snapshots = await Promise.all(notes.map((note) => readSnapshot(app.test, note.creditNoteNumber)));
    const sum = (of: (snapshot: Snapshot) => number) => snapshots.reduce((total, one) => total + of(one), 0);
    expect([sum(({ total }) => total), sum(({ tax }) => tax)]).toEqual([payment.value, payment.tax]);
    expect(snapshots[0]).toMatchObject({ kind: 'credit_note', refersTo: { number: payment.invoiceNumber } });
    const { text, title } = await readPdf((await open(notes[2].creditNoteUrl)).bytes);
    expect(title).toBe(`Credit note ${notes[2].creditNoteNumber}`);
    expect(text).toContain(payment.invoiceNumber);
  });
});

describe('the credit notes of an invoice with two taxes', () => {
  it('end together at each of them', async () => {
    const billingDetails = { countryCode: 'CA', state: 'QC', postalCode: 'H2X 1Y4' };
    const payment = await buyOne(app.test, { price: 10_001 }, { billingDetails });
    const notes: Snapshot[] = [];
    for (const body of [{ amount: 100 }, { amount: 33 }, {}]) {
      const answer = await app.test.post(`/v0/orders/${payment.orderId}/refunds`, body);
      notes.push(await readSnapshot(app.test, answer.body.data.refund.creditNoteNumber));
    }
    const { taxes } = await readSnapshot(app.test, payment.invoiceNumber);
    expect(taxes.map(({ percentage }) => percentage)).toEqual([5, 9.975]);
    for (const { name, amount } of taxes) {
      const parts = notes.flatMap((note) => note.taxes).filter((tax) => tax.name === name);
      expect(parts.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
    }
  });
});

describe('the invoice of a later payment', () => {
  it('shows the period that it pays for, and a change of plan with what is credited', async () => {
    const small = await makePlanOffer(app.test, { price: 1000 });
    const large = await makePlanOffer(app.test, { price: 3000 });
    const { number } = await subscribe(app, small);
    await advance(app, app.test.scope, 32 * DAY_MS);
    const list = () => app.test.get('/v0/payments/list', { query: { subscriptionId: number } });
    const renewal = (await list()).body.data.payments[0];
    expect(renewal).toMatchObject({ type: 'subscription_interval', status: 'PAID' });
    const said = await readSnapshot(app.test, renewal.invoiceNumber);
    expect(said).toMatchObject({ paymentNumber: `${number}-1`, total: renewal.value });
    expect(said.lines).toHaveLength(1);
    expect(said.lines[0]?.periodEnd).toBeGreaterThan(said.lines[0]?.periodStart ?? 0);

    const changed = await app.test.patch(`/v0/subscriptions/${number}/update`, {
      items: [{ offerId: large }],
      prorationBehavior: 'always_invoice',
    });
    const { payment } = changed.body.data;
    expect(payment).toMatchObject({ type: 'subscription_update', status: 'PAID' });
    const { lines, total, tax } = await readSnapshot(app.test, payment.invoiceNumber);
    expect(Math.min(...lines.map((line) => line.net))).toBeLessThan(0);
    expect(lines.reduce((sum, line) => sum + line.total, 0)).toBe(total);
    expect(lines.reduce((sum, line) => sum + line.tax, 0)).toBe(tax);
    expect([total, tax]).toEqual([payment.value, payment.tax]);
    const { text } = await readPdf((await open(payment.invoiceUrl)).bytes);
    expect(text).toContain('−');
  });
});
