/** A connection over which nothing is sent now: it is paused, or its account does not let us in. */
import { isUnprepared } from './careful-provider.ts';
import type { PaymentProvider } from './payment-provider.ts';

const UNKNOWN = { kind: 'unknown' as const, lookAgainAtMs: null };

/**
 * What would move money stays as it is, unknown, and is asked for again. Of one that is merely paused what was charged is
 * looked after; one that lets nobody in is not asked but by `check`.
 */
export function toHalted(
  provider: PaymentProvider,
  { isLockedOut }: { isLockedOut: boolean },
): PaymentProvider {
  // A refund that nobody can ask for is not given up for lost either.
  const { lookUpRefund: _, ...rest } = provider;
  const {
    prepare,
    describeAction,
    describeToken,
    findCustomer,
    describeMethod,
    detachMethod,
    listNotifications,
    listRefundsOf,
  } = provider;
  return {
    ...rest,
    ...(prepare ? { prepare: async () => UNKNOWN } : {}),
    charge: async () => UNKNOWN,
    refund: async () => UNKNOWN,
    ...(detachMethod ? { detachMethod: async () => ({ kind: 'no_answer' as const }) } : {}),
    ...(isLockedOut
      ? {
          // What was never sent has no need of an answer: a buyer may pay by another way meanwhile.
          lookUp: async (reference) =>
            isUnprepared(provider, reference) ? { kind: 'absent' } : { kind: 'no_answer' },
          cancel: async () => ({ kind: 'unknown' as const }),
          ...(describeAction ? { describeAction: async () => ({ kind: 'no_answer' as const }) } : {}),
          ...(describeToken ? { describeToken: async () => ({ kind: 'no_answer' as const }) } : {}),
          ...(findCustomer ? { findCustomer: async () => ({ kind: 'no_answer' as const }) } : {}),
          ...(describeMethod ? { describeMethod: async () => ({ kind: 'no_answer' as const }) } : {}),
          ...(listNotifications ? { listNotifications: async () => ({ kind: 'no_answer' as const }) } : {}),
          ...(listRefundsOf ? { listRefundsOf: async () => null } : {}),
          lookUpDisputes: async () => ({ kind: 'no_answer' as const }),
        }
      : {}),
  };
}
