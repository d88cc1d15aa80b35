import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { LEASE_MS } from '../domain/due-work.ts';
import { claimDueWork } from '../resources/due-work/due-work.queries.ts';
import { leaseIdempotencyKey } from '../resources/idempotency-keys/idempotency-keys.queries.ts';
import { KEY_LEASE_MS } from '../resources/idempotency-keys/key-times.sql.ts';
import { CLOCK_LEASE_MS, holdClock } from '../resources/test-clock/test-clock.queries.ts';
import { inScope, scopeColumns } from './scope.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const ahead = (ms: number) => sql<number>`real_now_ms() + ${ms}::bigint`;

/** Each takes what is leased until so long from now; answers whether it could. */
const KINDS = {
  'due work': async (leftMs: number) => {
    const refId = randomUUID();
    const lease = { dueMs: 0, dueRealMs: 0, leaseUntilMs: ahead(leftMs) };
    const { db } = app.service;
    await db
      .insertInto('dueWork')
      .values({ ...scopeColumns(app.test.scope), kind: 'watch_order', refId, ...lease })
      .execute();
    const claimed = await claimDueWork(db, { kinds: ['watch_order'], limit: 10, leaseMs: LEASE_MS });
    return claimed.some((work) => work.refId === refId);
  },
  'an idempotency key': async (leftMs: number) => {
    const { scope } = app.test;
    const asked = { asker: 'keys', key: randomUUID() };
    const row = { ...asked, fingerprint: '', createdAt: ahead(0), leaseUntil: ahead(leftMs) };
    await app.service.db
      .insertInto('idempotencyKeys')
      .values({ ...scopeColumns(scope), ...row })
      .execute();
    return (await leaseIdempotencyKey(app.service.db, scope, asked)) !== null;
  },
  'a test clock': async (leftMs: number) => {
    const { scope } = app.other;
    await app.service.db
      .updateTable('stores')
      .set({ clockAdvancingTo: 1, clockLeaseUntilMs: ahead(leftMs) })
      .where(inScope(scope))
      .execute();
    return Boolean(await holdClock(app.service.db, scope, 1));
  },
};

const LENGTHS_MS = {
  'due work': LEASE_MS,
  'an idempotency key': KEY_LEASE_MS,
  'a test clock': CLOCK_LEASE_MS,
};
const NAMES = Object.keys(KINDS) as Array<keyof typeof KINDS>;

describe('a lease', () => {
  it.each(NAMES)('of %s holds until its end, and a little longer than one is given for', async (name) => {
    expect(await KINDS[name](LENGTHS_MS[name])).toBe(false);
    expect(await KINDS[name](LENGTHS_MS[name] + 8_000)).toBe(false);
    expect(await KINDS[name](-1)).toBe(true);
  });

  it.each(NAMES)('T15 of %s that a clock an hour ahead has given is void', async (name) => {
    expect(await KINDS[name](LENGTHS_MS[name] + 3_600_000)).toBe(true);
  });
});
