import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ALL_SCOPES,
  type Assistant,
  connect2,
  makeKeys,
  openOrigin,
} from '../../../test/support/assistant.ts';
import { buy } from '../../../test/support/buying.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makePlanOffer } from '../../../test/support/make-catalogue.ts';

let t: TestApp;
let assistant: Assistant;
beforeAll(async () => {
  t = await createTestApp();
  assistant = await connect2(await openOrigin(t), await makeKeys(t, t.test, ['mcp:write', ...ALL_SCOPES]));
});
afterAll(async () => {
  await assistant.close();
  await t.close();
});

const subscribe = async (offersIds: string[], quantity = 1) =>
  (await buy(t.test, { offersIds, quantity })).body.data.subscription.id as string;

async function change(args: Record<string, unknown>) {
  const planned = await assistant.call('change_subscription', args);
  const { confirmToken } = planned.data;
  return assistant.call('change_subscription', { ...args, confirmToken });
}

it('X28 what a change does not say stays: the offer of a new quantity, the quantity of a new offer', async () => {
  const [offer, other] = [
    await makePlanOffer(t.test, { price: 1000 }),
    await makePlanOffer(t.test, { price: 2500 }),
  ];
  const id = await subscribe([offer]);
  const more = await change({ id, quantity: 3 });
  expect(more.data).toMatchObject({
    status: 'done',
    subscription: { items: [{ offerId: offer, quantity: 3 }], value: { minor: 3000 } },
  });
  const moved = await change({ id, offer: other });
  expect(moved.data).toMatchObject({
    status: 'done',
    subscription: { items: [{ offerId: other, quantity: 3 }], value: { minor: 7500 } },
  });
});

it('X28 refuses to guess which of several items is meant', async () => {
  const [offer, other] = [await makePlanOffer(t.test), await makePlanOffer(t.test)];
  const id = await subscribe([offer]);
  const items = [{ offerId: offer }, { offerId: other }];
  expect((await t.test.patch(`/v0/subscriptions/${id}/update`, { items })).status).toBe(200);
  const told = await assistant.call('change_subscription', { id, quantity: 2 });
  expect([told.isError, told.text]).toEqual([true, expect.stringContaining('several items')]);
});

it('X28 another price since the plan is plan_changed, and nothing is charged', async () => {
  const [offer, other] = [
    await makePlanOffer(t.test, { price: 1000 }),
    await makePlanOffer(t.test, { price: 2500 }),
  ];
  const args = { id: await subscribe([offer]), offer: other, proration: 'always_invoice' };
  const planned = await assistant.call('change_subscription', args);
  expect((await t.test.patch(`/v0/offers/${other}/update`, { price: 99_000 })).status).toBe(200);
  const { confirmToken } = planned.data;
  const told = await assistant.call('change_subscription', { ...args, confirmToken });
  expect([told.isError, told.text]).toEqual([true, expect.stringContaining('"plan_changed"')]);
  const { body } = await t.test.get(`/v0/subscriptions/${args.id}`);
  expect(body.data.subscription.value).toBe(1000);
});
