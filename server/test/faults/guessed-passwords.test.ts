/** Ten thousand guesses at passwords: at one account from everywhere, and at ten thousand accounts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countHashes } from '../../src/flows/accounts/passwords.ts';
import { makeAccount, openBrowser, openSignedIn } from '../support/browser.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';

const TRIES = 10_000;
const SECOND_MS = 1_000;
/** Five, eight while the waits grow to a quarter of an hour, and one in each that is left of three hours. */
const LOOKED_AT_MAX = 25;
/** What one address may guess in ten minutes. */
const OF_ADDRESS = 100;
const LONGEST_WAIT_MS = 900_000;
/** Ten thousand requests and some hundreds of hashes, on a busy machine. */
const LIMIT_MS = 600_000;
const WRONG = 'not the password';

let t: TestApp;
const clock = { nowMs: Date.now(), monotonicMs: 0 };
beforeAll(async () => {
  t = await createTestApp({ TRUST_PROXY: 'loopback' }, undefined, {
    realNowMs: () => clock.nowMs,
    monotonicMs: () => clock.monotonicMs,
  });
});
afterAll(() => t.close());

const pass = (ms: number) => {
  clock.nowMs += ms;
  clock.monotonicMs += ms;
};

const query = async (text: string) => (await t.service.pool.query(text)).rows;

async function guess(email: string, address: string): Promise<number> {
  const body = { email, password: WRONG };
  return (await openBrowser(t).post('/v0/session', body, { remoteAddress: address })).status;
}

/** Guesses `TRIES` times, so long after each other; answers how many were looked at. */
async function guessOn(
  everyMs: number,
  toGuess: (n: number) => { email: string; address: string },
): Promise<number> {
  const hashesBefore = countHashes();
  const statuses: number[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    const { email, address } = toGuess(n);
    statuses.push(await guess(email, address));
    pass(everyMs);
  }
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const lookedAt = statuses.filter((status) => status === 401).length;
  // What is refused costs no hash.
  expect(countHashes() - hashesBefore).toBe(lookedAt);
  return lookedAt;
}

describe('T39 guessing at passwords', () => {
  it(
    'of one account from everywhere is slowed down, told to its owner, and shuts nobody out for good',
    async () => {
      const email = 'guessed@first.example';
      const accountId = await makeAccount(t, { email });
      const known = await openSignedIn(t, email);
      const lookedAt = await guessOn(SECOND_MS, (n) => ({ email, address: `10.1.${n >> 8}.${n & 255}` }));
      expect(lookedAt).toBeLessThan(LOOKED_AT_MAX);

      const alerts = await query(`select details from account_audit
      where operation = 'signInThrottled' and account_id = '${accountId}'`);
      expect(alerts).toEqual([{ details: { guessed: 'password', failures: 10 } }]);
      expect(await query(`select recipient from account_mails where kind = 'failures'`)).toEqual([
        { recipient: email },
      ]);

      // The owner: where they have been in before at once, elsewhere once the guesses have ended.
      await expectRefusal(openBrowser(t).signIn(email), 429, 'too_many_attempts');
      expect((await known.signIn(email)).status).toBe(200);
      pass(LONGEST_WAIT_MS);
      expect((await openBrowser(t).signIn(email)).status).toBe(200);
    },
    LIMIT_MS,
  );

  it(
    'of ten thousand accounts once each ends for the address that does it, which is noted',
    async () => {
      await query(`insert into accounts (id, email, email_normal, name, created_at)
      select gen_random_uuid(), 'many-' || n || '@first.example', 'many-' || n || '@first.example', '', 1
      from generate_series(0, ${TRIES - 1}) n`);
      const address = '10.2.0.1';
      const lookedAt = await guessOn(SECOND_MS / 10, (n) => ({ email: `many-${n}@first.example`, address }));
      const windows = Math.ceil((TRIES * SECOND_MS) / 10 / 600_000);
      expect(lookedAt).toBeLessThanOrEqual(windows * OF_ADDRESS);
      const alerts = await query(`select account_id, details from account_audit
      where operation = 'signInThrottled' and host(ip_address::inet) = '${address}'`);
      expect(alerts).toEqual(
        Array(windows).fill({
          account_id: null,
          details: { guessed: 'password', failures: OF_ADDRESS, by: 'address' },
        }),
      );
      // Those who live there are let in from elsewhere.
      await makeAccount(t, { email: 'neighbour@first.example' });
      expect((await openBrowser(t).signIn('neighbour@first.example')).status).toBe(200);
    },
    LIMIT_MS,
  );

  it('of everybody from everywhere at once piles up nothing, and lets in who has been in before', async () => {
    const email = 'busy@first.example';
    await makeAccount(t, { email });
    const known = await openSignedIn(t, email);
    const hashesBefore = countHashes();
    const guesses = Array.from({ length: 1_000 }, (_, n) =>
      guess(`many-${n}@first.example`, `10.3.${n >> 8}.${n & 255}`),
    );
    const [statuses, mine] = await Promise.all([Promise.all(guesses), known.signIn(email)]);
    expect(mine.status).toBe(200);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(countHashes() - hashesBefore).toBeLessThan(500);
  });
});
