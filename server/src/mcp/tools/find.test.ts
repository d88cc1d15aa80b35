import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  ALL_SCOPES,
  type Assistant,
  connect2,
  makeKeys,
  openOrigin,
} from '../../../test/support/assistant.ts';
import { buy, openPage } from '../../../test/support/buying.ts';
import { DECLINED } from '../../../test/support/cards.ts';
import { createTestApp, type TestApp } from '../../../test/support/harness.ts';
import { makeOffer } from '../../../test/support/make-catalogue.ts';

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

it.each(['list', '.', '..', 'create', 'a b'])(
  'X26 what is no id and no number is not there: %s',
  async (id) => {
    for (const [tool, args] of [
      ['get_order', { id }],
      ['get_customer', { id }],
      ['get_subscription', { id }],
      ['explain_amount', { number: id }],
      ['refund_order', { id }],
      ['cancel_subscription', { id }],
    ] as const) {
      const told = await assistant.call(tool, args);
      expect([tool, told.isError, told.text]).toEqual([tool, true, expect.stringContaining('"not_found"')]);
    }
  },
);

it('X26 finds a payment that failed behind a hundred that wait', async () => {
  const account = { kind: 'manual', name: 'Bank', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
  await t.test.post('/v0/processors/connect', { ...account, holder: 'M', dueDays: 9 });
  const offerId = await makeOffer(t.test, { currency: 'EUR', taxBehavior: 'inclusive' });
  const { body } = await buy(t.test, { offersIds: [offerId], card: DECLINED });
  const transfer = async () => {
    const page = await openPage(t, `/checkout/${offerId}`);
    return page.submit({ card: undefined, payment: { option: 'transfer' } });
  };
  for (let made = 0; made < 100; made += 10)
    for (const { status } of await Promise.all(Array.from({ length: 10 }, transfer)))
      expect(status).toBe(200);
  const { data } = await assistant.call('find_failed_payments', {});
  expect(data).toMatchObject({
    payments: [{ number: body.data.payment.number, status: 'FAILED' }],
    truncated: false,
  });
});

it('X26 tells that nothing was kept of an order that was not paid', async () => {
  const { body } = await buy(t.test, { offersIds: [await makeOffer(t.test)], card: DECLINED });
  const { data } = await assistant.call('explain_amount', { number: body.data.order.number });
  expect(data).toMatchObject({ total: { minor: body.data.order.value }, kept: { minor: 0 } });
});
