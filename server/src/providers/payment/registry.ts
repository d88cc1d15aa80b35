/** Which processor takes a store's money, and which one took it. */
import { createTimeLimit, type TimeLimit, toCareful } from './careful-provider.ts';
import type { PaymentProvider, ProviderScope } from './payment-provider.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

export interface PaymentProviders {
  /** For new charges. Null while live payments are not set up: the caller refuses. */
  providerFor(scope: ProviderScope): PaymentProvider | null;
  /** For a charge made earlier, by the name stored with it; null when that processor is no longer set up. */
  providerNamed(name: string): PaymentProvider | null;
  /** The same for one answer that somebody waits for: all its calls together take no longer than one may. */
  forOneAnswer(): PaymentProviders;
  /** For what only the sandbox has: its authentication page and its test references. */
  sandbox: Sandbox;
}

export interface RegistryOptions {
  sandbox: Sandbox;
  /** How long a call may take, or all calls of one answer. */
  timeoutMs: number;
  onFailure: (error: unknown) => void;
}

export function createPaymentProviders({ sandbox, timeoutMs, onFailure }: RegistryOptions): PaymentProviders {
  const open = (limit: () => TimeLimit): PaymentProviders => {
    const careful = toCareful(sandbox, { limit, onFailure });
    return {
      providerFor: ({ testMode }) => (testMode ? careful : null),
      providerNamed: (name) => (name === sandbox.name ? careful : null),
      forOneAnswer: () => {
        const shared = createTimeLimit(timeoutMs);
        return open(() => shared);
      },
      sandbox,
    };
  };
  return open(() => createTimeLimit(timeoutMs));
}
