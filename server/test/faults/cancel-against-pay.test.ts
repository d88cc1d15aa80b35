import { afterAll, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { forgetNextCancel, withFault } from '../support/faulty-processor.ts';
import { type Answer, createTestApp, type TestApp } from '../support/harness.ts';
import { makeOffer } from '../support/make-catalogue.ts';

const TRIALS = 200;
/** Purchases that are made side by side. */
const BATCH = 8;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function cancelPaymentOf(chargeId: string): Promise<Answer> {
  const { paymentId } = await app.service.db
    .selectFrom('charges')
    .select('paymentId')
    .where('id', '=', chargeId)
    .executeTakeFirstOrThrow();
  return app.test.post(`/v0/payments/${paymentId}/cancel`);
}

it('T09 200 cancels against the processor’s confirmation end PAID or CANCELLED, never both, and late money goes back', async () => {
  const offerId = await makeOffer(app.test);
  const cancels: Array<Promise<Answer>> = [];
  let count = 0;
  const restore = withFault(app, 'charge', async (call, chargeId) => {
    count += 1;
    switch (count % 4) {
      // Before the charge comes, at the same time, and when the money is taken but not yet booked.
      case 0:
        cancels.push(cancelPaymentOf(chargeId));
        await cancels.at(-1);
        return call();
      case 1:
        cancels.push(cancelPaymentOf(chargeId));
        return call();
      case 2: {
        const outcome = await call();
        cancels.push(cancelPaymentOf(chargeId));
        return outcome;
      }
      // The processor confirms the cancel and takes the money all the same.
      default:
        forgetNextCancel(app);
        cancels.push(cancelPaymentOf(chargeId));
        await cancels.at(-1);
        return call();
    }
  });
  const ids: string[] = [];
  for (let begun = 0; begun < TRIALS; begun += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) =>
      buy(app.test, { offersIds: [offerId], userEmail: `trial-${begun + index}@example.com` }),
    );
    for (const { status, body } of await Promise.all(batch)) {
      expect(status).toBe(200);
      ids.push(body.data.payment.id);
    }
  }
  restore();
  const answers = await Promise.all(cancels);
  for (const { status, body } of answers) {
    if (status === 200) expect(body.data.payment.status).toBe('CANCELLED');
    else expect(['payment_state', 'payment_in_progress']).toContain(body.error.code);
  }
  await app.wired.worker.runDue();
  const { rows } = await app.service.pool.query<{ status: string; kept: number; count: number }>(
    `select p.status, coalesce(sum(s.amount - s.refunded) filter (where s.status = 'succeeded'), 0)::int as kept,
       count(*)::int as count
     from payments p join charges c on c.payment_id = p.id left join sandbox_charges s on s.id = c.id
     where p.id = any($1) group by p.id, p.status`,
    [ids],
  );
  expect(rows).toHaveLength(TRIALS);
  for (const { status, kept } of rows) {
    expect({ status, kept }).toEqual({ status, kept: status === 'PAID' ? 2379 : 0 });
    expect(['PAID', 'CANCELLED']).toContain(status);
  }
  // Both ends were met.
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['PAID', 'CANCELLED']));
  await expectInvariants(app);
}, 300_000);
