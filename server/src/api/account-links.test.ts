/** What was asked for with a password that is no more. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openBrowser, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { type MailServer, startMailServer } from '../../test/support/mail-server.ts';

const NEW_PASSWORD = 'nine violet harbours keep singing';

let t: TestApp;
let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
  t = await createTestApp({ SMTP_URL: mails.url });
});
afterAll(async () => {
  await t.close();
  await mails.close();
});

/** Of the link in the mail that went to an address. */
async function tokenTo(address: string): Promise<string> {
  const find = () => mails.received.find((mail) => mail.to?.[0]?.address === address);
  await expect.poll(find).toBeDefined();
  return /#([\w-]{43})/.exec(find()?.text ?? '')?.[1] ?? '';
}

describe('D10 links', () => {
  it.each(['changed', 'reset'])('move nothing any more once the password was %s', async (how) => {
    const email = `${how}-since@first.example`;
    await makeAccount(t, { email });
    // Somebody has got hold of a session, and asks for addresses of theirs.
    const thief = await openSignedIn(t, email);
    const browser = await openSignedIn(t, email);
    expect((await thief.post('/v0/account/email', { email: `${how}@evil.example` })).status).toBe(200);
    const token = await tokenTo(`${how}@evil.example`);
    mails.refuseRecipient = (to) => (to.startsWith('later-') ? { code: 450, message: 'not now' } : null);
    const later = `later-${how}@evil.example`;
    expect((await thief.post('/v0/account/email', { email: later })).status).toBe(200);
    const change = async () => {
      if (how === 'changed') return browser.post('/v0/account/password', { password: NEW_PASSWORD });
      await browser.post('/v0/password-reset/request', { email });
      const reset = await tokenTo(email);
      return browser.post('/v0/password-reset/confirm', { token: reset, password: NEW_PASSWORD });
    };
    expect((await change()).status).toBe(200);
    await expectRefusal(thief.get('/v0/account/passkeys'), 401, 'session_required');
    await expectRefusal(openBrowser(t).post('/v0/account/email/confirm', { token }), 400, 'link_invalid');
    const waiting = t.service.db.selectFrom('accountMails').select(['status', 'params']);
    expect(await waiting.where('recipient', '=', later).execute()).toEqual([
      { status: 'dropped', params: null },
    ]);
    mails.refuseRecipient = () => null;
  });
});
