/** What the stand-in says of calls that it takes none of, where Stripe's documentation leaves the words open. */
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Double } from '../src/start.ts';
import { openAccount, start, toClient } from './support/stand-in.ts';

let double: Double;
let stripe: Stripe;

beforeAll(async () => {
  double = await start();
  stripe = toClient(double, (await openAccount(double)).secretKey);
});
afterAll(() => double.close());

it('names both endpoints where a key comes again at another', async () => {
  const how = { idempotencyKey: randomUUID() };
  await stripe.customers.create({}, how);
  await expect(stripe.setupIntents.create({}, how)).rejects.toThrow(
    "('/v1/customers' vs '/v1/setup_intents')",
  );
});

it('names what a page was to start after', async () => {
  const list = stripe.paymentIntents.list({ ending_before: 'pi_none' });
  await expect(list).rejects.toMatchObject({
    message: "No such payment_intent: 'pi_none'",
    param: 'ending_before',
  });
});

it('refuses a payment whose capture waits, instead of taking it at once', async () => {
  const made = stripe.paymentIntents.create({ amount: 1000, currency: 'eur', capture_method: 'manual' });
  await expect(made).rejects.toMatchObject({ statusCode: 400, param: 'capture_method' });
});
