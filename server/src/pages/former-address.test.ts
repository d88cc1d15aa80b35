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
