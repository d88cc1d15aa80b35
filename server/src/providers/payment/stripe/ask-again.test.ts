/** Stripe keeps a failure of its own under the key of the call that met it: what comes later takes another key. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type StripeAccount,
  type StripeDouble,
  startStripeDouble,
} from '../../../../test/support/stripe-double.ts';
import { createStripeClient, type StripeClient } from './client.ts';
import { cancelIntent, confirmIntent, createIntent } from './intents.ts';

/** More than the keys that one try goes through would last for. */
const TRIES = 3;
let double: StripeDouble;
let account: StripeAccount;
let client: StripeClient;

beforeAll(async () => {
  double = await startStripeDouble();
  account = await double.openAccount();
  client = createStripeClient(account.secretKey, {
    ...{ apiUrl: double.apiUrl, timeoutMs: 10_000, realNowMs: () => 0 },
  });
});
afterAll(() => double.close());

const sendByRealMs = Number.POSITIVE_INFINITY;

function prepare(chargeId: string): Promise<string> {
  return createIntent(client, {
    ...{ chargeId, amount: 1234, currency: 'eur', types: ['card'], customer: null, keepsMethod: false },
    ...{ metadata: { cf_charge: chargeId }, statementSuffix: null, sendByRealMs },
  });
}

const confirm = (chargeId: string, id: string) =>
  confirmIntent(client, { id, chargeId, params: { payment_method: 'pm_card_visa' }, sendByRealMs });

/** Fails whatever is asked for so, without doing it, and then no more. */
async function failing(path: string, work: () => Promise<unknown>, times?: number): Promise<void> {
  const { id } = await double.control('POST /faults', {
    match: { account: account.id, method: 'POST', path },
    do: { status: 500, effect: false },
    ...(times === undefined ? {} : { times }),
  });
  await work();
  await double.control(`DELETE /faults/${String(id)}`);
}

/** As the looks do while it lasts. */
async function again(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1)
    await expect(work()).rejects.toMatchObject({ kind: 'unknown', facts: { status: 500 } });
}

it('a cancelling that failed once is done by the next call', async () => {
  const id = await prepare(randomUUID());
  await failing(
    '/v1/payment_intents/*/cancel',
    async () => expect((await cancelIntent(client, id))?.status).toBe('canceled'),
    1,
  );
});

it('each call that has failed for hours is done once Stripe is well again', async () => {
  const chargeId = randomUUID();
  await failing('/v1/payment_intents', () => again(() => prepare(chargeId)));
  const id = await prepare(chargeId);
  await failing('/v1/payment_intents/*/confirm', () => again(() => confirm(chargeId, id)));
  expect(await confirm(chargeId, id)).toMatchObject({ id, status: 'succeeded' });
  const left = await prepare(randomUUID());
  await failing('/v1/payment_intents/*/cancel', () => again(() => cancelIntent(client, left)));
  expect((await cancelIntent(client, left))?.status).toBe('canceled');
  const { charges } = await double.control<{ charges: Record<string, { taken: number }> }>(
    `GET /books?account=${account.id}`,
  );
  expect(charges[chargeId]?.taken).toBe(1234);
});
