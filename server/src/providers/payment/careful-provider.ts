/**
 * The one way to a processor: every call has a limit, and a call that breaks, or takes longer than anybody waits, has
 * an outcome like every other. What it may yet do is found by asking later: no answer is never a failure.
 */
import type { PaymentProvider } from './payment-provider.ts';

/** The time that is left for calls. */
export interface TimeLimit {
  leftMs(): number;
}

/** Begins with the first call that asks for it. */
export function createTimeLimit(limitMs: number): TimeLimit {
  let endMs: number | null = null;
  return {
    leftMs: () => {
      endMs ??= performance.now() + limitMs;
      return endMs - performance.now();
    },
  };
}

export interface Care {
  /** Asked for each call: calls that share a limit end together. */
  limit: () => TimeLimit;
  /** Is told why a call had no answer. */
  onFailure: (error: unknown) => void;
}

/** The same processor, whose calls always answer and never throw. */
export function toCareful(provider: PaymentProvider, { limit, onFailure }: Care): PaymentProvider {
  async function ask<Outcome>(call: () => Promise<Outcome>, otherwise: Outcome): Promise<Outcome> {
    let timer: NodeJS.Timeout | undefined;
    try {
      const leftMs = limit().leftMs();
      // Nothing is sent that nobody has the time to wait for.
      if (leftMs <= 0) throw new Error('there was no time left for the processor');
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(reject, leftMs, new Error('the processor took too long'));
      });
      return await Promise.race([call(), late]);
    } catch (error) {
      onFailure(error);
      return otherwise;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    name: provider.name,
    charge: (request) => ask(() => provider.charge(request), { kind: 'unknown', lookAgainAtMs: null }),
    lookUp: (reference) => ask(() => provider.lookUp(reference), { kind: 'no_answer' }),
    cancel: (reference) => ask(() => provider.cancel(reference), { kind: 'unknown' }),
    refund: (request) => ask(() => provider.refund(request), { kind: 'unknown', lookAgainAtMs: null }),
    lookUpDispute: (reference) => ask(() => provider.lookUpDispute(reference), { kind: 'no_answer' }),
  };
}
