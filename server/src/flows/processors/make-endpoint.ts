/** Where a processor tells what happens in a connected account: made there by us, its secret being told but once. */
import type { Context } from '../../context.ts';
import { isLoopbackAddress } from '../../domain/loopback.ts';
import type { MadeEndpoint, ProcessorAccounts } from '../../providers/payment/account.ts';

export interface MakingEndpoint {
  accounts: ProcessorAccounts;
  credentials: Readonly<Record<string, string>>;
  testMode: boolean;
  /** Ours, with its token. */
  url: string;
}

/**
 * Whether this address can be told anything: processors call none but https ones that everybody reaches. One on this
 * very machine, which is a stand-in's, reaches us wherever we are.
 */
export function isReachable({ config }: Pick<Context, 'config'>): boolean {
  const { protocol, hostname } = new URL(config.publicUrl);
  const { stripeApiUrl, paypalApiUrl, paypalSandboxApiUrl } = config;
  const asked = [stripeApiUrl, paypalApiUrl, paypalSandboxApiUrl].map((url) => new URL(url).hostname);
  if (asked.some(isLoopbackAddress)) return true;
  return protocol === 'https:' && !isLoopbackAddress(hostname);
}

/** Null = none is made, and what happens is asked for. Throws where the processor does not answer. */
export async function makeEndpoint(
  ctx: Pick<Context, 'config'>,
  { accounts, credentials, testMode, url }: MakingEndpoint,
): Promise<MadeEndpoint | null> {
  return isReachable(ctx) ? accounts.makeEndpoint({ credentials, testMode, url }) : null;
}
