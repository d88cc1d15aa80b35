/** What the control port makes go wrong, as a caller sees it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Double } from '../src/start.ts';
import {
  type Client,
  control,
  linkOf,
  openAccount,
  press,
  start,
  toClient,
  toOrder,
} from './support/stand-in.ts';

let double: Double;
let paypal: Client;
beforeAll(async () => {
  double = await start();
  paypal = toClient(double, await openAccount(double));
});
afterAll(() => double.close());

async function approved() {
  const { body: order } = await paypal('POST /v2/checkout/orders', toOrder('12.34'));
  await press(linkOf(order, 'payer-action'), 'approve', 'balance');
  return order.id as string;
}

describe('faults', () => {
  it('lose an answer after its effect, and repeat under the same request id', async () => {
    const id = await approved();
    await control(double, 'POST /faults', {
      match: { path: '/v2/checkout/orders/*/capture', metadata: { custom_id: 'charge_1' } },
      do: { drop: 'after' },
      times: 1,
    });
    const key = { 'paypal-request-id': randomUUID() };
    await expect(paypal(`POST /v2/checkout/orders/${id}/capture`, {}, key)).rejects.toThrow();
    expect((await paypal(`GET /v2/checkout/orders/${id}`)).body.status).toBe('COMPLETED');
  });

  it('answer a status behind the effect, and so the repetition under the same request id', async () => {
    const id = await approved();
    const { id: fault } = await control<{ id: string }>(double, 'POST /faults', {
      match: { path: '/v2/checkout/orders/*/capture' },
      ...{ do: { status: 503, effect: true }, times: 1 },
    });
    const key = { 'paypal-request-id': randomUUID() };
    const capture = async () => (await paypal(`POST /v2/checkout/orders/${id}/capture`, {}, key)).status;
    expect([await capture(), await capture()]).toEqual([503, 503]);
    await control(double, `DELETE /faults/${fault}`);
    expect(await capture()).toBe(200);
    expect((await paypal(`GET /v2/checkout/orders/${id}`)).body.status).toBe('COMPLETED');
  });

  it('answer a status without an effect', async () => {
    const id = await approved();
    const { id: fault } = await control<{ id: string }>(double, 'POST /faults', {
      match: { path: '/v2/checkout/orders/*/capture' },
      do: { status: 500 },
    });
    expect((await paypal(`POST /v2/checkout/orders/${id}/capture`, {})).status).toBe(500);
    await control(double, `DELETE /faults/${fault}`);
    expect((await paypal(`GET /v2/checkout/orders/${id}`)).body.status).toBe('APPROVED');
  });
});
