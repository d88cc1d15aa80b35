/** Views of lists: those that stand in one menu have names that tell them apart. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Browser, makeAccount, openSignedIn } from '../../test/support/browser.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let t: TestApp;
let admin: Browser;
let support: Browser;
beforeAll(async () => {
  t = await createTestApp();
  const { workspaceId } = t.test.scope;
  for (const role of ['admin', 'support'] as const)
    await makeAccount(t, { email: `${role}@views.example`, member: { workspaceId, role } });
  admin = await openSignedIn(t, 'admin@views.example');
  support = await openSignedIn(t, 'support@views.example');
});
afterAll(() => t.close());

const TAKEN = {
  status: 409,
  body: { error: { code: 'view_taken', details: [{ path: 'name', message: 'is taken' }] } },
};
const save = (who: Browser, name: string, more: object = {}) =>
  who.post('/v0/views/create', { resource: 'orders', name, query: '', ...more });
const idOf = async (saved: ReturnType<typeof save>) => String((await saved).body.data.view.id);

it('D25 a name is given once of a list, among one’s own views and the shared ones', async () => {
  const mine = await idOf(save(admin, 'Unpaid'));
  expect(await save(admin, 'Unpaid')).toMatchObject(TAKEN);
  expect(await save(admin, ' Unpaid ')).toMatchObject(TAKEN);
  expect((await save(admin, 'Unpaid', { resource: 'payments' })).status).toBe(200);
  // Nobody is told what others call views of their own.
  expect((await save(support, 'Unpaid')).status).toBe(200);
  await save(admin, 'Everybody’s', { shared: true });
  expect(await save(support, 'Everybody’s')).toMatchObject(TAKEN);

  const late = await idOf(save(admin, 'Late'));
  const change = (id: string, body: object) => admin.patch(`/v0/views/${id}/update`, body);
  expect(await change(late, { name: 'Unpaid' })).toMatchObject(TAKEN);
  expect((await change(late, { name: 'Late', query: 'statuses=PENDING' })).status).toBe(200);
  expect((await admin.delete(`/v0/views/${mine}`)).status).toBe(200);
  expect((await change(late, { name: 'Unpaid' })).status).toBe(200);
});

it('D25 of ten that are saved at once under one name one is', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => save(admin, 'At once')));
  expect(all.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
});
