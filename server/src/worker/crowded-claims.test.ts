/** What a claim reads where very much is due: a million renewals at once had held up each look for anything else. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { countRead } from '../../test/support/plan-rows.ts';
import { inTransaction } from '../db/transaction.ts';
import type { JobKind } from '../domain/due-work.ts';
import { insertDueWork } from '../resources/due-work/due-work.queries.ts';
import { createClaims } from './claims.ts';

const CROWD: JobKind = 'advance_subscription';
const FEW: JobKind = 'warn_of_card';
const CROWD_ROWS = 3_000;
const LOT = 500;
const FEW_ROWS = 5;
const LIMIT = 10;

interface Asked {
  text: string;
  values: unknown[];
}

const claimed: Asked[] = [];
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function note(this: pg.Client, ...given: unknown[]) {
  const [asked] = given as [string | Asked];
  if (typeof asked === 'object' && asked.text.includes('set lease_until_ms = real_now_ms()'))
    claimed.push(asked);
  return query.apply(this, given);
} as unknown as typeof pg.Client.prototype.query;

describe.each(['plain', 'spread'])('a claim in a %s store', (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ STORE_FORM: form === 'spread' ? 'spread' : '' });
    for (let from = 0; from < CROWD_ROWS; from += LOT) await put(CROWD, LOT, from);
    await put(FEW, FEW_ROWS, CROWD_ROWS);
    await app.service.pool.query('vacuum analyze due_work');
  });
  afterAll(() => app.close());

  async function put(kind: JobKind, count: number, from: number): Promise<void> {
    const work = Array.from({ length: count }, (_, place) => ({
      ...{ kind, refId: randomUUID(), dueMs: 1_000 + from + place },
    }));
    await inTransaction(app.service.db, (tx) => insertDueWork(tx, app.test.scope, work));
  }

  /** Rows that scans read for what was claimed last, asked once more. */
  async function countReadAgain(): Promise<number> {
    const asked = claimed.at(-1);
    expect(asked).toBeDefined();
    const client = await app.service.pool.connect();
    await client.query('begin');
    const { rows } = await client.query({
      text: `explain (analyze, format json) ${asked?.text}`,
      values: asked?.values ?? [],
    });
    await client.query('rollback');
    client.release();
    return countRead(rows[0]['QUERY PLAN'][0].Plan);
  }

  it.each([
    { kind: FEW, count: FEW_ROWS },
    { kind: CROWD, count: LIMIT },
  ])('of $kind reads a few rows of all that is due', async ({ kind, count }) => {
    const claims = createClaims(app.service);
    const take = claims.ofKinds([kind]);
    claims.nudge(app.test.scope);
    const works = await take(LIMIT);
    expect(works.map((work) => work.kind)).toEqual(Array(count).fill(kind));
    expect(await countReadAgain()).toBeLessThan(CROWD_ROWS / 4);
  });
});
