import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { expectRefusal } from '../../test/support/expect-refusal.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { type StatementRan, statementRan } from '../domain/trace-points.ts';

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

it.each([
  ['customFields', '{"steam":"ada"}', true],
  ['fulfilment', 'waiting', true],
  ['valueFrom', '9998', true],
  ['countries', 'DE', false],
  ['term', 'ada@example.com', false],
])('O50 is planned by its values where it is filtered by %s=%s: %s', async (name, value, isPlanned) => {
  const texts: string[] = [];
  const note = (ran: unknown) => void texts.push((ran as StatementRan).text);
  statementRan.subscribe(note);
  onTestFinished(() => void statementRan.unsubscribe(note));
  // Of connections that are opened from now on.
  const own = await createTestApp();
  onTestFinished(() => own.close());
  texts.length = 0;
  expect((await own.test.get('/v0/orders/list', { query: { [name]: value } })).status).toBe(200);
  expect(texts).toContain('set local statement_timeout = 5000');
  expect(texts.includes('set local plan_cache_mode = auto')).toBe(isPlanned);
});
