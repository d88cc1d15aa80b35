/** A workspace that stands still with very much due: each statement has its time, and would not end within it over all rows. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { ROWS_AT_ONCE } from '../../db/in-steps.ts';
import { inTransaction } from '../../db/transaction.ts';
import { parkDueWork, unparkDueWork } from './standstill.queries.ts';

const EACH = ROWS_AT_ONCE + 10;

describe.each(['plain', 'spread'])('what is due in a workspace that stands still, %s', (form) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp({ STORE_FORM: form === 'spread' ? 'spread' : '' });
    await app.service.pool.query(
      `insert into due_work (workspace_id, test_mode, kind, ref_id, due_ms, due_real_ms)
       select $1, n % 2 = 0, 'advance_subscription', gen_random_uuid(), n, n from generate_series(1, ${2 * EACH}) n`,
      [app.test.scope.workspaceId],
    );
    await app.service.pool.query(`
      create table counted (rows integer);
      create function note_rows() returns trigger language plpgsql as
        $$ begin insert into counted select count(*) from changed; return null; end $$;
      create trigger note_rows after update on due_work referencing new table as changed
        for each statement execute function note_rows()`);
  });
  afterAll(() => app.close());

  /** Rows of each statement that changed some, the most first. */
  async function listSteps(work: typeof parkDueWork): Promise<number[]> {
    await app.service.pool.query('truncate counted');
    await inTransaction(app.service.db, (tx) => work(tx, app.test.scope.workspaceId));
    const { rows } = await app.service.pool.query<{ rows: number }>(
      'select rows from counted where rows > 0 order by rows desc',
    );
    return rows.map((row) => row.rows);
  }

  async function countDue(): Promise<unknown> {
    const { rows } = await app.service.pool.query(
      `select count(*)::int as due from due_work where kind = 'advance_subscription' and due_real_ms = due_ms`,
    );
    return rows[0]?.due;
  }

  it('is set aside and due again in statements of some thousand rows', async () => {
    const steps = [ROWS_AT_ONCE, ROWS_AT_ONCE, expect.any(Number)];
    expect(await listSteps(parkDueWork)).toEqual(steps);
    expect(await countDue()).toBe(0);
    expect(await listSteps(unparkDueWork)).toEqual(steps);
    expect(await countDue()).toBe(2 * EACH);
  });
});
