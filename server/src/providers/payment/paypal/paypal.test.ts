/** PayPal keeps the contract, against its stand-in as a process of its own. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type PayPalDouble,
  pressAtPayPal,
  startPayPalDouble,
} from '../../../../test/support/paypal-double.ts';
import { assert } from '../../../domain/assert.ts';
import { describePaymentProvider } from '../contract.testing.ts';
import type { ChargeRequest, PaymentProvider, ProviderScope } from '../payment-provider.ts';
import type { Mark, Marked, MarkStore } from './marks.ts';
import { createPayPalKind } from './paypal.ts';

const NOW_MS = Date.parse('2026-11-02T10:00:00Z');
let double: PayPalDouble;

/** As the store keeps them; its own is tried with purchases. */
function keepMarks(): MarkStore {
  const kept = new Map<string, Mark>();
  const toKey = ({ connectionId, objectId }: Marked) => `${connectionId}:${objectId}`;
  return {
    find: async (of) => kept.get(toKey(of)) ?? null,
    put: async (of, state) => {
      const mark = kept.get(toKey(of)) ?? (state === 'begun' ? { state } : { state, refused: null });
      kept.set(toKey(of), mark);
      return mark;
    },
    close: async (of, refused) => void kept.set(toKey(of), { state: 'closed', refused }),
  };
}

interface Connected {
  provider: PaymentProvider;
  scope: ProviderScope;
}

async function connect(): Promise<Connected> {
  const { clientId, clientSecret } = await double.openAccount();
  const scope = { workspaceId: randomUUID(), testMode: true };
  const kind = createPayPalKind({
    apiUrl: 'http://127.0.0.1:1',
    sandboxApiUrl: double.apiUrl,
    timeoutMs: 20_000,
    realNowMs: () => 0,
    marks: keepMarks(),
  });
  const credentials = { clientId, clientSecret };
  return {
    scope,
    provider: kind.open({ id: randomUUID(), scope, kind: kind.name, details: {}, credentials }),
  };
}

function toRequest({ scope }: Connected, given: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    scope,
    chargeId: randomUUID(),
    amountMinor: 1234n,
    currency: 'EUR',
    customerReference: randomUUID(),
    method: { kind: 'redirect' },
    offSession: false,
    purpose: 'purchase',
    facts: {
      keepsMethod: false,
      returnUrl: 'https://shop.example/checkout/1/return',
      orderNumber: 'CF-ABCD-1234',
      metadata: {},
    },
    nowMs: NOW_MS,
    sendByRealMs: Number.POSITIVE_INFINITY,
    ...given,
  };
}

/** Sends the payer to PayPal: answers the id there, and what the charge is by then. */
async function begin({ provider }: Connected, request: ChargeRequest) {
  const prepared = await provider.prepare?.(request);
  assert(prepared?.kind === 'prepared', 'it is prepared');
  const { processorId } = prepared;
  const outcome = await provider.charge({ ...request, processorId });
  assert(outcome.kind === 'needs_action' && outcome.action.kind === 'redirect', 'its payer is asked');
  const reference = { ...request, processorId, expectedByMs: null };
  return { processorId, reference, url: outcome.action.url };
}

/** A payer who is kept without a payment. */
async function keepPayer(connected: Connected, answer: 'approve' | 'decline'): Promise<string> {
  const request = toRequest(connected, { amountMinor: 0n });
  const { processorId, url } = await begin(connected, request);
  await pressAtPayPal(url, answer);
  const kept = await connected.provider.charge({ ...request, processorId });
  assert(kept.kind === 'succeeded' && kept.storedReference, 'the payer is kept');
  return kept.storedReference;
}

beforeAll(async () => {
  double = await startPayPalDouble();
});
afterAll(() => double.close());

describe('P05', () => {
  describePaymentProvider('PayPal', async () => {
    const connected = await connect();
    const [good, bad] = await Promise.all([keepPayer(connected, 'approve'), keepPayer(connected, 'decline')]);
    return {
      ...connected,
      other: await connect(),
      nowMs: NOW_MS,
      type: 'paypal',
      mayRefuse: true,
      methods: {
        succeeding: { kind: 'stored', reference: good },
        declining: { kind: 'stored', reference: bad },
        authenticating: { kind: 'redirect' },
        malformed: { kind: 'card', number: '4242', expiry: '1', cvc: null, holder: null },
      },
    };
  });
});

describe('P44 a payment by PayPal', () => {
  it('is taken once its payer has approved it, and keeps the payer where that was asked', async () => {
    const connected = await connect();
    const asked = toRequest(connected);
    const request = { ...asked, facts: asked.facts && { ...asked.facts, keepsMethod: true } };
    const { reference, url } = await begin(connected, request);
    expect(await connected.provider.lookUp(reference)).toMatchObject({ kind: 'needs_action' });
    expect(await pressAtPayPal(url, 'approve')).toContain('https://shop.example/checkout/1/return?token=');
    expect(await connected.provider.lookUp(reference)).toMatchObject({ kind: 'ready' });
    const taken = await connected.provider.charge({ ...request, processorId: reference.processorId });
    expect(taken).toMatchObject({
      ...{ kind: 'succeeded', amountMinor: 1234n, currency: 'EUR', feeMinor: 66n, cardCountry: 'DE' },
      storedReference: expect.stringMatching(/^paypal_/),
    });
    expect(await connected.provider.lookUp(reference)).toEqual(taken);
  });

  it('is declined for good where the payer\u2019s money is', async () => {
    const connected = await connect();
    const request = toRequest(connected);
    const { reference, url } = await begin(connected, request);
    await pressAtPayPal(url, 'decline');
    const declined = { kind: 'declined', decline: 'soft', reason: 'instrument_declined' };
    const again = { ...request, processorId: reference.processorId };
    expect(await connected.provider.charge(again)).toMatchObject(declined);
    expect(await connected.provider.charge(again)).toMatchObject(declined);
    expect(await connected.provider.lookUp(reference)).toMatchObject(declined);
  });

  it('waits for a bank, and is taken or declined by it', async () => {
    const connected = await connect();
    for (const [verb, end] of [
      ['settle', { kind: 'succeeded', amountMinor: 1234n }],
      ['fail', { kind: 'declined', decline: 'soft' }],
    ] as const) {
      const request = toRequest(connected);
      const { reference, url, processorId } = await begin(connected, request);
      await pressAtPayPal(url, 'approve', 'bank');
      expect(await connected.provider.charge({ ...request, processorId })).toMatchObject({
        kind: 'pending',
        expectedByMs: expect.any(Number),
      });
      expect(await connected.provider.cancel(reference)).toEqual({ kind: 'refused' });
      await double.control(`POST /objects/${processorId}/${verb}`, {});
      expect(await connected.provider.lookUp(reference)).toMatchObject(end);
    }
  });

  it('is not approved any more once it was cancelled, and not taken though it is', async () => {
    const connected = await connect();
    const request = toRequest(connected);
    const { reference, url, processorId } = await begin(connected, request);
    expect(await connected.provider.cancel(reference)).toEqual({ kind: 'cancelled' });
    await pressAtPayPal(url, 'approve');
    expect(await connected.provider.charge({ ...request, processorId })).toMatchObject({ kind: 'declined' });
    expect(await connected.provider.lookUp(reference)).toMatchObject({ kind: 'declined' });
  });

  it('asks a kept payer who must confirm, and stops at one whose agreement is over', async () => {
    const connected = await connect();
    const reference = await keepPayer(connected, 'approve');
    const vaultId = reference.replace('paypal_', '');
    const renew = async () => {
      const request = toRequest(connected, {
        ...{ method: { kind: 'stored', reference }, offSession: true, purpose: 'renewal' },
      });
      const prepared = await connected.provider.prepare?.(request);
      assert(prepared?.kind === 'prepared', 'it is prepared');
      return connected.provider.charge({ ...request, processorId: prepared.processorId });
    };
    await double.control(`POST /objects/${vaultId}/update`, { authenticate: true });
    expect(await renew()).toMatchObject({ kind: 'declined', decline: 'authentication' });
    await double.control(`POST /objects/${vaultId}/update`, { deleted: true });
    expect(await renew()).toMatchObject({ kind: 'declined', decline: 'hard', reason: 'token_id_not_found' });
  });

  it('tells of a dispute and how it ends', async () => {
    const connected = await connect();
    const request = toRequest(connected);
    const { reference, url, processorId } = await begin(connected, request);
    await pressAtPayPal(url, 'approve');
    await connected.provider.charge({ ...request, processorId });
    const look = () => connected.provider.lookUpDisputes(reference);
    const act = (stage: string) => double.control(`POST /objects/${processorId}/dispute`, { stage });
    await act('inquiry');
    const told = (stage: string) => ({ kind: 'told', disputes: [{ stage }] });
    expect(await look()).toMatchObject(told('inquiry'));
    await act('open');
    const disputed = { amountMinor: 1234n, currency: 'EUR' };
    expect(await look()).toMatchObject({ disputes: [{ stage: 'open', disputed }] });
    await act('lost');
    expect(await look()).toMatchObject({ ...told('lost'), lookAgainAtMs: null });
  });

  it('tells how much of a dispute was lost, and takes an end that it does not know for none', async () => {
    const connected = await connect();
    const request = toRequest(connected);
    const { reference, url, processorId } = await begin(connected, request);
    await pressAtPayPal(url, 'approve');
    await connected.provider.charge({ ...request, processorId });
    await double.control(`POST /objects/${processorId}/dispute`, { stage: 'lost' });
    const lookAt = async (dispute_outcome: object) => {
      const match = { path: '/v1/customer/disputes/*' };
      const { id } = await double.control('POST /faults', { match, do: { set: { dispute_outcome } } });
      const told = await connected.provider.lookUpDisputes(reference);
      await double.control(`DELETE /faults/${id}`);
      return told.kind === 'told' ? told.disputes : [];
    };
    const amount_refunded = { currency_code: 'EUR', value: '5.00' };
    expect(await lookAt({ outcome_code: 'RESOLVED_BUYER_FAVOUR', amount_refunded })).toMatchObject([
      { stage: 'lost', disputed: { amountMinor: 500n, currency: 'EUR' } },
    ]);
    const stages = { DENIED: 'won', CANCELED_BY_BUYER: 'won', ACCEPTED: 'lost', NEW_WORD: 'open' };
    for (const [outcome_code, stage] of Object.entries(stages))
      expect([outcome_code, (await lookAt({ outcome_code }))[0]?.stage]).toEqual([outcome_code, stage]);
  });

  it('has one token asked for by all who need one at once, also behind one that was taken back', async () => {
    const connected = await connect();
    const countAsked = async () => {
      const lines = await double.control<Array<{ path: string }>>('GET /journal');
      return lines.filter(({ path }) => path === '/v1/oauth2/token').length;
    };
    const askAll = () => Promise.all(Array.from({ length: 8 }, () => connected.provider.check?.()));
    const before = await countAsked();
    await askAll();
    expect(await countAsked()).toBe(before + 1);
    const match = { path: '/v1/notifications/webhooks' };
    await double.control('POST /faults', { match, do: { status: 401 }, times: 8 });
    await askAll();
    expect(await countAsked()).toBe(before + 2);
  });

  it('follows a refund that waits', async () => {
    const connected = await connect();
    const request = toRequest(connected);
    const { reference, url, processorId } = await begin(connected, request);
    await pressAtPayPal(url, 'approve');
    await connected.provider.charge({ ...request, processorId });
    const asked = { ...reference, refundId: randomUUID(), amountMinor: 100n, currency: 'EUR' };
    const made = await connected.provider.refund(asked);
    assert(made.kind === 'succeeded', 'it is given back');
    await double.control(`POST /objects/${made.processorId}/fail`, {});
    // It is looked for before it is asked for, so that what has become of it is told.
    expect(await connected.provider.refund(asked)).toMatchObject({ kind: 'failed' });
  });
});
