import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { inTransaction } from '../db/transaction.ts';
import { rollKeyPair } from '../flows/workspaces/roll-key-pair.ts';
import { generateKeyPair, hashSecret, type KeyPairPlain } from '../resources/api-keys/key-pairs.ts';
import { createAuthenticator } from './authenticate.ts';
import { createKeyReader } from './sent-keys.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

interface Terms {
  scopes?: string[];
  readRequiresSecret?: boolean;
  expiresAt?: number;
  revokedAt?: number;
  workspaceId?: string;
}

async function makePair(terms: Terms = {}): Promise<KeyPairPlain> {
  const pair = generateKeyPair(true);
  await app.service.db
    .insertInto('apiKeys')
    .values({
      workspaceId: terms.workspaceId ?? app.test.scope.workspaceId,
      testMode: true,
      id: app.service.ids.next(Date.now()),
      name: 'Narrowed',
      publicKey: pair.publicKey,
      secretHash: hashSecret(pair.secretKey),
      scopes: terms.scopes ? JSON.stringify(terms.scopes) : null,
      readRequiresSecret: terms.readRequiresSecret ?? false,
      expiresAt: terms.expiresAt ?? null,
      revokedAt: terms.revokedAt ?? null,
      createdAt: 1,
    })
    .execute();
  return pair;
}

async function makeWorkspace(state: 'suspended' | 'archived'): Promise<KeyPairPlain> {
  const { db, ids } = app.service;
  const id = ids.next(Date.now());
  await inTransaction(db, async (tx) => {
    await tx.insertInto('workspaces').values({ id, name: state, state, createdAt: 1 }).execute();
    await tx
      .insertInto('stores')
      .values({ workspaceId: id, testMode: true, currency: null, clockAdvancingTo: null })
      .execute();
  });
  return makePair({ workspaceId: id });
}

const LIST = '/v0/discounts/list';
const CREATE = '/v0/discounts/create';
const KEYS = '/v0/offers/01890000-0000-7000-8000-000000000000/keys/list';
const valid = { type: 'sale', amount: 10, amountType: 'percentage' };
const publicOnly = ({ publicKey }: KeyPairPlain) => ({ 'x-svc-public-key': publicKey });

describe('a request without a usable key pair', () => {
  it('is 401 when no key is sent, on reads and on writes', async () => {
    await expectRefusal(app.test.get(LIST, { keys: 'none' }), 401, 'unauthorized');
    await expectRefusal(app.test.post(CREATE, valid, { keys: 'none' }), 401, 'unauthorized');
  });

  it('is 401 for an unknown public key', async () => {
    await expectRefusal(app.test.get(LIST, { keys: generateKeyPair(true) }), 401, 'unauthorized');
  });

  it('is 401 when the secret key is of another pair, of the other mode too', async () => {
    const { publicKey } = app.test.keys;
    const mixed = { publicKey, secretKey: app.live.keys.secretKey };
    await expectRefusal(app.test.get(LIST, { keys: mixed }), 401, 'unauthorized');
    await expectRefusal(app.test.post(CREATE, valid, { keys: mixed }), 401, 'unauthorized');
    const foreign = { publicKey, secretKey: app.other.keys.secretKey };
    await expectRefusal(app.test.post(CREATE, valid, { keys: foreign }), 401, 'unauthorized');
  });

  it('is 401 when the public key is sent as the secret one, or the reverse', async () => {
    const { publicKey, secretKey } = app.test.keys;
    const doubled = { publicKey, secretKey: publicKey };
    await expectRefusal(app.test.post(CREATE, valid, { keys: doubled }), 401, 'unauthorized');
    const swapped = { publicKey: secretKey, secretKey: publicKey };
    await expectRefusal(app.test.post(CREATE, valid, { keys: swapped }), 401, 'unauthorized');
  });

  it('is 401 for a revoked and for an expired pair', async () => {
    const revoked = await makePair({ revokedAt: Date.now() - 1 });
    await expectRefusal(app.test.get(LIST, { keys: revoked }), 401, 'unauthorized');
    const expired = await makePair({ expiresAt: Date.now() - 1 });
    await expectRefusal(app.test.get(LIST, { keys: expired }), 401, 'unauthorized');
    const rolling = await makePair({ expiresAt: Date.now() + 3_600_000 });
    expect((await app.test.get(LIST, { keys: rolling })).status).toBe(200);
  });

  it('T33 is 401 for keys in the query and for keys of absurd length', async () => {
    const { publicKey, secretKey } = app.test.keys;
    const query = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': secretKey };
    await expectRefusal(app.test.get(LIST, { keys: 'none', query }), 401, 'unauthorized');
    const long = { publicKey: `pub_test_${'a'.repeat(5000)}`, secretKey };
    await expectRefusal(app.test.get(LIST, { keys: long }), 401, 'unauthorized');
  });
});

describe('what a refused pair is told', () => {
  const messageOf = async (headers: Record<string, string>): Promise<string> => {
    const { status, body } = await app.test.get(LIST, { keys: 'none', headers });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'unauthorized' });
    return body.error.message;
  };

  it('is which of its keys is wrong', async () => {
    const { publicKey, secretKey } = app.test.keys;
    expect(await messageOf({})).toBe('The header x-svc-public-key is missing.');
    expect(await messageOf({ 'x-svc-secret-key': secretKey })).toMatch(
      /^The header x-svc-public-key is missing/,
    );
    expect(await messageOf({ 'x-svc-public-key': secretKey })).toMatch(/holds a secret key/);
    expect(await messageOf({ 'x-svc-public-key': generateKeyPair(true).publicKey })).toMatch(
      /^The public key/,
    );
    const mixed = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': app.other.keys.secretKey };
    expect(await messageOf(mixed)).toBe('The secret key belongs to another pair.');
  });

  it('repeats neither key', async () => {
    const pair = generateKeyPair(true);
    const headers = { 'x-svc-public-key': pair.publicKey, 'x-svc-secret-key': pair.secretKey };
    expect(await messageOf(headers)).not.toMatch(/pub_|sec_/);
  });
});

describe('a key header that is empty', () => {
  it('is no header: the pair reads as by its public key alone, and a missing public key is missing', async () => {
    const { publicKey } = app.test.keys;
    const headers = { 'x-svc-public-key': publicKey, 'x-svc-secret-key': '' };
    expect((await app.test.get(LIST, { keys: 'none', headers })).status).toBe(200);
    await expectRefusal(app.test.post(CREATE, valid, { keys: 'none', headers }), 401, 'secret_key_required');
    const empty = { 'x-svc-public-key': '', 'x-svc-secret-key': '' };
    await expectRefusal(app.test.get(LIST, { keys: 'none', headers: empty }), 401, 'unauthorized');
  });
});

describe('a pair sent under another name of the API', () => {
  it('is understood where the name is an alias, and nowhere else', async () => {
    const { publicKey, secretKey } = app.test.keys;
    const headers = { 'x-abc-public-key': publicKey, 'x-abc-secret-key': secretKey };
    await expectRefusal(app.test.get(LIST, { keys: 'none', headers }), 401, 'unauthorized');
    const readKeys = createKeyReader(['abc']);
    expect(readKeys(headers)).toMatchObject({ publicKey, secretKey });
    expect(readKeys({ 'x-svc-public-key': '', 'x-abc-public-key': publicKey })).toMatchObject({ publicKey });
    expect(readKeys({ 'x-xyz-public-key': publicKey })).toMatchObject({ publicKey: null });
  });
});

describe('a key pair', () => {
  it('reads with its public key alone and does not write with it', async () => {
    expect((await app.test.get(LIST, { keys: 'public' })).status).toBe(200);
    await expectRefusal(app.test.post(CREATE, valid, { keys: 'public' }), 401, 'secret_key_required');
  });

  it('needs its secret key for reads too once it is narrowed', async () => {
    const pair = await makePair({ readRequiresSecret: true });
    const headers = publicOnly(pair);
    await expectRefusal(app.test.get(LIST, { keys: 'none', headers }), 401, 'secret_key_required');
    expect((await app.test.get(LIST, { keys: pair })).status).toBe(200);
  });

  it('does only what its scopes say', async () => {
    const keys = await makePair({ scopes: ['discounts:read', 'products:write'] });
    expect((await app.test.get(LIST, { keys })).status).toBe(200);
    await expectRefusal(app.test.post(CREATE, valid, { keys }), 403, 'insufficient_scope');
    const refused = await app.test.get('/v0/products/list', { keys });
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope', message: expect.stringContaining('products:read') } },
    });
    const none = await makePair({ scopes: [] });
    await expectRefusal(app.test.get(LIST, { keys: none }), 403, 'insufficient_scope');
  });

  it('of a suspended workspace reads and does not write', async () => {
    const keys = await makeWorkspace('suspended');
    expect((await app.test.get(LIST, { keys })).status).toBe(200);
    await expectRefusal(app.test.post(CREATE, valid, { keys }), 403, 'workspace_suspended');
    // Also what only the secret key may see: this offer is not there, and that is all that stops the read.
    await expectRefusal(app.test.get(KEYS, { keys }), 404, 'not_found');
  });

  it('reads what needs the secret key with a scope for reading alone', async () => {
    const keys = await makePair({ scopes: ['offer-keys:read'] });
    await expectRefusal(app.test.get(KEYS, { keys }), 404, 'not_found');
  });

  it('of an archived workspace does nothing', async () => {
    const keys = await makeWorkspace('archived');
    await expectRefusal(app.test.get(LIST, { keys }), 403, 'workspace_archived');
    await expectRefusal(app.test.post(CREATE, valid, { keys }), 403, 'workspace_archived');
  });

  it('notes when it was last used', async () => {
    const pair = await makePair();
    await app.test.get(LIST, { keys: pair });
    await app.wired.authenticator.flush();
    const row = await app.service.db
      .selectFrom('apiKeyUses')
      .innerJoin('apiKeys', 'apiKeys.id', 'apiKeyUses.keyId')
      .select(['apiKeyUses.lastUsedAt', 'apiKeyUses.address'])
      .where('publicKey', '=', pair.publicKey)
      .executeTakeFirstOrThrow();
    expect(Math.abs(Date.now() - row.lastUsedAt)).toBeLessThan(60_000);
    expect(row.address).toBe('127.0.0.1');
  });
});

describe('a pair that is taken back while it is in use', () => {
  const refused = { code: 'unauthorized' };

  /** As in another process: it looks at the store by itself, on a clock that the test moves. */
  function createElsewhere() {
    const clock = { nowMs: Date.now(), steppedMs: 0 };
    const authenticator = createAuthenticator(app.service.db, {
      realNowMs: () => clock.nowMs + clock.steppedMs,
      monotonicMs: () => clock.nowMs,
    });
    const readKeys = createKeyReader([]);
    const use = (pair: KeyPairPlain) =>
      authenticator.identify(readKeys(publicOnly(pair)), { ofWorkspace: false, address: '127.0.0.1' });
    return { clock, use };
  }

  it('T33 is dead within 5 s in every process once it is revoked', async () => {
    const pair = await makePair();
    const { clock, use } = createElsewhere();
    await use(pair);
    await inTransaction(app.service.db, (tx) =>
      tx
        .updateTable('apiKeys')
        .set({ revokedAt: clock.nowMs })
        .where('publicKey', '=', pair.publicKey)
        .execute(),
    );
    clock.nowMs += 5_000;
    await expect(use(pair)).rejects.toMatchObject(refused);
  });

  it('is dead within 5 s also where the clock is put back an hour meanwhile', async () => {
    const pair = await makePair();
    const { clock, use } = createElsewhere();
    await use(pair);
    await inTransaction(app.service.db, (tx) =>
      tx
        .updateTable('apiKeys')
        .set({ revokedAt: clock.nowMs })
        .where('publicKey', '=', pair.publicKey)
        .execute(),
    );
    clock.nowMs += 5_000;
    clock.steppedMs = -3_600_000;
    await expect(use(pair)).rejects.toMatchObject(refused);
  });

  it('T33 works beside the new one for its grace once it is rolled, and not a moment longer', async () => {
    const pair = await makePair({ scopes: ['discounts:read'] });
    const { clock, use } = createElsewhere();
    await use(pair);
    const { nowMs } = clock;
    const next = await inTransaction(app.service.db, (tx) =>
      rollKeyPair(tx, app.service.ids, { publicKey: pair.publicKey, graceHours: 1, nowMs }),
    );
    expect(next.publicKey).not.toBe(pair.publicKey);
    clock.nowMs = nowMs + 3_600_000 - 1;
    expect(await use(pair)).toMatchObject({ scope: { testMode: true } });
    expect(await use(next)).toMatchObject({ scope: { testMode: true } });
    await expectRefusal(app.test.post(CREATE, valid, { keys: next }), 403, 'insufficient_scope');
    clock.nowMs += 1;
    await expect(use(pair)).rejects.toMatchObject(refused);
    expect(await use(next)).toMatchObject({ withSecret: false });
  });
});

describe('the order of checks', () => {
  const unknownId = randomUUID();
  const path = `/v0/discounts/${unknownId}/update`;

  it('is key, then scope, then form, then existence', async () => {
    const narrow = await makePair({ scopes: ['discounts:read'] });
    const bad = { nonsense: 1 };
    await expectRefusal(app.test.patch(path, bad, { keys: 'none' }), 401, 'unauthorized');
    await expectRefusal(app.test.patch(path, bad, { keys: 'public' }), 401, 'secret_key_required');
    await expectRefusal(app.test.patch(path, bad, { keys: narrow }), 403, 'insufficient_scope');
    await expectRefusal(app.test.patch(path, bad), 400, 'invalid_input');
    await expectRefusal(app.test.patch(path, { name: 'Fine' }), 404, 'not_found');
  });

  it('refuses a broken body of an unknown caller for the key, without reading it', async () => {
    const headers = { 'content-type': 'application/json' };
    const broken = { keys: 'none', headers, body: '{' } as const;
    await expectRefusal(app.test.request('POST', CREATE, broken), 401, 'unauthorized');
  });

  it('puts form before existence before state', async () => {
    await app.test.post(CREATE, { ...valid, type: 'code', discountCode: 'ORDERLY' });
    const second = await app.test.post(CREATE, { ...valid, type: 'code', discountCode: 'SECOND' });
    const taken = { discountCode: 'orderly' };
    const own = `/v0/discounts/${second.body.data.discount.id}/update`;
    await expectRefusal(app.test.patch(own, { ...taken, amount: -1 }), 400, 'invalid_input');
    await expectRefusal(app.test.patch(path, taken), 404, 'not_found');
    await expectRefusal(app.test.patch(own, taken), 409, 'discount_code_taken');
  });
});
