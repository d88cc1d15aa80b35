/** What `retention -- status` tells of rows that are of no store. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../support/clock.ts';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { runCommand } from '../support/run-command.ts';

let app: TestApp;
let env: Record<string, string>;
beforeAll(async () => {
  const through = async (url: string) => {
    env = { DATABASE_URL: url };
    return url;
  };
  app = await createTestApp({}, undefined, { through });
});
afterAll(() => app.close());

it('O32 tells of audit rows of workspaces as a whole and of accounts, too', async () => {
  const { pool, ids } = app.service;
  const old = `real_now_ms() - ${740 * DAY_MS}::bigint`;
  await pool.query(
    `insert into workspace_audit (workspace_id, id, actor, operation, request_id, created_at)
     values ($1, $2, 'a', 'a', 'a', ${old})`,
    [app.test.scope.workspaceId, ids.next(1)],
  );
  await pool.query(
    `insert into account_audit (id, account_id, operation, created_at) values ($1, $1, 'a', ${old})`,
    [ids.next(2)],
  );
  const ask = async () => {
    const { out } = await runCommand('retention', ['status', '--json'], env);
    const rows = out.trim().split('\n').slice(-2);
    return rows.map((line) => JSON.parse(line));
  };
  const behind = { days: 730, stores: null, behindMs: expect.closeTo(10 * DAY_MS, -6) };
  expect(await ask()).toEqual([
    { kept: 'workspace_audit', workspaces: 1, ...behind },
    { kept: 'account_audit', ...behind },
  ]);
  expect((await runCommand('retention', ['status'], env)).out).toContain(
    'accounts hold older ones, by up to 10.0 days',
  );
  // What cannot be written down stays, and the operator is told where.
  const nowhere = { ...env, RETAIN_EXPORT: 'file:///dev/null/days' };
  const failed = await runCommand('retention', ['run'], nowhere);
  expect([failed.code, failed.err]).toEqual([
    7,
    expect.stringMatching(/^\/dev\/null\/days\/\S+\.jsonl\.gz could not be written: E\w+/),
  ]);
  expect(await ask()).toMatchObject([{ workspaces: 1 }, behind]);
  expect((await runCommand('retention', ['run'], env)).code).toBe(0);
  expect(await ask()).toMatchObject([{ workspaces: 0, behindMs: 0 }, { behindMs: 0 }]);
});

it('O30 says that nothing is let go of a store that is held', async () => {
  const run = async (...args: string[]) => {
    const { code, out, err } = await runCommand('retention', args, env);
    return { code, out: out.trim(), err: err.trim() };
  };
  const { pool } = app.service;
  const told = 'Nothing is let go of 1 live store that is held, until: npm run resume.';
  await pool.query(
    `update stores set held_since = 1, held_reason = 'operator' where not test_mode and workspace_id = $1`,
    [app.test.scope.workspaceId],
  );
  expect(await run('run')).toEqual({ code: 0, out: '0 rows were let go, or their texts.', err: told });
  expect((await run('run', '--json')).out).toBe('{"rows":0,"heldStores":1}');
  expect((await run('status')).err).toBe(told);
  await pool.query('update stores set held_since = null, held_reason = null');
  expect(await run('run')).toMatchObject({ code: 0, err: '' });
});
