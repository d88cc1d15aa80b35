import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaymentProvider, PreparedRequest, RefundRequest } from './payment-provider.ts';
import { createPaymentProviders } from './registry.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

const LIMIT_MS = 8_000;
const scope = { workspaceId: '01985a8e-0000-7000-8000-000000000001', testMode: true };
const reference = {
  scope,
  chargeId: '01985a8e-0000-7000-8000-000000000002',
  ...{ processorId: null, purpose: 'purchase' as const, expectedByMs: null, nowMs: 0 },
} as const;
const calls = {
  charge: (provider: PaymentProvider) => provider.charge(reference as unknown as PreparedRequest),
  lookUp: (provider: PaymentProvider) => provider.lookUp(reference),
  cancel: (provider: PaymentProvider) => provider.cancel(reference),
  refund: (provider: PaymentProvider) => provider.refund(reference as unknown as RefundRequest),
  lookUpDisputes: (provider: PaymentProvider) => provider.lookUpDisputes(reference),
};
const withoutAnswer = {
  charge: { kind: 'unknown', lookAgainAtMs: null },
  lookUp: { kind: 'no_answer' },
  cancel: { kind: 'unknown' },
  refund: { kind: 'unknown', lookAgainAtMs: null },
  lookUpDisputes: { kind: 'no_answer' },
};
const names = Object.keys(calls) as Array<keyof typeof calls>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A processor each of whose calls does the same. */
function open(call: () => Promise<never>) {
  const failures: unknown[] = [];
  const provider = Object.fromEntries(names.map((name) => [name, call]));
  const providers = createPaymentProviders({
    sandbox: { name: 'sandbox', ...provider } as unknown as Sandbox,
    kinds: [],
    timeoutMs: LIMIT_MS,
    realNowMs: () => 0,
    onFailure: (error) => failures.push(error),
  });
  const find = (from: typeof providers) => from.openSandbox();
  return { failures, providers, find };
}

it('a charge that is refused as no right call is unknown by a fault of ours', async () => {
  const { providers, find } = open(() => Promise.reject(Object.assign(new Error('no'), { kind: 'refused' })));
  expect(await calls.charge(find(providers))).toEqual({ ...withoutAnswer.charge, isOurFault: true });
  expect(await calls.refund(find(providers))).toEqual(withoutAnswer.refund);
});

describe.each(names)('%s', (name) => {
  it('that throws has an outcome that is no failure, and is told of', async () => {
    const { failures, providers, find } = open(() => Promise.reject(new Error('connection reset')));
    expect(await calls[name](find(providers))).toEqual(withoutAnswer[name]);
    expect(failures).toMatchObject([{ message: 'connection reset' }]);
  });

  it('that throws at once, before it has become a promise, has it too', async () => {
    const { providers, find } = open(() => {
      throw new TypeError('not a function');
    });
    expect(await calls[name](find(providers))).toEqual(withoutAnswer[name]);
  });

  it('that never ends is waited for no longer than its limit', async () => {
    const { failures, providers, find } = open(() => new Promise(() => {}));
    const asked = calls[name](find(providers));
    await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
    expect(failures).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await asked).toEqual(withoutAnswer[name]);
    expect(failures).toHaveLength(1);
  });
});

describe('T04 the limit', () => {
  it('covers all calls of one answer together', async () => {
    const { providers, find } = open(() => new Promise(() => {}));
    const provider = find(providers.forOneAnswer());
    const first = calls.cancel(provider);
    await vi.advanceTimersByTimeAsync(LIMIT_MS);
    await first;
    // Nothing is sent any more, and nothing waited for.
    expect(await calls.charge(provider)).toEqual(withoutAnswer.charge);
  });

  it('begins anew with each answer, and with each call of a job', async () => {
    const { failures, providers, find } = open(() => new Promise(() => {}));
    for (const next of [providers.forOneAnswer(), providers.forOneAnswer(), providers, providers]) {
      const asked = calls.lookUp(find(next));
      await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
      const before = failures.length;
      await vi.advanceTimersByTimeAsync(1);
      await asked;
      expect(failures.length).toBe(before + 1);
    }
  });
});
