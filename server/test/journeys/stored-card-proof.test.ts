/** Whoever has the link of a payment may pay it, and charges nobody else's card with it. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OLD_PROOFS } from '../../src/resources/payment-methods/payer-proofs.queries.ts';
import { sweepOver } from '../../src/worker/sweeps.ts';
import { listTaken, openPage, readState } from '../support/buying.ts';
import { VISA } from '../support/cards.ts';
import { advance, DAY_MS, MINUTE_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { listProofLinks, startOwing } from '../support/paying.ts';
import { type PortalBrowser, signIn } from '../support/portal.ts';
import { listPeriods, putToRest } from '../support/subscribing.ts';

let app: TestApp;
let aheadMs = 0;
beforeAll(async () => {
  app = await createTestApp({}, undefined, { realNowMs: () => Date.now() + aheadMs });
});
beforeEach(() => {
  aheadMs = 0;
});
afterEach(() => putToRest(app));
afterAll(async () => {
  await expectInvariants(app);
  await app.close();
});

const start = () => startOwing(app);
const countTaken = async () => (await listTaken(app)).length;
const listProofs = () => app.service.db.selectFrom('payerProofs').selectAll().execute();
const get = (url: string, headers: Record<string, string> = {}) =>
  app.app.inject({ method: 'GET', url, headers });

describe('Y15 a stored card', () => {
  it('Y15 is charged for nobody who has but the link, and a new card is taken', async () => {
    const { subscribed, path, browse } = await start();
    const taken = await countTaken();
    const stranger = browse();
    await expectRefusal(stranger.pay(), 401, 'proof_required');
    expect(await countTaken()).toBe(taken);
    const { body } = await stranger.look();
    expect(body.data.debt).toMatchObject({ status: 'open', proof: 'required', storedCard: null });
    expect((await get(path)).payload).not.toMatch(/0341|visa/i);
    expect((await stranger.pay(VISA)).body.data.debt.status).toBe('paid');
    expect((await listPeriods(app, subscribed)).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  });

  it('Y15 is charged after the mailed link was opened, in that browser alone', async () => {
    const { subscribed, email, path, browse } = await start();
    const [owner, stranger] = [browse(), browse()];
    expect((await owner.prove()).body.data).toEqual({ sent: true });
    const [link = ''] = await listProofLinks(app, email);
    // A program that follows links opens nothing.
    for (let count = 0; count < 3; count += 1) {
      const page = await get(`${path}/prove/${link}`);
      expect(readState(page.payload)).toMatchObject({ proof: 'required', proofLink: { link, isOpen: true } });
      expect(page.headers['set-cookie']).toBeUndefined();
    }
    expect(await listProofs()).toEqual([]);
    const opened = await owner.open(link);
    expect(opened.body.data.debt).toMatchObject({ proof: 'given', storedCard: { last4: '0341' } });
    await expectRefusal(stranger.pay(), 401, 'proof_required');
    expect((await owner.pay()).body.data.debt).toMatchObject({ status: 'paid' });
    expect((await listPeriods(app, subscribed)).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  });

  it('Y15 is charged by who is signed in at the portal, and by no other buyer', async () => {
    const { subscribed, email, path } = await start();
    await app.test.post('/v0/users/create', { email: 'mallory@example.com' });
    const [owner, other] = [await signIn(app, email), await signIn(app, 'mallory@example.com')];
    const pay = ({ cookies }: PortalBrowser, origin: string) =>
      app.app.inject({
        method: 'POST',
        url: `${path.replace('/pay/', '/payment-pages/')}/pay`,
        headers: {
          'content-type': 'application/json',
          origin,
          cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; '),
        },
        payload: '{}',
      });
    const own = 'http://localhost:3000';
    expect((await pay(other, own)).json().error.code).toBe('proof_required');
    expect((await pay(owner, 'https://evil.example')).json().error.code).toBe('proof_required');
    expect((await pay(owner, own)).json().data.debt.status).toBe('paid');
    expect((await listPeriods(app, subscribed)).map(({ status }) => status)).toEqual(['PAID', 'PAID']);
  });

  it('Y15 a link opens once, wherever it is opened first', async () => {
    const { email, path, browse } = await start();
    const [owner, thief] = [browse(), browse()];
    await owner.prove();
    const [link = ''] = await listProofLinks(app, email);
    const answers = await Promise.all([owner.open(link), thief.open(link), owner.open(link)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    await expectRefusal(browse().open(link), 401, 'proof_required');
    expect(readState((await get(`${path}/prove/${link}`)).payload).proofLink.isOpen).toBe(false);
  });

  it('Y15 what a browser keeps is for this payment alone, of no script, and stored as a hash', async () => {
    const { email, path, browse } = await start();
    const owner = browse();
    await owner.prove();
    await owner.open((await listProofLinks(app, email))[0] ?? '');
    expect(owner.cookies).toHaveLength(2);
    const [value = ''] = owner.cookies[0]?.split(';') ?? [];
    expect(value).toMatch(/^counterfoil-payer=[\w-]{43}$/);
    const terms = 'Max-Age=1800; HttpOnly; SameSite=Lax';
    expect([...owner.cookies].sort()).toEqual([
      `${value}; Path=${path}; ${terms}`,
      `${value}; Path=${path.replace('/pay/', '/payment-pages/')}; ${terms}`,
    ]);
    expect(JSON.stringify(await listProofs())).not.toContain(value.split('=')[1]);
    expect(readState((await get(path, { cookie: value })).payload)).toMatchObject({
      proof: 'given',
      storedCard: { last4: '0341' },
    });
    // Nor does it serve at another subscription's page, whose address it was never to be sent to.
    const other = await start();
    const tried = await app.test.request('POST', `${other.path.replace('/pay/', '/payment-pages/')}/pay`, {
      keys: 'none',
      body: {},
      headers: { cookie: value },
    });
    expect([tried.status, tried.body.error.code]).toEqual([401, 'proof_required']);
  });

  it('Y15 a proof ends after 30 minutes of real time, and so does a link that was not opened', async () => {
    const { email, browse } = await start();
    const owner = browse();
    await owner.prove();
    await owner.prove();
    const [first = '', second = ''] = await listProofLinks(app, email);
    await owner.open(first);
    aheadMs = 29 * MINUTE_MS;
    expect((await owner.look()).body.data.debt.proof).toBe('given');
    aheadMs = 31 * MINUTE_MS;
    expect((await owner.look()).body.data.debt).toMatchObject({ proof: 'required', storedCard: null });
    await expectRefusal(owner.pay(), 401, 'proof_required');
    await expectRefusal(owner.open(second), 401, 'proof_required');
  });

  it('Y15 a link goes to the user’s own mailbox, never to one that was typed', async () => {
    const { email, browse } = await start();
    const before = await listAllMails();
    const { body } = await browse().prove({ email: 'thief@example.com', to: 'thief@example.com' });
    expect(body.data).toEqual({ sent: true });
    await app.wired.worker.runDue();
    const after = await listAllMails();
    expect(after.slice(before.length).map(({ recipient }) => recipient)).toEqual([email]);
  });

  it('Y15 tells nobody whether there was anything to send', async () => {
    const { subscribed, browse } = await start();
    const page = browse();
    const told = (await page.prove()).text;
    await app.test.patch(`/v0/users/${subscribed.userId}/update`, { email: null });
    expect((await page.prove()).text).toBe(told);
    const { body } = await app.test.post('/v0/test-purchases/create', {
      offersIds: [await makePlanOffer(app.test)],
      userEmail: 'declined@example.com',
      card: '4000000000000002',
      billingDetails: { countryCode: 'DE' },
    });
    const ofOrder = new URL(body.data.payment.payUrl).pathname.replace('/pay/', '/payment-pages/');
    const asked = await app.test.request('POST', `${ofOrder}/prove`, { keys: 'none', body: {} });
    expect([asked.status, asked.text]).toEqual([200, told]);
    await page.pay(VISA);
    const before = await listAllMails();
    expect((await page.prove()).text).toBe(told);
    expect(await listAllMails()).toEqual(before);
  });

  it('Y15 a link to a mailbox that the user has left opens nothing, nor does what was opened by one', async () => {
    const { subscribed, email, browse } = await start();
    const page = browse();
    await page.prove();
    await page.prove();
    const [first = '', second = ''] = await listProofLinks(app, email);
    await page.open(first);
    const path = `/v0/users/${subscribed.userId}/update`;
    await app.test.patch(path, { email: `new-${email}` });
    await expectRefusal(page.open(second), 401, 'proof_required');
    await expectRefusal(page.pay(), 401, 'proof_required');
  });

  it('Y15 links that are altered, or of another payment, open nothing', async () => {
    const [mine, other] = [await start(), await start()];
    await other.browse().prove();
    const [link = ''] = await listProofLinks(app, other.email);
    const [name, expiry, sign] = link.split('.');
    const later = (Number.parseInt(expiry ?? '', 36) + DAY_MS).toString(36);
    const page = mine.browse();
    for (const tried of [link, 'x', `${name}.${later}.${sign}`, `${name}x.${expiry}.${sign}`]) {
      await expectRefusal(page.open(tried), 401, 'proof_required');
    }
    expect(page.cookies).toEqual([]);
  });
});

describe('Y11 row 10', () => {
  it('Y11 holds back the sixth link of an hour, and answers as before', async () => {
    const limited = await createTestApp({ RATE_LIMIT_TEST: '1000' });
    const { email, browse } = await startOwing(limited);
    const page = browse();
    const told = new Set<string>();
    for (let count = 0; count < 6; count += 1) told.add((await page.prove()).text);
    expect(told.size).toBe(1);
    await limited.wired.worker.runDue();
    const query = { recipient: email, kinds: 'payer_proof' };
    const { body } = await limited.test.get('/v0/mails/list', { query });
    const texts = (body.data.mails as Array<{ text: string | null }>).map(({ text }) => text);
    // What is not sent lets nobody in.
    expect([texts.length, texts.filter((text) => text !== null).length]).toEqual([6, 5]);
    await limited.close();
  });
});

describe('Y15 mails of dunning', () => {
  it('Y15 carry a link by which the stored card is charged', async () => {
    const { email, path, browse } = await start();
    const [link = ''] = await listProofLinks(app, email, 'payment_failed');
    expect(readState((await get(`${path}/prove/${link}`)).payload).proofLink.isOpen).toBe(true);
    aheadMs = 6 * DAY_MS;
    const owner = browse();
    await owner.open(link);
    expect((await owner.pay()).body.data.debt.status).toBe('paid');
    aheadMs = 8 * DAY_MS;
    await expectRefusal(browse().open(link), 401, 'proof_required');
  });

  it('Y15 are the only place where it stands: the merchant hands out a link without it', async () => {
    const { subscribed } = await start();
    const { body } = await app.test.get(`/v0/payments/${subscribed.number}-1`);
    expect(body.data.payment.payUrl).not.toContain('prove');
  });
});

describe('Y15 other doors', () => {
  it('Y15 a checkout charges no stored card for an e-mail that somebody typed', async () => {
    const { email } = await start();
    const page = await openPage(app, `/checkout/${await makePlanOffer(app.test)}`);
    const taken = await countTaken();
    await expectRefusal(page.submit({ email, card: undefined }), 400, 'invalid_input');
    expect(await countTaken()).toBe(taken);
  });
});

describe('proofs', () => {
  it('Y27 go with the user', async () => {
    const { subscribed, email, browse } = await start();
    const owner = browse();
    await owner.prove();
    await owner.open((await listProofLinks(app, email))[0] ?? '');
    const { userId, number } = subscribed;
    const listOwn = async () => (await listProofs()).filter((proof) => proof.userId === userId);
    expect(await listOwn()).toHaveLength(1);
    await app.test.patch(`/v0/subscriptions/${number}/cancel`);
    await app.test.post(`/v0/users/${userId}/deletion/accept`, {});
    await advance(app, app.test.scope, 40 * DAY_MS);
    expect(await listOwn()).toEqual([]);
    await expectRefusal(owner.pay(), 401, 'proof_required');
  });

  it('are swept when neither they nor their links are good for anything', async () => {
    const { email, browse } = await start();
    const owner = browse();
    await owner.prove();
    await owner.open((await listProofLinks(app, email))[0] ?? '');
    const before = (await listProofs()).length;
    const sweep = () => sweepOver(app.service.db, new AbortController().signal, OLD_PROOFS);
    expect(await sweep()).toBe(0);
    await app.service.db
      .updateTable('payerProofs')
      .set((eb) => ({ keptUntil: eb('keptUntil', '-', 30 * DAY_MS) }))
      .execute();
    expect(await sweep()).toBe(before);
    expect(await listProofs()).toEqual([]);
  });
});

const listAllMails = () =>
  app.service.db
    .selectFrom('mails')
    .select(['recipient', 'kind'])
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
