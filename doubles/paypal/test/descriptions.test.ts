import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Double } from '../src/start.ts';
import { COMPARED, type Digest, findDifferences, toDigest } from './support/digest.ts';
import {
  CONTEXT,
  control,
  type Keys,
  linkOf,
  openAccount,
  press,
  start,
  toClient,
  toOrder,
} from './support/stand-in.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FOLDER = process.env.PROCESSOR_DATA ?? `${ROOT}../shared/processors`;
const digests = JSON.parse(
  readFileSync(new URL('descriptions.digest.json', import.meta.url), 'utf8'),
) as Record<string, Digest>;

let double: Double;
let keys: Keys;
beforeAll(async () => {
  double = await start();
  keys = await openAccount(double);
});
afterAll(() => double.close());

async function makeAll(): Promise<Record<string, unknown>> {
  const paypal = toClient(double, keys);
  const vault = { attributes: { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } } };
  const { body: asked } = await paypal('POST /v2/checkout/orders', toOrder('50.00', {}, vault));
  await press(linkOf(asked, 'payer-action'), 'approve');
  const { body: order } = await paypal(`POST /v2/checkout/orders/${asked.id}/capture`, {});
  const [capture] = order.purchase_units[0].payments.captures;
  const part = { amount: { currency_code: 'EUR', value: '1.00' }, note_to_payer: 'Sorry' };
  const { body: refund } = await paypal(`POST /v2/payments/captures/${capture.id}/refund`, part);
  const setup = await paypal('POST /v3/vault/setup-tokens', {
    payment_source: { paypal: { usage_type: 'MERCHANT', experience_context: CONTEXT } },
  });
  await press(linkOf(setup.body, 'approve'), 'approve');
  const token = { payment_source: { token: { id: setup.body.id, type: 'SETUP_TOKEN' } } };
  const webhook = await paypal('POST /v1/notifications/webhooks', {
    url: 'https://shop.example/hook',
    event_types: [{ name: 'PAYMENT.CAPTURE.DENIED' }],
  });
  const dispute = await control(double, `POST /objects/${capture.id}/dispute`, { stage: 'lost' });
  await control(double, 'POST /clock', { byMs: 4 * 3_600_000 });
  const days = 'start_date=2026-11-01T00:00:00Z&end_date=2026-11-04T00:00:00Z';
  return {
    order,
    capture: (await paypal(`GET /v2/payments/captures/${capture.id}`)).body,
    refund,
    dispute,
    webhook: webhook.body,
    event: (await paypal('GET /v1/notifications/webhooks-events')).body.events[0],
    setup_token: (await paypal(`GET /v3/vault/setup-tokens/${setup.body.id}`)).body,
    payment_token: (await paypal('POST /v3/vault/payment-tokens', token)).body,
    transactions: (await paypal(`GET /v1/reporting/transactions?${days}`)).body,
    balances: (await paypal('GET /v1/reporting/balances')).body,
  };
}

describe("P46 PayPal's published descriptions", () => {
  it('hold for every field that they know', async () => {
    const made = await makeAll();
    expect(Object.keys(made).sort()).toEqual(Object.keys(COMPARED).sort());
    for (const [name, value] of Object.entries(made))
      expect({ [name]: findDifferences(digests[name] ?? {}, value) }).toEqual({ [name]: [] });
  });

  it('are those of the digest, wherever they are at hand', () => {
    for (const [name, [file, schema]] of Object.entries(COMPARED)) {
      const path = `${FOLDER}/${file}`;
      // Published data is no part of the project: the digest stands for it where it is not there.
      const source = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).components.schemas : null;
      const own = digests[name] ?? {};
      expect(Object.keys(own).length).toBeGreaterThan(3);
      if (source) expect(toDigest(source, schema)).toEqual(own);
    }
  });
});
