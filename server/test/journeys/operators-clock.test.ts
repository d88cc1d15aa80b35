/** Operators' commands on a machine whose clock is not the store's. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/harness.ts';
import { runCommand } from '../support/run-command.ts';

const STEPPING = fileURLToPath(new URL('../faults/stepping-clock.mjs', import.meta.url));
const HOUR_MS = 3_600_000;
/** What the commands may take. */
const SLACK_MS = 120_000;

let app: TestApp;
let databaseUrl = '';

beforeAll(async () => {
  const through = async (url: string) => {
    databaseUrl = url;
    return url;
  };
  app = await createTestApp({}, undefined, { through });
});
afterAll(() => app.close());

/** Runs one on a machine whose clock is ahead by so many ms. */
function runAhead(aheadMs: number, name: string, ...args: string[]) {
  const env = { DATABASE_URL: databaseUrl, NODE_OPTIONS: `--import=${STEPPING}` };
  return runCommand(name, args, { ...env, CLOCK_STEPS_MS: String(aheadMs) });
}

/** In how many ms a pair ends by the store's time. */
async function readRest(publicKey: string): Promise<number> {
  const { rows } = await app.service.pool.query<{ rest: number }>(
    `select (coalesce(revoked_at, expires_at) - extract(epoch from clock_timestamp()) * 1000)::float8 as rest
      from api_keys where public_key = $1`,
    [publicKey],
  );
  return rows[0]?.rest ?? Number.NaN;
}

describe.each([HOUR_MS, -HOUR_MS])('T15 keys, by a clock that is off by %i ms', (aheadMs) => {
  it.each([0, 1])('roll with %i hours of grace, of the store’s', async (graceHours) => {
    const made = await runAhead(aheadMs, 'keys', 'create', '--json');
    expect([made.code, made.err]).toEqual([0, expect.any(String)]);
    const { publicKey } = JSON.parse(made.out);
    const rolled = await runAhead(aheadMs, 'keys', 'roll', publicKey, '--grace-hours', String(graceHours));
    expect(rolled.code, rolled.err).toBe(0);
    expect(Math.abs((await readRest(publicKey)) - graceHours * HOUR_MS)).toBeLessThan(SLACK_MS);
  });

  it('revoke at a moment that has been', async () => {
    const { publicKey } = JSON.parse((await runAhead(aheadMs, 'keys', 'create', '--json')).out);
    expect((await runAhead(aheadMs, 'keys', 'revoke', publicKey)).code).toBe(0);
    expect(Math.abs(await readRest(publicKey))).toBeLessThan(SLACK_MS);
  });
});
