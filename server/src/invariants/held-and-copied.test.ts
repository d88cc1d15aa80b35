/** What is no fault of a store that is held, of a copy that nobody has started, or of one whose receivers fail. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { findViolations } from './find-violations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const due = (
  lease: string,
) => `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms,
    lease_until_ms)
  select workspace_id, test_mode, 'deliver_webhook', gen_random_uuid(), 1, 1, ${lease} from stores
  where not test_mode limit 1`;
const LATE = [24, 'no delivery is overdue by more than five minutes', due('null')] as const;
const OLD_KEY = [
  29,
  'no key of a request is kept for longer than its time',
  `insert into idempotency_keys (workspace_id, test_mode, asker, key, fingerprint, lease_until, created_at)
   select workspace_id, test_mode, 'keys', 'key', '', 0, 1 from stores`,
] as const;
const LEASED = [30, 'no work is held by a worker that has gone', due('1')] as const;

const HELD_ALONE = "update stores set held_since = 1, held_reason = 'restored' where not test_mode";
const HELD = "update installation_state set held_since = 1, held_reason = 'operator'";

class TakenBack extends Error {}

/** Whether it is found once the store has been broken so; the breach is taken back. */
async function isFound(
  [number, name, breach]: readonly [number, string, string],
  { hold, isCopy = false }: { hold?: string; isCopy?: boolean } = {},
): Promise<boolean> {
  let found = false;
  const broken = app.service.db.transaction().execute(async (tx) => {
    for (const statement of [breach, hold ?? 'select']) await sql.raw(statement).execute(tx);
    found = (await findViolations(tx, { only: [number], isCopy })).some((one) => one.name === name);
    throw new TakenBack();
  });
  await expect(broken).rejects.toThrow(TakenBack);
  return found;
}

it('24 nobody is late with what waits for a receiver that fails', async () => {
  const hook = { url: 'https://8.8.8.8/hook', events: ['payment_success'] };
  const { body } = await app.live.post('/v0/webhooks/create', hook);
  const ofHook = `update due_work set lane = '${body.data.webhook.id}'`;
  expect(await isFound(LATE, { hold: ofHook })).toBe(true);
  const failing = "update webhooks set health = 'failing'";
  expect(await isFound(LATE, { hold: `${ofHook}; ${failing}` })).toBe(false);
});

describe('O30 a store that is held', () => {
  it('is late with no delivery', async () => {
    expect(await isFound(LATE)).toBe(true);
    for (const hold of [HELD_ALONE, HELD]) expect(await isFound(LATE, { hold })).toBe(false);
  });

  it('keeps keys for longer where all of it is held: nothing is deleted then', async () => {
    expect(await isFound(OLD_KEY)).toBe(true);
    expect(await isFound(OLD_KEY, { hold: HELD })).toBe(false);
  });
});

it.each([LATE, OLD_KEY, LEASED])('O25 a copy is not asked for %i, %s', async (...broken) => {
  expect(await isFound(broken)).toBe(true);
  expect(await isFound(broken, { isCopy: true })).toBe(false);
});
