import { expect, it, onTestFinished } from 'vitest';
import { buy } from '../../../test/support/buying.ts';
import { createTestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';

it('a look that was asked for while the refund was settled ends, and is not begun anew for ever', async () => {
  const app = await createTestApp();
  onTestFinished(() => app.close());
  const { body } = await buy(app.test, { offersIds: [await makeOffer(app.test)] });
  const refunded = await app.test.post(`/v0/orders/${body.data.order.id}/refunds`, { amount: 100 });
  const { refund } = refunded.body.data;
  expect(refund.status, refunded.text).toBe('succeeded');
  const look = { kind: 'send_refund' as const, refId: refund.id, dueMs: app.service.realNowMs() };
  await inTransaction(app.service.db, (tx) => insertDueWork(tx, app.test.scope, [look]));
  await app.wired.worker.runDue();
  const left = app.service.db.selectFrom('dueWork').select('refId').where('kind', '=', 'send_refund');
  expect(await left.execute()).toEqual([]);
});
