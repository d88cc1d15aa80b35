import { randomBytes, randomUUID } from 'node:crypto';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount, openBrowser, openSignedIn } from '../../test/support/browser.ts';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { openCredentials, sealCredentials } from '../flows/payments/seal-credentials.ts';
import { createSealing } from '../net/sealing.ts';
import { findProcessor, insertProcessor } from '../resources/processors/processors.queries.ts';
import { countUnopened, findMissingKey, forgetUnopened, resealAll } from './sealed-secrets.ts';

const makeKey = () => randomBytes(32).toString('base64');
const [OLD, NEW] = [makeKey(), makeKey()];
const withKeys = (...keys: string[]) => createSealing({ keys, file: null });
const EMAIL = 'sealed@keys.example';

let t: TestApp;
let secret: string;
let recoveryCodes: string[];
beforeAll(async () => {
  t = await createTestApp({ SECRETS_KEY: OLD });
  await makeAccount(t, { email: EMAIL });
  const browser = await openSignedIn(t, EMAIL);
  secret = (await browser.post('/v0/account/totp/begin')).body.data.totp.secret;
  const confirmed = await browser.post('/v0/account/totp/confirm', { code: generateSync({ secret }) });
  recoveryCodes = confirmed.body.data.recoveryCodes;
});
afterAll(() => t.close());

const readSealed = async () => {
  const row = await t.service.db.selectFrom('accountTotp').selectAll().executeTakeFirstOrThrow();
  return { row, place: ['account', row.accountId, 'totp'] };
};

describe('the sealing key', () => {
  it('is changed: both open, everything is sealed anew, and the old one can go', async () => {
    expect(await findMissingKey(t.service.db, withKeys(OLD))).toBeNull();
    const both = withKeys(NEW, OLD);
    expect(await resealAll(t.service.db, both)).toEqual({ resealed: 1, unopened: 0 });
    expect(await resealAll(t.service.db, both)).toEqual({ resealed: 0, unopened: 0 });
    const { row, place } = await readSealed();
    expect(withKeys(NEW).open(row.secret, place)).toBe(secret);
    expect(withKeys(OLD).open(row.secret, place)).toBeNull();
    expect(await findMissingKey(t.service.db, withKeys(NEW))).toBeNull();
  });

  it('that is missing stops the start with one line that says what to do', async () => {
    const line = await findMissingKey(t.service.db, withKeys(OLD));
    expect(line).toContain('1 of authenticator apps');
    expect(line).toContain('keys -- forget-sealed');
    expect(line).not.toContain('\n');
    expect(await resealAll(t.service.db, withKeys(OLD))).toEqual({ resealed: 0, unopened: 1 });
  });

  it('that only a process beside has been told of: a right code is not called wrong', async () => {
    const browser = openBrowser(t);
    await browser.signIn(EMAIL);
    const shown = { method: 'totp', code: generateSync({ secret }) };
    await expectRefusal(browser.post('/v0/session/second-factor', shown), 503, 'unavailable');
  });

  it('that is lost is given up: a recovery code is still asked for, and the app is enrolled again', async () => {
    expect(await forgetUnopened(t.service.db, withKeys(OLD))).toBe(1);
    expect(await countUnopened(t.service.db, withKeys(OLD))).toEqual([]);
    const browser = openBrowser(t);
    const first = await browser.signIn(EMAIL);
    expect(first.body.data.secondFactor.methods).toEqual(['totp', 'recovery_code']);
    const show = (shown: object) => browser.post('/v0/session/second-factor', shown);
    await expectRefusal(show({ method: 'totp', code: '123456' }), 401, 'invalid_code');
    expect((await show({ method: 'recovery_code', code: recoveryCodes[0] })).status).toBe(200);
    expect((await browser.delete('/v0/account/totp')).status).toBe(200);
    expect((await browser.post('/v0/account/totp/begin')).status).toBe(200);
  });
});

describe('what lets us into an account of a processor', () => {
  const CREDENTIALS = { secretKey: 'sk_test_4711' };
  const open = (keys: string[], row: { id: string; credentials: string | null }, scope = t.test.scope) =>
    openCredentials({ sealing: withKeys(...keys) }, scope, row);

  /** As an adapter's connection is kept. */
  async function connect(): Promise<string> {
    const id = randomUUID();
    const credentials = sealCredentials({ sealing: withKeys(OLD) }, t.test.scope, {
      id,
      credentials: CREDENTIALS,
    });
    await inTransaction(t.service.db, (tx) =>
      insertProcessor(tx, t.test.scope, {
        ...{ id, kind: 'other', name: 'Other', credentials, healthSince: 0, createdAt: 0 },
      }),
    );
    return id;
  }
  const read = async (id: string) => {
    const row = await findProcessor(t.service.db, t.test.scope, id);
    return row ?? { id, credentials: null, health: '' };
  };

  it('P02 opens in its own row alone', async () => {
    const [one, other] = [await read(await connect()), await read(await connect())];
    expect(one.credentials).not.toContain('sk_test');
    expect(open([OLD], one)).toEqual(CREDENTIALS);
    expect(open([OLD], { id: other.id, credentials: one.credentials })).toBeNull();
    expect(open([OLD], one, t.live.scope)).toBeNull();
    expect(open([OLD], one, t.other.scope)).toBeNull();
  });

  it('P03 is sealed anew, and given up: the connection is broken then', async () => {
    const id = await connect();
    const { resealed } = await resealAll(t.service.db, withKeys(NEW, OLD));
    expect(resealed).toBeGreaterThan(0);
    expect(open([NEW], await read(id))).toEqual(CREDENTIALS);
    const row = await read(id);
    expect(() => open([OLD], row)).toThrow(expect.objectContaining({ code: 'processor_unreachable' }));
    expect(await findMissingKey(t.service.db, withKeys(OLD))).toContain('of processors');
    await forgetUnopened(t.service.db, withKeys(OLD));
    expect(await read(id)).toMatchObject({ credentials: 'lost', health: 'broken' });
    expect(await findMissingKey(t.service.db, withKeys(OLD))).toBeNull();
  });
});
