/** Where disputes stand, against the stand-in as a process of its own. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StripeDouble, startStripeDouble } from '../../../../test/support/stripe-double.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { createStripeKind } from './stripe.ts';

const NOW_MS = 1_800_000_000_000;
const DAY_MS = 86_400_000;
let double: StripeDouble;
let provider: PaymentProvider;
const scope = { workspaceId: randomUUID(), testMode: true };

beforeAll(async () => {
  double = await startStripeDouble();
  const { secretKey, publishableKey } = await double.openAccount();
  const kind = createStripeKind({
    apiUrl: double.apiUrl,
    scriptUrl: 'https://js.stripe.com/endive/stripe.js',
    timeoutMs: 20_000,
    realNowMs: () => 0,
    customers: {
      find: async () => null,
      keep: async (_of, id) => id,
      replace: async (_of, _gone, id) => id,
    },
  });
  const credentials = { secretKey, publishableKey };
  provider = kind.open({ id: randomUUID(), scope, kind: kind.name, details: {}, credentials });
});
afterAll(() => double.close());

/** A charge of 19.99 that has succeeded. */
async function charge() {
  const chargeId = randomUUID();
  const request = {
    ...{
      scope,
      chargeId,
      amountMinor: 1999n,
      currency: 'EUR',
      customerReference: randomUUID(),
      nowMs: NOW_MS,
    },
    method: { kind: 'token' as const, reference: 'pm_card_visa', types: ['card'], isInPage: false },
    ...{ offSession: false, purpose: 'purchase' as const, facts: null, sendByRealMs: 1 },
  };
  const prepared = await provider.prepare?.(request);
  if (prepared?.kind !== 'prepared') throw new Error(`it was ${prepared?.kind}`);
  const { processorId } = prepared;
  expect((await provider.charge({ ...request, processorId })).kind).toBe('succeeded');
  return { scope, chargeId, processorId, nowMs: NOW_MS };
}

it('P40 a charge that nobody disputes has none', async () => {
  const none = { kind: 'told', disputes: [], warnings: [], lookAgainAtMs: null };
  expect(await provider.lookUpDisputes(await charge())).toEqual(none);
});

it('P40 an inquiry takes nothing, and may become a dispute of a part', async () => {
  const reference = await charge();
  const dispute = (stage: string, more = {}) =>
    double.control(`POST /objects/${reference.processorId}/dispute`, { stage, ...more });
  await dispute('inquiry', { reason: 'product_not_received' });
  const lookAgainAtMs = NOW_MS + DAY_MS;
  expect(await provider.lookUpDisputes(reference)).toMatchObject({
    disputes: [
      {
        stage: 'inquiry',
        reason: 'product_not_received',
        evidenceDueAtMs: expect.any(Number),
        processorUrl: expect.stringMatching(/^https:\/\/dashboard\.stripe\.com\/test\/disputes\/du_/),
        evidence: { submitted: false, pastDue: false },
      },
    ],
    lookAgainAtMs,
  });
  await dispute('open', { amount: 500 });
  const disputed = { amountMinor: 500n, currency: 'EUR' };
  const told = (stage: string) => ({ disputes: [{ stage, disputed }] });
  expect(await provider.lookUpDisputes(reference)).toMatchObject({ ...told('open'), lookAgainAtMs });
  await dispute('lost');
  expect(await provider.lookUpDisputes(reference)).toMatchObject({ ...told('lost'), lookAgainAtMs: null });
});

it.each(['won', 'lost'])('P40 one that is %s says so', async (stage) => {
  const reference = await charge();
  await double.control(`POST /objects/${reference.processorId}/dispute`, { stage });
  const disputed = { amountMinor: 1999n, currency: 'EUR' };
  expect(await provider.lookUpDisputes(reference)).toMatchObject({ disputes: [{ stage, disputed }] });
});
