/**
 * What a claim reads where very much is due: a million renewals at once had held up each look for anything else, and what a
 * held store leaves due each look for as long as it is held.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteAsked } from '../../test/support/asked-again.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import type { JobKind } from '../domain/due-work.ts';
import { hold } from '../flows/quarantine/hold.ts';
import { resume } from '../flows/quarantine/resume.ts';
import { insertDueWork } from '../resources/due-work/due-work.queries.ts';
import { putHeldWorkAside } from '../resources/due-work/held-work.queries.ts';
import { createClaims } from './claims.ts';
import { putAside } from './put-aside.ts';

const CROWD: JobKind = 'advance_subscription';
const FEW: JobKind = 'warn_of_card';
const CROWD_ROWS = 3_000;
const LOT = 500;
const FEW_ROWS = 5;
const LIMIT = 10;

const NOTHING_LOST = { publicUrl: null, dataDirId: null };

const claims = noteAsked((text) => text.includes('set lease_until_ms = real_now_ms()'));

async function crowd(app: TestApp, scope: Scope): Promise<void> {
  for (let from = 0; from < CROWD_ROWS; from += LOT) await put(app, scope, { kind: CROWD, count: LOT, from });
  await app.service.pool.query('vacuum analyze due_work');
}

async function put(
  app: TestApp,
  scope: Scope,
  { kind, count, from }: { kind: JobKind; count: number; from: number },
): Promise<void> {
  const work = Array.from({ length: count }, (_, place) => ({
    ...{ kind, refId: randomUUID(), dueMs: 1_000 + from + place },
  }));
  await inTransaction(app.service.db, (tx) => insertDueWork(tx, scope, work));
}

const startApp = (form: string) => createTestApp({ STORE_FORM: form === 'spread' ? 'spread' : '' });

describe.each(['plain', 'spread'])('a claim in a %s store', (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(form);
    await crowd(app, app.test.scope);
    await put(app, app.test.scope, { kind: FEW, count: FEW_ROWS, from: CROWD_ROWS });
  });
  afterAll(() => app.close());

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

it('a store of which very much is due hides no other from the list of a spread store', async () => {
  const app = await startApp('spread');
  await crowd(app, app.test.scope);
  await put(app, app.live.scope, { kind: CROWD, count: 1, from: CROWD_ROWS });
  const works = await createClaims(app.service).ofKinds([CROWD])(2);
  expect(works.map(({ scope }) => scope.testMode).sort()).toEqual([false, true]);
  await app.close();
});

describe.each(['plain', 'spread'])('what is due in a held store, %s', (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(form);
    await crowd(app, app.live.scope);
  });
  afterAll(() => app.close());

  const asked = () => ({ nowMs: app.service.realNowMs(), ids: app.service.ids });
  const holdIt = () =>
    hold(app.service.db, { ...asked(), workspaceId: app.live.scope.workspaceId, why: 'a test' });
  const letItGo = () =>
    resume(app.service.db, {
      ...asked(),
      ...{
        as: 'same',
        workspaceId: app.live.scope.workspaceId,
        present: NOTHING_LOST,
        skip: 0,
        sendOld: false,
      },
    });

  function claim(): Promise<unknown[]> {
    const made = createClaims(app.service);
    made.nudge(app.live.scope);
    return made.ofKinds([CROWD])(LIMIT);
  }

  it('is read by no claim once it is put aside, and is due again when the store goes on', async () => {
    await holdIt();
    expect(await putAside(app.service.db, new AbortController().signal)).toBe(CROWD_ROWS);
    expect(await claim()).toEqual([]);
    expect(await claims.countRead(app.service.pool)).toBeLessThan(LIMIT);
    await letItGo();
    expect(await claim()).toHaveLength(LIMIT);
    const { rows } = await app.service.pool.query(
      'select count(*)::int as late from due_work where due_real_ms <> due_ms and not test_mode',
    );
    expect(rows).toEqual([{ late: 0 }]);
  });

  it('is not put aside when the store was let go in the meantime', async () => {
    await holdIt();
    await letItGo();
    const putting = inTransaction(app.service.db, (tx) => putHeldWorkAside(tx, app.live.scope));
    expect(await putting).toBe(0);
  });

  it('is due again when the whole installation goes on', async () => {
    await hold(app.service.db, { ...asked(), workspaceId: null, why: 'a test' });
    expect(await putAside(app.service.db, new AbortController().signal)).toBe(CROWD_ROWS - LIMIT);
    await resume(app.service.db, {
      ...asked(),
      ...{ as: 'same', workspaceId: null, present: NOTHING_LOST, skip: 0, sendOld: false },
    });
    expect(await claim()).toHaveLength(LIMIT);
  });
});
