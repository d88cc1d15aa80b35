/** An import whose worker was killed stands still for seconds, not for as long as other work is held. */
import { expect, it } from 'vitest';
import type { TestApp } from '../support/harness.ts';
import { createImporting, customer, PLAN_LINES, toFile } from '../support/importing.ts';
import { useShop } from '../support/shop.ts';

const STANDS_STILL_MAX_MS = 15_000;
let app: TestApp;
useShop(async (made) => {
  app = made;
});

it('X42 whoever brings an import in holds it for seconds, and for as long as a batch takes', async () => {
  const { pool } = app.service;
  const imports = createImporting(app);
  const { body } = await imports.upload(toFile([...PLAN_LINES, customer('ann')]));
  const { id } = body.data.import;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select from imports where id = $1 for update', [id]);
    const running = app.wired.worker.runDue();
    const isHeldShortly = async () => {
      const { rows } = await pool.query<{ left: number | null }>(
        `select (lease_until_ms - real_now_ms())::float8 as left from due_work where kind = 'run_import'`,
      );
      const left = rows[0]?.left ?? 0;
      return left > 0 && left <= STANDS_STILL_MAX_MS;
    };
    await expect.poll(isHeldShortly).toBe(true);
    await client.query('rollback');
    await running;
  } finally {
    client.release();
  }
  expect(await imports.show(id)).toMatchObject({ status: 'planned' });
});
