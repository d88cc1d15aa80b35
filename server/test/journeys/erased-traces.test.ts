/** What a store only looked at of somebody: a file that was planned and never committed, an address in a wrong path. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OLD_IMPORTS } from '../../src/resources/imports/imports.queries.ts';
import { sweepOver } from '../../src/worker/sweeps.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { createImporting } from '../support/importing.ts';

const EMAIL = 'vera.secret@example.com';
const toLine = (email: string) => ({
  kind: 'customer',
  ref: `cus_${email}`,
  email,
  name: 'Veronika Zwetschge',
});

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const readAll = async (table: string) =>
  (
    await sql<{ text: string }>`select to_jsonb(t)::text as text from ${sql.table(table)} t`.execute(
      app.service.db,
    )
  ).rows
    .map(({ text }) => text)
    .join('\n');

it('Y27 a plan that tells of somebody who is erased goes with them, and others stay', async () => {
  const importing = createImporting(app);
  const told = await importing.plan([toLine('Vera.Secret@example.com')]);
  const other = await importing.plan([toLine('else@example.com')]);
  const { body } = await app.test.post('/v0/users/create', { email: EMAIL });
  await app.test.post(`/v0/users/${body.data.user.id}/deletion/accept`, {});
  await advance(app, app.test.scope, 15 * DAY_MS);
  expect((await readAll('import_rows')).toLowerCase()).not.toContain(EMAIL);
  expect((await app.test.get(`/v0/imports/${told.id}`)).status).toBe(404);
  expect((await importing.show(other.id)).status).toBe('planned');
});

it('O32 a plan that nobody commits is let go of after 7 days, though no other file comes', async () => {
  const planned = await createImporting(app).plan([toLine('late@example.com')]);
  const sweep = () => sweepOver(app.service.db, new AbortController().signal, OLD_IMPORTS);
  await sweep();
  expect((await app.test.get(`/v0/imports/${planned.id}`)).status).toBe(200);
  await sql`update imports set created_real_ms = created_real_ms - ${7 * DAY_MS + 1000}::bigint`.execute(
    app.service.db,
  );
  await sweep();
  expect((await app.test.get(`/v0/imports/${planned.id}`)).status).toBe(404);
  expect(await readAll('import_rows')).not.toContain('late@example.com');
});

it('Y27 the request log notes no address that stands where an id belongs', async () => {
  for (const said of [EMAIL, encodeURIComponent(EMAIL)])
    expect((await app.test.get(`/v0/users/${said}`)).status).toBe(400);
  await app.wired.requestLog.flush();
  const log = await readAll('request_log');
  expect(log).toContain('"/v0/users/••••"');
  expect(log).not.toContain('vera.secret');
});
