/** What a claim reads where very much is due: a million renewals at once had held up each look for anything else. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteAsked } from '../../test/support/asked-again.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
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

const claims = noteAsked((text) => text.includes('set lease_until_ms = real_now_ms()'));

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

  it.each([
    { kind: FEW, count: FEW_ROWS },
    { kind: CROWD, count: LIMIT },
  ])('of $kind reads a few rows of all that is due', async ({ kind, count }) => {
    const made = createClaims(app.service);
    const take = made.ofKinds([kind]);
    made.nudge(app.test.scope);
    const works = await take(LIMIT);
    expect(works.map((work) => work.kind)).toEqual(Array(count).fill(kind));
    expect(await claims.countRead(app.service.pool)).toBeLessThan(CROWD_ROWS / 4);
  });
});
