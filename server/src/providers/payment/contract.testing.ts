/**
 * What every payment provider must keep, as tests: run by the sandbox's test file, and by that of each new
 * provider against its processor's own test cards.
 */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { assert } from '../../domain/assert.ts';
import { toCareful } from './careful-provider.ts';
import type {
  ChargeMethod,
  ChargeOutcome,
  ChargeRequest,
  PaymentProvider,
  ProviderScope,
} from './payment-provider.ts';
import { createTimeLimit } from './time-limit.ts';

export interface TestedProvider {
  provider: PaymentProvider;
  scope: ProviderScope;
  /** Another connection, which must see nothing of the first: its processor and its store. */
  other: { provider: PaymentProvider; scope: ProviderScope };
  nowMs: number;
  /** What its methods are called. */
  type?: string;
  /** Whether it has no cancelling: what is begun may then be neither stopped nor over. */
  mayRefuse?: boolean;
  methods: Record<'succeeding' | 'declining' | 'authenticating' | 'malformed', ChargeMethod>;
}

interface ProviderUnderTest extends TestedProvider {
  /** What the rows of our charges would name. */
  objects: Map<string, string>;
}

/** Registers the contract's tests; `make` runs once, before them. */
export function describePaymentProvider(name: string, make: () => Promise<TestedProvider>): void {
  describe(`${name} keeps the contract of payment providers`, () => {
    let under: ProviderUnderTest;
    beforeAll(async () => {
      const made = await make();
      under = { ...made, provider: toSafe(made.provider), objects: new Map() };
    });
    describeCharges(() => under);
    describeCancels(() => under);
    describeRefunds(() => under);
  });
}

function describeCharges(under: () => ProviderUnderTest): void {
  it('answers the same charge asked for twenty times at once with one and the same charge', async () => {
    const request = toRequest(under(), { amountMinor: 1999n });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => charge(under(), request)));
    const [first] = outcomes;
    const taken = {
      kind: 'succeeded',
      amountMinor: 1999n,
      currency: 'EUR',
      method: { type: under().type ?? 'card' },
    };
    expect(first).toMatchObject(taken);
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome, toText))).size).toBe(1);
    expect(await lookUp(under(), request.chargeId)).toEqual(first);
  });

  it('finds nothing of a charge that never came to it', async () => {
    expect(await lookUp(under(), randomUUID())).toEqual({ kind: 'absent' });
  });

  it('knows of no dispute of a charge that nobody disputes, or that never came to it', async () => {
    const { chargeId } = await take(under());
    for (const id of [chargeId, randomUUID()]) {
      const { provider, scope, nowMs } = under();
      expect(await provider.lookUpDisputes({ ...toReference(under(), id), scope, nowMs })).toEqual({
        ...{ kind: 'told', disputes: [], warnings: [], lookAgainAtMs: null },
      });
    }
  });

  it('shows nothing of a charge to another store', async () => {
    const { chargeId } = await take(under());
    const { provider, scope } = under().other;
    const elsewhere = { ...under(), provider: toSafe(provider), scope };
    expect(await lookUp(elsewhere, chargeId)).toEqual({ kind: 'absent' });
    expect(await refund(elsewhere, chargeId)).toMatchObject({ kind: 'failed' });
    expect(await cancel(elsewhere, chargeId)).toEqual({ kind: 'cancelled' });
    expect(await lookUp(under(), chargeId)).toMatchObject({ kind: 'succeeded' });
  });

  it('answers a decline as a value with a stable reason, and the same again', async () => {
    const request = toRequest(under(), { method: under().methods.declining });
    const outcome = await charge(under(), request);
    expect(outcome).toMatchObject({ kind: 'declined', reason: expect.stringMatching(/^[a-z_]+$/) });
    expect(await charge(under(), request)).toEqual(outcome);
    expect(await lookUp(under(), request.chargeId)).toEqual(outcome);
  });

  it('answers card details that can be no card as invalid and keeps nothing', async () => {
    const request = toRequest(under(), { method: under().methods.malformed });
    expect(await charge(under(), request)).toMatchObject({ kind: 'invalid' });
    expect(await lookUp(under(), request.chargeId)).toEqual({ kind: 'absent' });
  });

  it('keeps a method taken at 0, without a fee, and charges it again off-session', async () => {
    const taken = await charge(under(), toRequest(under(), { amountMinor: 0n }));
    assert(taken.kind === 'succeeded' && taken.storedReference, 'a card taken at 0 is kept');
    expect(taken.feeMinor).toBe(0n);
    const method: ChargeMethod = { kind: 'stored', reference: taken.storedReference };
    const renewal = await charge(under(), toRequest(under(), { method, offSession: true }));
    expect(renewal).toMatchObject({ kind: 'succeeded', method: taken.method });
  });

  it('tells where the buyer must go when an authentication is needed', async () => {
    const outcome = await charge(under(), toRequest(under(), { method: under().methods.authenticating }));
    expect(outcome).toMatchObject({
      kind: 'needs_action',
      action: { kind: expect.stringMatching(/^(redirect|asked)$/) },
    });
  });
}

function describeCancels(under: () => ProviderUnderTest): void {
  it('cancels a charge that waits for its buyer, and takes no money for it afterwards', async () => {
    const request = toRequest(under(), { method: under().methods.authenticating });
    await charge(under(), request);
    expect(await cancel(under(), request.chargeId)).toEqual({ kind: 'cancelled' });
    expect(await cancel(under(), request.chargeId)).toEqual({ kind: 'cancelled' });
    const afterwards = { kind: 'declined', reason: 'canceled' };
    expect(await charge(under(), request)).toMatchObject(afterwards);
    expect(await lookUp(under(), request.chargeId)).toMatchObject(afterwards);
    expect(await refund(under(), request.chargeId)).toMatchObject({ kind: 'failed' });
  });

  it('says that the money was taken when a cancel comes too late', async () => {
    const { chargeId, outcome } = await take(under());
    expect(await cancel(under(), chargeId)).toEqual({ kind: 'taken', outcome });
    expect(await lookUp(under(), chargeId)).toEqual(outcome);
  });

  it('makes one object of a charge that is prepared twenty times at once, and takes nothing by it', async () => {
    const request = toRequest(under(), {});
    const all = await Promise.all(Array.from({ length: 20 }, () => prepare(under(), request)));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await lookUp(under(), request.chargeId)).toEqual({ kind: 'absent' });
    expect(await refund(under(), request.chargeId)).toMatchObject({ kind: 'failed' });
  });

  it('takes no money for a charge that was cancelled before it came', async () => {
    const request = toRequest(under(), {});
    await prepare(under(), request);
    expect(await cancel(under(), request.chargeId)).toEqual({ kind: 'cancelled' });
    const refused = { kind: 'declined', reason: 'canceled' };
    expect(await charge(under(), request)).toMatchObject(refused);
    expect(await lookUp(under(), request.chargeId)).toMatchObject(refused);
    expect(await refund(under(), request.chargeId)).toMatchObject({ kind: 'failed' });
  });

  it('either takes or cancels a charge that comes while it is cancelled, never both', async () => {
    for (let count = 0; count < 20; count += 1) {
      const request = toRequest(under(), {});
      await prepare(under(), request);
      const [charged, cancelled] = await Promise.all([
        charge(under(), request),
        cancel(under(), request.chargeId),
      ]);
      const ends = [charged.kind, cancelled.kind].join(' ');
      const both = under().mayRefuse ? ['succeeded refused'] : [];
      expect(['succeeded taken', 'declined cancelled', ...both]).toContain(ends);
    }
  });
}

function describeRefunds(under: () => ProviderUnderTest): void {
  it('gives a refund asked for twenty times at once back once', async () => {
    const { chargeId } = await take(under(), 1000n);
    const refundId = randomUUID();
    const half = () => refund(under(), chargeId, { refundId, amountMinor: 500n });
    const outcomes = await Promise.all(Array.from({ length: 20 }, half));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome, toText))).size).toBe(1);
    expect(outcomes[0]).toMatchObject({ kind: 'succeeded' });
    expect(await refund(under(), chargeId, { amountMinor: 500n })).toMatchObject({ kind: 'succeeded' });
    expect(await half()).toEqual(outcomes[0]);
  });

  it('never gives back more than was taken, however many ask at once', async () => {
    const { chargeId } = await take(under(), 1000n);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => refund(under(), chargeId, { amountMinor: 100n })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'succeeded')).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === 'failed')).toHaveLength(10);
    expect(await refund(under(), chargeId, { amountMinor: 1n })).toMatchObject({ kind: 'failed' });
  });

  it('gives nothing back of a charge that was declined or never came to it', async () => {
    const request = toRequest(under(), { method: under().methods.declining });
    await charge(under(), request);
    expect(await refund(under(), request.chargeId)).toMatchObject({ kind: 'failed' });
    expect(await refund(under(), randomUUID())).toMatchObject({ kind: 'failed' });
  });
}

/** As every flow calls it; what it has no answer to is an error of the test. */
function toSafe(provider: PaymentProvider): PaymentProvider {
  return toCareful(() => provider, {
    limit: () => createTimeLimit(30_000),
    realNowMs: () => 0,
    onFailure: (error) => {
      throw error;
    },
  });
}

function toRequest(under: ProviderUnderTest, given: Partial<ChargeRequest>): ChargeRequest {
  return {
    scope: under.scope,
    chargeId: randomUUID(),
    amountMinor: 1000n,
    currency: 'EUR',
    customerReference: randomUUID(),
    method: under.methods.succeeding,
    offSession: false,
    purpose: 'purchase',
    facts: {
      keepsMethod: true,
      returnUrl: 'https://shop.example/checkout/1/return',
      orderNumber: 'CF-ABCD-1234',
      metadata: { cf_install: randomUUID(), cf_store: 'test' },
    },
    nowMs: under.nowMs,
    sendByRealMs: Number.POSITIVE_INFINITY,
    ...given,
  };
}

/** As our flows ask: where the kind makes an object first, its id is known before the charge is. */
async function charge(under: ProviderUnderTest, request: ChargeRequest): Promise<ChargeOutcome> {
  const prepared = await prepare(under, request);
  if (prepared.kind !== 'prepared') return prepared;
  return under.provider.charge({ ...request, processorId: prepared.processorId });
}

async function prepare({ provider, objects }: ProviderUnderTest, request: ChargeRequest) {
  if (!provider.prepare) return { kind: 'prepared' as const, processorId: null };
  const prepared = await provider.prepare(request);
  if (prepared.kind === 'prepared') objects.set(request.chargeId, prepared.processorId);
  return prepared;
}

function toReference({ scope, nowMs, objects }: ProviderUnderTest, chargeId: string) {
  const processorId = objects.get(chargeId) ?? null;
  return { scope, chargeId, processorId, nowMs };
}

async function take(under: ProviderUnderTest, amountMinor = 1000n) {
  const request = toRequest(under, { amountMinor });
  const outcome = await charge(under, request);
  expect(outcome.kind).toBe('succeeded');
  return { chargeId: request.chargeId, outcome };
}

function lookUp(under: ProviderUnderTest, chargeId: string) {
  const row = { purpose: 'purchase' as const, expectedByMs: null };
  return under.provider.lookUp({ ...toReference(under, chargeId), ...row });
}

function cancel(under: ProviderUnderTest, chargeId: string) {
  return under.provider.cancel(toReference(under, chargeId));
}

function refund(
  under: ProviderUnderTest,
  chargeId: string,
  given: { refundId?: string; amountMinor?: bigint } = {},
) {
  const asked = { refundId: randomUUID(), amountMinor: 100n, currency: 'EUR', ...given };
  return under.provider.refund({ ...toReference(under, chargeId), ...asked });
}

/** For JSON.stringify, which knows no bigint. */
function toText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
