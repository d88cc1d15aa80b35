/** Stripe keeps the contract, against its stand-in as a process of its own. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StripeDouble, startStripeDouble } from '../../../../test/support/stripe-double.ts';
import { describePaymentProvider } from '../contract.testing.ts';
import type { ChargeMethod, PaymentProvider, ProviderScope } from '../payment-provider.ts';
import type { CustomerStore, OfCustomer } from './customers.ts';
import { createStripeKind, toSuffix } from './stripe.ts';

const NOW_MS = Date.parse('2026-11-02T10:00:00Z');
let double: StripeDouble;

/** As the store keeps them; its own is tried with purchases. */
function keepCustomers(): CustomerStore {
  const kept = new Map<string, string>();
  const toKey = ({ connectionId, userId }: OfCustomer) => `${connectionId}:${userId}`;
  return {
    find: async (of) => kept.get(toKey(of)) ?? null,
    keep: async (of, id) => {
      if (!kept.has(toKey(of))) kept.set(toKey(of), id);
      return kept.get(toKey(of)) ?? id;
    },
    replace: async (of, gone, id) => {
      if (kept.get(toKey(of)) === gone) kept.set(toKey(of), id);
      return kept.get(toKey(of)) ?? id;
    },
  };
}

async function connect(): Promise<{ provider: PaymentProvider; scope: ProviderScope }> {
  const account = await double.openAccount();
  const scope = { workspaceId: randomUUID(), testMode: true };
  const kind = createStripeKind({
    apiUrl: double.apiUrl,
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
    timeoutMs: 20_000,
    realNowMs: () => 0,
    customers: keepCustomers(),
  });
  const credentials = { secretKey: account.secretKey, publishableKey: account.publishableKey };
  const id = randomUUID();
  return { scope, provider: kind.open({ id, scope, kind: kind.name, details: {}, credentials }) };
}

const token = (reference: string): ChargeMethod => ({
  ...{ kind: 'token' as const, reference, types: ['card'], isInPage: false },
});

beforeAll(async () => {
  double = await startStripeDouble();
});
afterAll(() => double.close());

describe('P05', () => {
  describePaymentProvider('Stripe', async () => ({
    ...(await connect()),
    other: await connect(),
    nowMs: NOW_MS,
    methods: {
      succeeding: token('pm_card_visa'),
      declining: token('pm_card_visa_chargeDeclinedInsufficientFunds'),
      authenticating: token('pm_card_authenticationRequired'),
      malformed: token('4242424242424242'),
    },
  }));
});

describe('the suffix on a statement', () => {
  it('is the end of the order number that fits beside the prefix', () => {
    expect(toSuffix('CF-ABCD-1234', '')).toBe('CF-ABCD-1234');
    expect(toSuffix('CF-ABCD-1234', 'SHOP* ')).toBe('CF-ABCD-1234');
    expect(toSuffix('CF-ABCD-1234', 'A LONGER SHOP* ')).toBeNull();
    expect(toSuffix('1234', '')).toBeNull();
  });
});
