import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type StripeAccount,
  type StripeDouble,
  startStripeDouble,
} from '../../../../test/support/stripe-double.ts';
import { createStripeClient, STRIPE_API_VERSION, type StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';

const NOW_MS = 1_000_000;
let double: StripeDouble;
let account: StripeAccount;
let client: StripeClient;

beforeAll(async () => {
  double = await startStripeDouble();
  account = await double.openAccount();
  client = open(account.secretKey);
});
afterAll(() => double.close());

function open(secretKey: string): StripeClient {
  return createStripeClient(secretKey, { apiUrl: double.apiUrl, timeoutMs: 10_000, realNowMs: () => NOW_MS });
}

async function failureOf(call: Promise<unknown>): Promise<StripeFailure> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof StripeFailure)) throw new Error(`not a failure: ${String(error)}`);
  return error;
}

const createCustomer = (metadata: Record<string, string>, how = {}) =>
  client.ask((sdk, options) => sdk.customers.create({ metadata }, options), how);

async function faulting(doing: object, call: () => Promise<unknown>): Promise<StripeFailure> {
  const { id } = await double.control('POST /faults', { match: { account: account.id }, do: doing });
  const failure = await failureOf(call());
  await double.control(`DELETE /faults/${String(id)}`);
  return failure;
}

describe('the client of Stripe', () => {
  it('asks with the pinned version and repeats a call by its key', async () => {
    const first = await createCustomer({ cf: '1' }, { key: 'one' });
    expect(first.lastResponse.apiVersion).toBe(STRIPE_API_VERSION);
    expect((await createCustomer({ cf: '1' }, { key: 'one' })).id).toBe(first.id);
  });

  it('lets the SDK keep no stack of a call, and everybody else theirs', async () => {
    let frames: number | undefined;
    await client.ask((sdk, options) => {
      frames = Error.stackTraceLimit;
      return sdk.customers.create({}, options);
    });
    expect(frames).toBe(0);
    expect(Error.stackTraceLimit).toBeGreaterThan(0);
  });

  it('sends nothing any more once it is too late', async () => {
    const sent = () => double.control<{ calls: unknown[] }>(`GET /books?account=${account.id}`);
    const before = await sent();
    const failure = await failureOf(createCustomer({}, { sendByRealMs: NOW_MS }));
    expect(failure.kind).toBe('too_late');
    expect(await sent()).toEqual(before);
    await createCustomer({}, { sendByRealMs: NOW_MS + 1 });
  });

  it('makes one client of the SDK for calls that come one after the other, and others for those at once', async () => {
    const own = open(account.secretKey);
    const used = new Set<object>();
    const ask = (sendByRealMs: number) =>
      own.ask(
        (sdk, options) => {
          used.add(sdk);
          return sdk.customers.create({}, options);
        },
        { sendByRealMs },
      );
    for (let count = 0; count < 5; count += 1) await ask(NOW_MS + 1);
    expect(used.size).toBe(1);
    // Each is sent, or not, by its own time.
    const times = Array.from({ length: 10 }, (_, index) => NOW_MS + (index % 2));
    const ends = await Promise.allSettled(times.map(ask));
    expect(ends.map(({ status }) => status)).toEqual(
      times.map((time) => (time > NOW_MS ? 'fulfilled' : 'rejected')),
    );
    expect(used.size).toBe(10);
  });

  it.each([
    [{ drop: 'after' }, 'unknown'],
    [{ cut: true }, 'unknown'],
    [{ html: true }, 'unknown'],
    [{ status: 500 }, 'unknown'],
    [{ status: 503, effect: true }, 'unknown'],
    [{ status: 409, code: 'idempotency_key_in_use' }, 'unknown'],
    [{ status: 429, code: 'lock_timeout' }, 'unknown'],
    [{ status: 429, code: 'rate_limit' }, 'limited'],
    [{ status: 401 }, 'locked_out'],
    [{ status: 403 }, 'locked_out'],
  ])('takes %o for %s', async (doing, kind) => {
    expect((await faulting(doing, () => createCustomer({}))).kind).toBe(kind);
  });

  it('takes the same key with other parameters for our own fault, and for unknown', async () => {
    await createCustomer({ cf: 'a' }, { key: 'two' });
    const failure = await failureOf(createCustomer({ cf: 'b' }, { key: 'two' }));
    expect(failure).toMatchObject({
      kind: 'unknown',
      facts: { type: 'StripeIdempotencyError', status: 400 },
    });
  });

  it('names the parameter that is wrong, and what is not there', async () => {
    const wrong = client.ask((sdk, options) =>
      sdk.paymentIntents.create({ amount: 1000, currency: 'eur', customer: 'cus_none' }, options),
    );
    expect(await failureOf(wrong)).toMatchObject({ kind: 'refused', facts: { param: 'customer' } });
    const missing = client.ask((sdk, options) => sdk.paymentIntents.retrieve('pi_none', {}, options));
    expect(await failureOf(missing)).toMatchObject({ kind: 'missing', facts: { code: 'resource_missing' } });
  });

  it('keeps nothing of a refusal that could be a secret', async () => {
    const declined = client.ask((sdk, options) =>
      sdk.paymentIntents.create(
        {
          ...{
            amount: 1000,
            currency: 'eur',
            confirm: true,
            payment_method: 'pm_card_visa_chargeDeclinedLostCard',
          },
          ...{ allowed_payment_method_types: ['card'], return_url: 'https://shop.example' },
        },
        options,
      ),
    );
    const failure = await failureOf(declined);
    expect(failure).toMatchObject({ kind: 'declined', facts: { declineCode: 'lost_card', status: 402 } });
    expect(Object.keys(failure)).toEqual(expect.arrayContaining(['kind', 'facts']));
    const told = JSON.stringify({ ...failure, message: failure.message, cause: failure.cause ?? null });
    expect(told).not.toMatch(/client_secret|_secret_|payment_intent"|pi_|pm_/);
    const strange = await failureOf(open('sk_test_secretsecretsecret').ask((sdk) => sdk.balance.retrieve()));
    expect(strange.kind).toBe('locked_out');
    expect(`${strange.message}${strange.stack}`).not.toContain('sk_test');
  });
});
