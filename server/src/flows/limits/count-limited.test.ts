import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { LIMITS } from '../../domain/limits.ts';
import { sweepLimitCounters } from '../../worker/sweeps.ts';
import { countLimited, type Limited, refuseSpent, takeLimited } from './count-limited.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ RATE_LIMIT_TEST: '50' });
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.service.db.deleteFrom('limitCounters').execute();
});

const DECLINES: Limited[] = [
  { limit: 'decline_by_session', of: 'session' },
  { limit: 'decline_by_address', of: '203.0.113.7' },
];
const CLAIM: Limited[] = [{ limit: 'free_claim_by_address', of: '203.0.113.7' }];

const count = (limited: Limited[], scope = app.test.scope) =>
  countLimited(app.service, scope, { db: app.service.db, limited });
const ask = (limited: Limited[], scope = app.test.scope) =>
  refuseSpent(app.service, scope, { db: app.service.db, limited });
const take = (limited: Limited[], scope = app.test.scope) =>
  takeLimited(app.service, scope, { db: app.service.db, limited });

/** As if all that was counted had happened earlier. */
async function age(ms: number): Promise<void> {
  const rows = await app.service.db.selectFrom('limitCounters').selectAll().execute();
  for (const { kind, subject, countedAt, endsAt } of rows) {
    await app.service.db
      .updateTable('limitCounters')
      .set({ countedAt: countedAt.map((moment) => Number(moment) - ms), endsAt: endsAt - ms })
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .execute();
  }
}

describe('Y13 a limit in the store', () => {
  it('holds from the count that fills it until the first of them leaves its window', async () => {
    for (let i = 0; i < LIMITS.decline_by_session.max; i += 1) {
      await ask(DECLINES);
      expect(await count(DECLINES)).toBe(true);
    }
    const refusal = await ask(DECLINES).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'rate_limited', status: 429 });
    expect((refusal as { retryAfterS: number }).retryAfterS).toBeGreaterThan(890);
    expect((refusal as { retryAfterS: number }).retryAfterS).toBeLessThanOrEqual(900);
    await age(LIMITS.decline_by_session.windowMs);
    await ask(DECLINES);
  });

  it('slides: what was counted late in one span still counts early in the next', async () => {
    const { max, windowMs } = LIMITS.free_claim_by_address;
    for (let i = 0; i < max - 1; i += 1) await take(CLAIM);
    await age(windowMs - 60_000);
    await take(CLAIM);
    await expect(take(CLAIM)).rejects.toMatchObject({ code: 'rate_limited' });
    await age(60_000);
    for (let i = 0; i < max - 1; i += 1) await take(CLAIM);
    await expect(take(CLAIM)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('lets no more than its number through however many ask at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 60 }, () => take(CLAIM)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(
      LIMITS.free_claim_by_address.max,
    );
  });

  it('counts each store, each subject and each thing apart', async () => {
    const { max } = LIMITS.free_claim_by_address;
    for (let i = 0; i < max; i += 1) await take(CLAIM);
    await expect(take(CLAIM)).rejects.toMatchObject({ code: 'rate_limited' });
    await take(CLAIM, app.other.scope);
    await take([{ limit: 'free_claim_by_address', of: '203.0.113.8' }]);
    await ask([{ limit: 'decline_by_address', of: '203.0.113.7' }]);
  });

  it('is one write for all that a thing is counted for, and none for a question or once it is full', async () => {
    await ask(DECLINES);
    expect(await countRows()).toBe(0);
    await count(DECLINES);
    expect(await countRows()).toBe(2);
    for (let i = 0; i < 20; i += 1) await count(DECLINES);
    const rows = await app.service.db.selectFrom('limitCounters').select(['kind', 'countedAt']).execute();
    expect(Object.fromEntries(rows.map(({ kind, countedAt }) => [kind, countedAt.length]))).toEqual({
      decline_by_session: LIMITS.decline_by_session.max,
      decline_by_address: LIMITS.decline_by_address.max,
    });
  });

  it('tells nobody who was counted', async () => {
    await count([{ limit: 'decline_by_email', of: 'ada@example.com' }, ...DECLINES]);
    const rows = await app.service.db.selectFrom('limitCounters').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/ada|203\.0|:"session"/);
  });

  it('shuts nobody out for longer when the clock is put back', async () => {
    for (let i = 0; i < LIMITS.free_claim_by_address.max; i += 1) await take(CLAIM);
    await age(-3_600_000);
    await ask(CLAIM);
    await take(CLAIM);
  });

  it('is off for a mode whose limit is 0', async () => {
    for (let i = 0; i < 40; i += 1) await take(CLAIM, app.live.scope);
    expect(await countRows()).toBe(0);
  });

  it('is swept once its window is over, and not before', async () => {
    await count(DECLINES);
    await age(LIMITS.decline_by_session.windowMs);
    expect(await sweepLimitCounters(app.service.db, new AbortController().signal)).toBe(1);
    expect(await countRows()).toBe(1);
  });
});

async function countRows(): Promise<number> {
  const { n } = await app.service.db
    .selectFrom('limitCounters')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}
