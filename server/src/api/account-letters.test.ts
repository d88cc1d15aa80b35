import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { createLog } from '../main/watching/log.ts';

const MINUTE_MS = 60_000;

let t: TestApp;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
beforeAll(async () => {
  t = await createTestApp({ SIGN_UP: 'open' }, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
});
afterAll(() => t.close());

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};

const listLetters = () =>
  t.service.db.selectFrom('accountMails').select(['id', 'recipient']).orderBy('id').execute();

describe('letters that an address asks for', () => {
  it('Y04 go to no address that would be read as another', async () => {
    const ask = (email: string) => openBrowser(t).post('/v0/account/sign-up', { email });
    const odd = [
      'nobody',
      '"ada@evil.example"@else.example',
      'x@else.example, y@else.example',
      'ada@[10.0.0.1]',
      'ada@else\u00ad.example',
      'ada%evil.example@else.example',
    ];
    for (const email of odd) await expectRefusal(ask(email), 400, 'invalid_input');
    expect(await listLetters()).toEqual([]);
    expect((await ask('ada@else.example')).status).toBe(200);
    expect(await listLetters()).toMatchObject([{ recipient: 'ada@else.example' }]);
    pass(11 * MINUTE_MS);
  });

  it('Y19 are 100 in ten minutes, of all kinds and to whomever, so that they fill nothing up', async () => {
    const browser = openBrowser(t);
    const paths = ['/v0/session/link', '/v0/password-reset/request', '/v0/account/sign-up'];
    const ask = (i: number) => browser.post(paths[i % 3] ?? '', { email: `letter${i}@first.example` });
    const count = async () => (await listLetters()).length;
    for (let i = 0; i < 100; i += 1) expect((await ask(i)).status).toBe(200);
    const rows = await count();
    for (let i = 100; i < 103; i += 1) await expectRefusal(ask(i), 429, 'rate_limited');
    expect(await count()).toBe(rows);
    pass(11 * MINUTE_MS);
    expect((await ask(103)).status).toBe(200);
  });
});

it('O44 a letter that the mail server does not take is told with a code, and without its address', async () => {
  const lines: string[] = [];
  const log = createLog('warn', { stream: { write: (line) => void lines.push(line) } });
  const own = await createTestApp({ SIGN_UP: 'open', SMTP_URL: 'smtp://127.0.0.1:9' }, log);
  try {
    await openBrowser(own).post('/v0/account/sign-up', { email: 'secret@else.example' });
    // It is sent behind the answer.
    await expect.poll(() => lines.length).toBe(1);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        ...{ event: 'account_mail_failed', kind: 'sign_up', attempt: 1, refId: expect.any(String) },
        err: { code: 'ESOCKET', message: expect.stringMatching(/ECONN/) },
      },
    ]);
    expect(lines.join()).not.toMatch(/@|stack/);
  } finally {
    await own.close();
  }
});
