import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import type { JobKind } from '../domain/due-work.ts';
import { insertDueWork } from '../resources/due-work/due-work.queries.ts';
import { createClaims } from './claims.ts';
import { createDueStores } from './due-stores.ts';

const KIND: JobKind = 'remind_subscription';
const OTHER: JobKind = 'warn_of_card';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ STORE_FORM: 'spread' });
});
afterAll(() => app.close());
afterEach(async () => {
  await app.service.db.deleteFrom('dueWork').execute();
});

/** Rows that are due, of a kind and a store; answers what they refer to. */
async function put(scope: Scope, count = 1, kind: JobKind = KIND): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const work = ids.map((refId, place) => ({ kind, refId, dueMs: 1_000 + place }));
  await inTransaction(app.service.db, (tx) => insertDueWork(tx, scope, work));
  return ids;
}

const stores = () => [app.test.scope, app.live.scope, app.other.scope];
const plainly = ({ workspaceId, testMode }: Scope) => ({ workspaceId, testMode });

describe('stores that may have something due', () => {
  it('are listed once a second for all who ask, by the kinds that they have', async () => {
    let nowMs = 0;
    const due = createDueStores(app.service.db, () => nowMs);
    const hints = due.hintsFor([KIND]);
    const others = due.hintsFor([OTHER]);
    await put(app.test.scope);
    await Promise.all([due.list(), due.list()]);
    expect(hints.take(10)).toEqual([plainly(app.test.scope)]);
    await put(app.other.scope);
    nowMs += 700;
    await due.list();
    expect(hints.size).toBe(0);
    nowMs += 600;
    await due.list();
    expect(new Set(hints.take(10).map(({ workspaceId }) => workspaceId))).toEqual(
      new Set([app.test.scope.workspaceId, app.other.scope.workspaceId]),
    );
    expect(others.size).toBe(0);
  });

  it('are named by a nudge, whatever it was for; one that names none brings the next list forward', async () => {
    let nowMs = 0;
    const due = createDueStores(app.service.db, () => nowMs);
    const [hints, lanes] = [due.hintsFor([KIND]), due.hintsFor('lanes')];
    await due.list();
    due.nudge(app.live.scope);
    expect([hints.take(10), lanes.take(10)]).toEqual([[plainly(app.live.scope)], [plainly(app.live.scope)]]);
    await put(app.test.scope);
    due.nudge();
    nowMs += 100;
    await due.list();
    expect(hints.take(10)).toEqual([plainly(app.test.scope)]);
  });

  it('are none that is left alone for now', async () => {
    const due = createDueStores(app.service.db);
    const hints = due.hintsFor([KIND]);
    await put(app.test.scope);
    const { workspaceId } = app.test.scope;
    const archive = (state: 'archived' | 'active') =>
      app.service.db.updateTable('workspaces').set({ state }).where('id', '=', workspaceId).execute();
    await archive('archived');
    await due.list({ now: true });
    expect(hints.size).toBe(0);
    await archive('active');
    await due.list({ now: true });
    expect(hints.size).toBe(1);
  });
});

describe('claims store by store', () => {
  it('take what there is of all of them, each row once, and no more than there is room for', async () => {
    const ids = (await Promise.all(stores().map((scope) => put(scope, 5)))).flat();
    const claims = createClaims(app.service);
    const take = claims.ofKinds([KIND]);
    const claimed: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const works = await take(4);
      expect(works.length).toBeLessThanOrEqual(4);
      claimed.push(...works.map(({ refId }) => refId));
    }
    expect([...claimed].sort()).toEqual([...ids].sort());
    expect(await take(4)).toEqual([]);
  });

  it('leave to another what it holds', async () => {
    await put(app.test.scope, 3);
    const [first, second] = [createClaims(app.service), createClaims(app.service)];
    const both = await Promise.all([first.ofKinds([KIND])(10), second.ofKinds([KIND])(10)]);
    expect(both.flat()).toHaveLength(3);
    expect(both.flat().map(({ fence }) => fence)).toEqual([1, 1, 1]);
  });
});
