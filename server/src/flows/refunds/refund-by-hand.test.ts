import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

it('a refund of what was paid outside is nobody’s work: it waits for the merchant, and holds no clock', async () => {
  const declined = await buy(app.test, {
    offersIds: [await makeOffer(app.test)],
    card: '4000000000000002',
  });
  const { id } = declined.body.data.order;
  await app.test.patch(`/v0/orders/${id}/update`, { status: 'PAID' });
  const { body, text } = await app.test.post(`/v0/orders/${id}/refunds`, {});
  expect(body.data?.refund.status, text).toBe('pending');
  const work = await app.service.db
    .selectFrom('dueWork')
    .select('kind')
    .where('refId', '=', body.data.refund.id)
    .execute();
  expect(work).toEqual([]);
  const settled = await app.test.post(`/v0/refunds/${body.data.refund.id}/settle`, { reference: 'T-1' });
  expect(settled.body.data.refund.status, settled.text).toBe('succeeded');
});
