import { createServer } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { type NewMail, queueMails } from '../../src/flows/outbox/queue-mail.ts';
import { createSmtp } from '../../src/providers/mail/smtp.ts';
import { getClock } from '../../src/resources/workspaces/workspaces.queries.ts';
import { buy, openPage } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { makeOffer, makeProduct } from '../support/make-catalogue.ts';

let server: MailServer;
let app: TestApp;
beforeAll(async () => {
  server = await startMailServer();
  app = await createTestApp({ SMTP_URL: server.url, MAIL_FROM: 'shop@seller.example' });
});
afterAll(async () => {
  await app.close();
  await server.close();
});
afterEach(async () => {
  server.received.length = 0;
  server.refuseRecipient = () => null;
  server.refuseMail = () => null;
  await app.service.db.deleteFrom('mails').execute();
  await app.service.db.deleteFrom('dueWork').execute();
});

async function queue(mail: Partial<NewMail> = {}): Promise<void> {
  const { db, ids } = app.service;
  const { offsetMs } = await getClock(db, app.test.scope);
  const whole = {
    kind: 'low_stock',
    key: 'low_stock:1',
    to: 'ada@example.com',
    language: 'de',
    at: app.service.realNowMs() + offsetMs,
    params: { offerName: 'Nébula 星', available: 3 },
    ...mail,
  } as NewMail;
  await inTransaction(db, (tx) => queueMails(tx, app.test.scope, ids, [whole]));
}

const run = () => app.wired.worker.runDue();
async function readMail() {
  const { body } = await app.test.get('/v0/mails/list');
  return body.data.mails[0];
}

describe('a mail server', () => {
  it('is given the letter whole: both twins, any script, who it is from and where to answer', async () => {
    await app.test.patch('/v0/settings/update', {
      seller: { name: 'Żółć & Söhne', email: 'help@seller.example' },
    });
    const productId = await makeProduct(app.test, { name: 'Nébula 星' });
    const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test, { productId })] });
    await run();
    const [mail] = server.received;
    expect(mail).toMatchObject({
      from: { name: 'Żółć & Söhne', address: 'shop@seller.example' },
      to: [{ address: 'ada@example.com' }],
      replyTo: [{ address: 'help@seller.example' }],
      subject: `[Test] Your receipt from Żółć & Söhne: order ${body.data.order.number}`,
      date: new Date(Math.floor(body.data.order.paidAt / 1000) * 1000).toISOString(),
    });
    expect(mail?.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
    const kept = await readMail();
    expect(kept).toMatchObject({ status: 'sent', attempts: 1, lastError: null });
    expect(kept.sentAt).toBeGreaterThanOrEqual(body.data.order.paidAt);
    expect(mail?.text?.trim()).toBe(kept.text.trim());
    expect(mail?.html?.trim()).toBe(kept.html.trim());
    expect(mail?.text).toContain('Nébula 星');
  });

  it('is what the receipt page promises', async () => {
    const page = await openPage(app, `/checkout/${await makeOffer(app.test)}`);
    await page.submit();
    expect((await page.show()).body.data.checkout.receipt).toMatchObject({ isMailed: true });
    await run();
    expect(server.received).toHaveLength(1);
  });

  it('that says "not now" is asked again, later each time, with the same letter', async () => {
    await queue();
    server.refuseMail = () => ({ code: 451, message: 'not now' });
    await run();
    expect(await readMail()).toMatchObject({ status: 'queued', attempts: 1, sentAt: null });
    expect((await readMail()).lastError).toContain('not now');
    server.refuseMail = () => (server.received.length < 3 ? { code: 451, message: 'not now' } : null);
    await advance(app, app.test.scope, DAY_MS);
    expect(await readMail()).toMatchObject({ status: 'sent', attempts: 3, lastError: null });
    expect(new Set(server.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect(new Set(server.received.map(({ html }) => html)).size).toBe(1);
  });

  it('that refuses the recipient for good is not asked again', async () => {
    await queue();
    server.refuseRecipient = () => ({ code: 550, message: 'no such mailbox' });
    await advance(app, app.test.scope, 10 * DAY_MS);
    expect(await readMail()).toMatchObject({ status: 'failed', attempts: 1 });
    expect((await readMail()).lastError).toContain('no such mailbox');
  });

  it('that never takes it is given up after almost five days, for all to see', async () => {
    await queue();
    server.refuseRecipient = () => ({ code: 450, message: 'busy' });
    await advance(app, app.test.scope, 4.5 * DAY_MS);
    expect(await readMail()).toMatchObject({ status: 'queued' });
    await advance(app, app.test.scope, DAY_MS);
    expect(await readMail()).toMatchObject({ status: 'failed', attempts: 12 });
    expect(await app.service.db.selectFrom('dueWork').selectAll().execute()).toEqual([]);
  });

  it('is asked by one worker at a time: one that lost its lease records nothing', async () => {
    await queue();
    server.refuseMail = async () => {
      await app.service.db
        .updateTable('dueWork')
        .set((eb) => ({ fence: eb('fence', '+', 1) }))
        .execute();
      return null;
    };
    await run();
    expect(await readMail()).toMatchObject({ status: 'queued', attempts: 0, subject: null });
  });

  it('leaves a link that lets somebody in to be read by the merchant in test mode alone', async () => {
    const url = 'https://seller.example/portal/sign-in/secret-of-the-link';
    await queue({ kind: 'magic_link', key: 'magic', params: { code: '12345678', url, validMinutes: 15 } });
    await run();
    expect(server.received[0]?.text).toContain(url);
    const mail = await readMail();
    expect(mail).toMatchObject({ status: 'sent', text: expect.stringContaining('12345678') });
    expect(mail.html).toContain(url);
  });
});

describe('handing over a mail', () => {
  const mail = {
    messageId: '<1@seller.example>',
    from: { name: 'Shop', address: 'shop@seller.example' },
    to: 'ada@example.com',
    replyTo: null,
    subject: 'Hello',
    html: '<p>Hello</p>',
    plain: 'Hello',
    dateMs: 1_767_225_600_000,
  };

  it('ends in time with a server that says nothing', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const smtp = createSmtp({ url: `smtp://127.0.0.1:${port}` });
    expect((await smtp.send(mail, { timeoutMs: 50 })).kind).toBe('failed');
    silent.close();
  });

  it('fails for now where nobody listens, and says nothing of the password', async () => {
    const smtp = createSmtp({ url: 'smtp://user:topsecret@127.0.0.1:1' });
    const outcome = await smtp.send(mail, { timeoutMs: 1000 });
    expect(outcome.kind).toBe('failed');
    expect(JSON.stringify(outcome)).not.toContain('topsecret');
  });

  it('fails for good with an address that is none, and adds no header of the buyer’s', async () => {
    const smtp = createSmtp({ url: server.url });
    expect((await smtp.send({ ...mail, to: '' }, { timeoutMs: 1000 })).kind).toBe('refused');
    await smtp.send({ ...mail, subject: 'Hi\r\nBcc: eve@example.com' }, { timeoutMs: 5000 });
    expect(server.received.at(-1)?.bcc ?? []).toEqual([]);
    expect(server.received.at(-1)?.headers.some(({ key }) => key === 'bcc')).toBe(false);
  });
});
