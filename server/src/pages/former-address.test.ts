import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../test/support/clock.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { portalOf } from '../../test/support/portal.ts';
import { inTransaction } from '../db/transaction.ts';
import { keepFormerSlug } from '../resources/portal/portal-stores.queries.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const look = (url: string) => app.app.inject({ method: 'GET', url });

it('S29 pages where buyers withdraw and cancel are found under a former address of the portal, for a while', async () => {
  const { store: before } = await portalOf(app, app.test);
  const { workspaceId } = app.test.scope;
  const { db } = app.service;
  await db
    .updateTable('workspaces')
    .set({ portalSlug: 'renamed-shop' })
    .where('id', '=', workspaceId)
    .execute();
  const endsAt = Date.now() + DAY_MS;
  await inTransaction(db, (tx) => keepFormerSlug(tx, { workspaceId, slug: before, endsAt }));
  for (const path of ['/test/statements/gone.pdf', '/test/account/not-me/gone']) {
    const moved = await look(`/portal/${before}${path}`);
    expect([moved.statusCode, moved.headers.location]).toEqual([302, `/portal/renamed-shop${path}`]);
  }
  for (const path of ['/test/withdraw?order=K7QW', '/test/cancel-contract', '/withdraw']) {
    const moved = await look(`/portal/${before}${path}`);
    expect([moved.statusCode, moved.headers.location]).toEqual([302, `/portal/renamed-shop${path}`]);
    expect((await look(`/portal/renamed-shop${path}`)).headers.location).toBeUndefined();
    expect((await look(`/portal/never-there${path}`)).statusCode).toBe(404);
  }
});

it('S01 an address that was typed with capitals leads to the portal, and to its test mode', async () => {
  const { store } = await portalOf(app, app.live);
  const typed = store.toUpperCase();
  const moves = [
    [`/portal/${typed}`, `/portal/${store}`],
    [`/portal/${typed}/TEST/orders?take=1`, `/portal/${store}/TEST/orders?take=1`],
    [`/portal/${store}/TEST/orders?take=1`, `/portal/${store}/test/orders?take=1`],
    [`/portal/${store}/Test`, `/portal/${store}/test`],
    [`/portal/${typed}/withdraw?order=K7QW`, `/portal/${store}/withdraw?order=K7QW`],
    [`/portal/%${typed.charCodeAt(0).toString(16)}${typed.slice(1)}`, `/portal/${store}`],
  ] as const;
  for (const [asked, told] of moves) {
    const moved = await look(asked);
    expect([asked, moved.statusCode, moved.headers.location]).toEqual([asked, 302, told]);
  }
  expect((await look('/portal/NEVER-THERE')).statusCode).toBe(404);
  expect((await look(`/portal/${store}/tests`)).statusCode).toBe(200);
});
