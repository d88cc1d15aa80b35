/** What European law gives consumers: consent before delivery, the pages, and statements that stay as they are. */
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hashConsent, hashNotice, hashWithdrawal } from '../../src/resources/consumer/statement-hashes.ts';
import { openPage, readState } from '../support/buying.ts';
import { DAY_MS } from '../support/clock.ts';
import { createLawShop, type LawShop } from '../support/consumer-law.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer, makePlanOffer } from '../support/make-catalogue.ts';
import { readPdf } from '../support/read-pdf.ts';

let app: TestApp;
let slug: string;
let shop: LawShop;
beforeAll(async () => {
  app = await createTestApp();
  await makePlanOffer(app.test);
  slug = (await app.test.get('/v0/settings')).body.data.settings.portalSlug;
  shop = createLawShop(app, slug);
});
afterEach(() => expectInvariants(app));
afterAll(() => app.close());

const CONTENT = 'Deliver now. I know that I lose my right to withdraw once delivery begins.';
const SERVICE = 'Start now. If I withdraw within 14 days I pay for the part used until then.';

describe('S27: consent at the checkout', () => {
  it('is required of a German consumer where the shop says so, kept, shown and mailed in the same words', async () => {
    const offerId = await shop.makeKeyed();
    await shop.set({ consent: 'require' });
    const page = await openPage(app, `/checkout/${offerId}`);
    const { body } = await page.quote();
    expect(body.data.quote.consents).toEqual([
      { kind: 'content', text: CONTENT, textVersion: '2026-06', language: 'en', isRequired: true },
    ]);
    const refused = await page.submit();
    expect(refused.body.error).toMatchObject({ code: 'consent_required' });
    expect(refused.body.error.details[0].path).toBe('consents.content');
    const tick = { kind: 'content', textVersion: '2026-06', language: 'en' };
    await expectRefusal(
      page.submit({ consents: [{ ...tick, textVersion: '1999-01' }] }),
      400,
      'invalid_input',
    );
    const paid = await page.submit({ consents: [tick] });
    expect(paid.body.data?.checkout.status, paid.text).toBe('paid');
    const { orderId, orderNumber } = paid.body.data.checkout.receipt;
    expect((await shop.orderOf(orderId)).order.consents[0]).toMatchObject({ text: CONTENT, language: 'en' });
    await shop.settle();
    const { order } = await shop.orderOf(orderId);
    const [consent] = order.consents;
    expect(consent.confirmedAt).toBeGreaterThanOrEqual(consent.givenAt);
    const [mail] = await shop.listMails('receipt', 'ada@example.com');
    expect(mail?.plain).toContain(CONTENT);
    expect(mail?.plain).toContain('Withdraw from contract here');
    expect(mail?.html).toContain(`/portal/${slug}/test/withdraw`);
    expect(consent.sha256).toBe(hashConsent({ ...consent, orderNumber, email: 'ada@example.com' }));
    expect(order.withdrawableUntil).not.toBeNull();
    // The keys stand on the screen now.
    const shown = await app.test.request('POST', `/checkout-sessions/${page.token}/shown`, { keys: 'none' });
    expect(shown.status).toBe(200);
    expect((await shop.orderOf(orderId)).order.withdrawableUntil).toBeNull();
    await shop.set({ consent: 'ask' });
  });

  it('is asked of nobody else, and stands in the language of the page', async () => {
    const offerId = await shop.makeKeyed();
    const ask = async (form: Record<string, unknown>, headers = {}) =>
      (await (await openPage(app, `/checkout/${offerId}`, headers)).quote(form)).body.data.quote.consents;
    expect(await ask({ countryCode: 'FR', type: 'company', companyName: 'Ada SARL' })).toEqual([]);
    expect(await ask({ countryCode: 'US', postalCode: '94110' })).toEqual([]);
    const german = await ask({}, { 'accept-language': 'de' });
    expect(german).toMatchObject([{ language: 'de' }]);
    expect(german[0].text).toMatch(/^Jetzt liefern\./);
    const free = await makeOffer(app.test, { price: 0, freeProduct: true });
    const claim = await (await openPage(app, `/checkout/${free}`)).quote();
    expect(claim.body.data.quote.consents).toEqual([]);
    await shop.set({ consent: 'off' });
    expect(await ask({})).toEqual([]);
    await shop.set({ consent: 'ask' });
    expect(await ask({})).toMatchObject([{ kind: 'content', isRequired: false }]);
  });

  it('that is not ticked keeps the right; test purchases tick it, too', async () => {
    const offerId = await shop.makeKeyed();
    const plain = await shop.sell([offerId]);
    expect(plain.order).toMatchObject({ consents: [] });
    expect(plain.order.withdrawableUntil).toBeGreaterThan(plain.order.paidAt + 14 * DAY_MS);
    const ticked = await shop.sell([await makePlanOffer(app.test)], { consent: true });
    expect(ticked.order.consents).toMatchObject([{ kind: 'service', text: SERVICE }]);
    const company = { countryCode: 'FR', type: 'company', companyName: 'Ada SARL' };
    expect((await shop.sell([offerId], { billingDetails: company })).order.withdrawableUntil).toBeNull();
  });

  it('S28: the button of a trial names what is paid after it', async () => {
    const offerId = await makePlanOffer(app.test, {
      price: 900,
      trialInterval: 'week',
      trialIntervalCount: 1,
    });
    const { body } = await (await openPage(app, `/checkout/${offerId}`)).quote();
    expect(body.data.quote).toMatchObject({ dueNow: 0, consents: [], renewal: { amount: 1071 } });
  });
});

describe('S29: a withdrawal without signing in', () => {
  it('is received, dated to the second and mailed, and a wrong number looks alike', async () => {
    const sale = await shop.sell([await shop.makeKeyed()]);
    const other = shop.newEmail();
    const right = await shop.withdraw({
      orderNumber: `#${sale.order.number}`,
      email: other,
      part: 'the key',
    });
    const wrong = await shop.withdraw({ orderNumber: '000000000000', email: other, part: 'the key' });
    const shape = ({ body }: typeof right) => {
      const {
        id: _id,
        number: _n,
        orderNumber: _o,
        receivedAt: _r,
        sha256: _s,
        ...rest
      } = body.data.withdrawal;
      return rest;
    };
    expect(shape(wrong)).toEqual(shape(right));
    expect(right.body.data.withdrawal).toMatchObject({ status: 'received', orderId: null, part: 'the key' });
    expect(right.body.data.withdrawal.number).toMatch(/^W-[0-9A-Z]{12}$/);
    await shop.settle();
    const { receivedAt } = right.body.data.withdrawal;
    for (const to of [other, sale.email]) {
      const [mail] = await shop.listMails('withdrawal_received', to);
      expect(mail?.createdAt).toBeLessThan(receivedAt + 60_000);
      expect(mail?.plain).toContain(right.body.data.withdrawal.number);
      expect(mail?.plain).toMatch(/\d{1,2}:\d\d:\d\d/);
    }
    expect(await shop.withdrawalOf(right.body.data.withdrawal.id)).toMatchObject({
      status: 'unmatched',
      orderId: null,
    });
    expect((await shop.withdrawalOf(right.body.data.withdrawal.id)).acknowledgedAt).not.toBeNull();
    const { pathname } = new URL(right.body.data.confirmationUrl);
    const pdf = await app.app.inject({ method: 'GET', url: pathname });
    expect(pdf.headers['content-type']).toBe('application/pdf');
    const { text } = await readPdf(pdf.rawPayload);
    expect(text).toContain(right.body.data.withdrawal.number);
    expect(text).toContain('Ada Lovelace');
    const again = await app.app.inject({ method: 'GET', url: pathname });
    expect(again.rawPayload.equals(pdf.rawPayload)).toBe(true);
  });

  it('has its page, also in a shop that is suspended or archived, and refuses what is missing', async () => {
    const get = (url: string) => app.app.inject({ method: 'GET', url });
    const page = await get(`/portal/${slug}/test/withdraw`);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect((await get(`/portal/${slug}/withdraw`)).statusCode).toBe(200);
    expect((await get('/portal/nobody-here/withdraw')).statusCode).toBe(404);
    expect((await get(`/portal/${slug}/test/statements/x.pdf`)).statusCode).toBe(404);
    const email = shop.newEmail();
    await expectRefusal(shop.withdraw({ orderNumber: 'X', email: 'nobody' }), 400, 'invalid_input');
    await expectRefusal(shop.withdraw({ email }), 400, 'invalid_input');
    await expectRefusal(shop.withdraw({ orderNumber: 'X', email, name: ' ' }), 400, 'invalid_input');
    await expectRefusal(shop.withdraw({ orderNumber: ' ', email }), 400, 'invalid_input');
    await expectRefusal(shop.cancel({ contractNumber: ' ', email }), 400, 'invalid_input');
    await expectRefusal(
      shop.withdraw({ orderNumber: 'X', email, items: [crypto.randomUUID()] }),
      400,
      'invalid_input',
    );
    await expectRefusal(shop.withdraw({ orderNumber: 'X', email, store: 'nobody-here' }), 404, 'not_found');
  });
});

describe('a right to withdraw', () => {
  const legalOf = async (path: string) =>
    readState((await app.app.inject({ method: 'GET', url: path })).payload)?.legal.withdraw ?? null;

  it('outlives the shop’s offer of it: its page, its mails and its receipt still lead there', async () => {
    const form = `/portal/${slug}/test/withdraw`;
    const page = await openPage(app, `/checkout/${await shop.makeKeyed()}`);
    const { receipt } = (await page.submit()).body.data.checkout;
    const later = await openPage(app, `/checkout/${await shop.makeKeyed()}`);
    await shop.set({ withdrawal: 'off' });
    try {
      expect((await app.app.inject({ method: 'GET', url: form })).statusCode).toBe(200);
      expect([await legalOf(page.pagePath), await legalOf(later.pagePath)]).toEqual([form, null]);
      expect(await legalOf(`/portal/${slug}/test`)).toBe(form);
      const refund = await app.test.post(`/v0/orders/${receipt.orderId}/refunds`, { amount: 100 });
      expect(refund.status, refund.text).toBe(200);
      await shop.settle();
      const [mail] = await shop.listMails('refund', 'ada@example.com');
      expect(mail?.plain).toContain(form);
      const stated = await shop.withdraw({ orderNumber: receipt.orderNumber, email: 'ada@example.com' });
      expect(stated.status, stated.text).toBe(200);
      await shop.pass(18 * DAY_MS);
      // Nobody has one any more.
      expect((await app.app.inject({ method: 'GET', url: form })).statusCode).toBe(404);
      expect((await shop.withdraw({ orderNumber: receipt.orderNumber, email: 'a@b.example' })).status).toBe(
        404,
      );
    } finally {
      await shop.set({ withdrawal: 'eu' });
    }
  });
});

describe('S32: a decision on a notice', () => {
  it('is made once, however many are sent at the same time', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)]);
    const { body } = await shop.cancel({
      ...{ contractNumber: sale.order.number, email: sale.email, type: 'cause', reason: 'moved' },
    });
    const { id } = body.data.notice;
    const asked = [true, false, true, false, true].map((accept) => ({ accept }));
    const answers = await Promise.all(
      asked.map((decision) => app.test.patch(`/v0/cancellation-notices/${id}/decide`, decision)),
    );
    const codes = answers.map((answer) => `${answer.status} ${answer.body.error?.code ?? ''}`);
    expect(codes.toSorted()).toEqual(['200 ', ...Array<string>(4).fill('409 notice_state')]);
    const isAccepted = asked[codes.indexOf('200 ')]?.accept;
    await shop.settle();
    const { subscription } = await shop.orderOf(sale.order.id);
    expect([(await shop.noticeOf(id)).status, subscription.status]).toEqual(
      isAccepted ? ['done', 'canceled'] : ['refused', 'active'],
    );
    expect(await shop.listMails('notice_decided', sale.email)).toHaveLength(1);
  });
});

describe('S33: a statement', () => {
  it('is never changed nor deleted, and its hash can be computed again', async () => {
    const sale = await shop.sell([await makePlanOffer(app.test)], { consent: true });
    await shop.withdrawFrom(sale);
    await shop.cancel({ contractNumber: sale.order.number, email: sale.email });
    const { db } = app.service;
    for (const [table, column] of [
      ['consents', 'text'],
      ['consents', 'confirmed_at'],
      ['withdrawals', 'name'],
      ['withdrawals', 'received_at'],
      ['cancellation_notices', 'email'],
    ] as const) {
      const value = column.endsWith('_at') ? sql`1` : sql`'changed'`;
      const change = sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(db);
      await expect(change, `${table}.${column}`).rejects.toThrow(
        /statement is (never changed|confirmed once)/,
      );
      await expect(sql`delete from ${sql.table(table)}`.execute(db)).rejects.toThrow('never changed');
      await expect(sql`truncate ${sql.table(table)} cascade`.execute(db)).rejects.toThrow('never changed');
    }
    for (const row of await db.selectFrom('consents').selectAll().execute()) {
      expect(hashConsent(row)).toBe(row.sha256);
    }
    for (const row of await db.selectFrom('withdrawals').selectAll().execute()) {
      expect(hashWithdrawal(row)).toBe(row.sha256);
    }
    for (const row of await db.selectFrom('cancellationNotices').selectAll().execute()) {
      expect(hashNotice(row)).toBe(row.sha256);
    }
  });
});
