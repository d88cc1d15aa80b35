/** Which processor takes a store's money, and which one took it. */
import type { PaymentProvider, ProviderScope } from './payment-provider.ts';
import type { Sandbox } from './sandbox/sandbox.ts';

export interface PaymentProviders {
  /** For new charges. Null while live payments are not set up: the caller refuses. */
  providerFor(scope: ProviderScope): PaymentProvider | null;
  /** For a charge made earlier, by the name stored with it; null when that processor is no longer set up. */
  providerNamed(name: string): PaymentProvider | null;
  /** For what only the sandbox has: its authentication page and its test references. */
  sandbox: Sandbox;
}

export function createPaymentProviders({ sandbox }: { sandbox: Sandbox }): PaymentProviders {
  return {
    providerFor: ({ testMode }) => (testMode ? sandbox : null),
    providerNamed: (name) => (name === sandbox.name ? sandbox : null),
    sandbox,
  };
}
