import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

it('O50 a list that the store cannot find within 5 seconds is refused, and says by which filters', async () => {
  const client = await t.service.pool.connect();
  try {
    await client.query('begin');
    // Whoever reads waits until the lock is gone, which it is not: as behind too many rows.
    await client.query('lock table orders in access exclusive mode');
    const query = { statuses: 'PAID', countries: 'DE', take: '5' };
    const answer = t.test.get('/v0/orders/list', { query });
    await expectRefusal(answer, 400, 'list_too_wide');
    expect((await answer).body.error.message).toBe(
      'What statuses, countries name together cannot be found within 5 seconds.',
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
  // The connection that it was asked on has its own limit again.
  expect((await t.test.get('/v0/orders/list', { query: { status: 'PAID' } })).status).toBe(200);
});
