import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { expectRefusal } from '../../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { createCodeNotes } from '../../../test/support/provoked-codes.ts';
import { routes } from '../../api/routes.ts';
import { inTransaction } from '../../db/transaction.ts';
import { KEY_AREAS } from '../../domain/key-scopes.ts';
import { areaOf } from '../../domain/roles.ts';
import { issueKeyPair } from './issue-key-pair.ts';
import { rollKeyPair } from './roll-key-pair.ts';

const HOUR_MS = 3_600_000;
const LIST = '/v0/discounts/list';
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const roll = (publicKey: string, graceHours: number, nowMs = Date.now()) =>
  inTransaction(app.service.db, (tx) => rollKeyPair(tx, app.service.ids, { publicKey, graceHours, nowMs }));

const issue = (scopes: string[] | null = null) =>
  inTransaction(app.service.db, (tx) =>
    issueKeyPair(tx, app.test.scope, {
      ids: app.service.ids,
      terms: { name: 'Rolled', scopes, readRequiresSecret: true, nowMs: Date.now() },
    }),
  );

const endOf = async (publicKey: string) =>
  (
    await app.service.db
      .selectFrom('apiKeys')
      .select('expiresAt')
      .where('publicKey', '=', publicKey)
      .executeTakeFirstOrThrow()
  ).expiresAt;

describe('Y23 rolling a pair', () => {
  it('whose grace is over is 409 key_expired and makes no new one', async () => {
    const old = await issue();
    const nowMs = Date.now();
    await roll(old.publicKey, 1, nowMs);
    const refused = roll(old.publicKey, 72, nowMs + HOUR_MS);
    await expect(refused).rejects.toMatchObject({ code: 'key_expired', status: 409 });
    // The operator's command meets it, which answers no request.
    createCodeNotes(inject('codesFolder')).note('{"status":"error","error":{"code":"key_expired"}}');
    await expect(roll(old.publicKey, 0, nowMs + HOUR_MS)).rejects.toMatchObject({ code: 'key_expired' });
    expect(await endOf(old.publicKey)).toBe(nowMs + HOUR_MS);
  });

  it('never gives the old one a longer life, and may cut it short', async () => {
    const old = await issue();
    const nowMs = Date.now();
    await roll(old.publicKey, 2, nowMs);
    const second = await roll(old.publicKey, 72, nowMs + HOUR_MS);
    expect(await endOf(old.publicKey)).toBe(nowMs + 2 * HOUR_MS);
    expect((await app.test.get(LIST, { keys: second })).status).toBe(200);
    await roll(old.publicKey, 0, nowMs + HOUR_MS);
    expect(await endOf(old.publicKey)).toBe(nowMs + HOUR_MS);
  });

  it('keeps it closed where it was closed', async () => {
    const next = await roll((await issue()).publicKey, 1);
    const headers = { 'x-svc-public-key': next.publicKey };
    await expectRefusal(app.test.get(LIST, { keys: 'none', headers }), 401, 'secret_key_required');
  });
});

describe('Y23 the scopes of a new pair', () => {
  it.each([
    ['orders:read', 'nonsense:read'],
    ['orders'],
    ['orders:delete'],
    ['orders:read:write'],
    [':read'],
  ])('of an area or a word that there is not are 400: %s', async (...scopes) => {
    await expect(issue(scopes)).rejects.toMatchObject({ code: 'invalid_input', status: 400 });
  });

  it('may name every area that an operation has', async () => {
    const areas = [...new Set(routes.flatMap((route) => areaOf(route) ?? []))];
    expect(KEY_AREAS).toEqual(expect.arrayContaining(areas));
    const pair = await issue(areas.map((area) => `${area}:read`));
    expect((await app.test.get(LIST, { keys: pair })).status).toBe(200);
  });
});

describe('Y08 the first pairs of a workspace', () => {
  it('are an open one in test mode and a closed one in live mode', async () => {
    expect((await app.test.get(LIST, { keys: 'public' })).status).toBe(200);
    await expectRefusal(app.live.get(LIST, { keys: 'public' }), 401, 'secret_key_required');
    expect((await app.live.get(LIST)).status).toBe(200);
  });
});
