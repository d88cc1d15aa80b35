/** What one answer tells of an order is of one moment, whatever is committed while it is read. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../test/support/harness.ts';
import { makeOffer } from '../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('tells of an order and its refunds as they were together', async () => {
  const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
  const { id } = body.data.order as { id: string };
  await app.test.post(`/v0/orders/${id}/refunds`, { amount: 100 });
  const other = await app.service.pool.connect();
  try {
    await other.query('begin');
    await other.query('lock table refunds in access exclusive mode');
    const reading = app.test.get(`/v0/orders/${id}`);
    const waiting = `select 1 from pg_locks where not granted and relation = 'refunds'::regclass`;
    while ((await other.query(waiting)).rows.length === 0);
    await other.query('update orders set refunded_value = 60 where id = $1', [id]);
    await other.query('update refunds set amount = 60 where order_id = $1', [id]);
    await other.query('commit');
    const { order, refunds } = (await reading).body.data;
    expect([order.refundedValue, refunds.map(({ amount }: { amount: number }) => amount)]).toEqual([
      100,
      [100],
    ]);
  } finally {
    other.release();
  }
});
