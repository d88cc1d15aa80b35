/** A test clock is advanced by weeks while a processor answers nothing: real time does not go by, and nobody waits for it. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { buy } from '../support/buying.ts';
import { advance, DAY_MS } from '../support/clock.ts';
import { expectInvariants } from '../support/expect-invariants.ts';
import { makePlanOffer } from '../support/make-catalogue.ts';
import { openStripeApp, type StripeApp } from '../support/stripe-app.ts';

let opened: StripeApp;
let planId: string;
const faults: string[] = [];
beforeAll(async () => {
  opened = await openStripeApp();
  planId = await makePlanOffer(opened.app.test, { price: 900, currency: 'EUR', taxBehavior: 'inclusive' });
});
afterEach(() => expectInvariants(opened.app));
afterAll(() => opened?.close());

const go = (byMs: number) => advance(opened.app, opened.app.test.scope, byMs);
const listCharges = () => opened.app.service.db.selectFrom('charges').select(['status']).execute();

async function subscribe(): Promise<void> {
  const { processorId, app } = opened;
  const asked = { offersIds: [planId], processorId, paymentMethod: 'pm_card_visa' };
  const { body, text } = await buy(app.test, asked);
  expect(body.data?.subscription.status, text).toBe('active');
}

/** No call is answered from now on. */
async function silence(): Promise<void> {
  const match = { account: opened.account.id };
  const { id } = await opened.double.control<{ id: string }>('POST /faults', {
    ...{ match, do: { drop: 'before' } },
  });
  faults.push(id);
}

async function heal(): Promise<void> {
  for (const id of faults.splice(0)) await opened.double.control(`DELETE /faults/${id}`);
}

/** So many calls came meanwhile. */
async function countCalls(during: () => Promise<void>): Promise<number> {
  const count = async () => (await opened.double.control<unknown[]>('GET /journal')).length;
  const before = await count();
  await during();
  return (await count()) - before;
}

it('charges nobody by books that could not be read when it began, and asks for nothing meanwhile', async () => {
  for (let one = 0; one < 3; one += 1) await subscribe();
  // It has been read before, and was well.
  await go(DAY_MS);
  await silence();
  const calls = await countCalls(() => go(70 * DAY_MS));
  expect(calls).toBeLessThan(5);
  expect((await listCharges()).length).toBe(3);
  await heal();
  await go(DAY_MS);
  // Who had the two months that have gone by pays for each of them, and for no other.
  expect((await listCharges()).map(({ status }) => status)).toEqual(Array(9).fill('succeeded'));
});
