/** Books before bills: nobody who is not there is charged before what happened at the processor was read. */
import type { PaymentProvider } from './payment-provider.ts';

const UNKNOWN = { kind: 'unknown' as const, lookAgainAtMs: null };

/** `readBooks` answers whether they are read. Where they are not, nothing is sent, and the charge is asked for again. */
export function toHonest(provider: PaymentProvider, readBooks: () => Promise<boolean>): PaymentProvider {
  const { prepare, listNotifications } = provider;
  // What tells nobody has no books.
  if (!listNotifications) return provider;
  const mayGoOn = async ({ offSession }: { offSession: boolean }) => !offSession || (await readBooks());
  return {
    ...provider,
    ...(prepare
      ? { prepare: async (request) => ((await mayGoOn(request)) ? prepare(request) : UNKNOWN) }
      : {}),
    charge: async (request) => ((await mayGoOn(request)) ? provider.charge(request) : UNKNOWN),
  };
}
