/** A kept method that its holder, or whoever erases them, wants kept no more. */
import type { DetachOutcome } from '../method-outcome.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';
import { parseStoredReference } from './methods.ts';

const DETACHED = { kind: 'detached' as const };

/** Throws StripeFailure where there is no answer. */
export async function detachStripeMethod(client: StripeClient, reference: string): Promise<DetachOutcome> {
  const stored = parseStoredReference(reference);
  if (!stored) return DETACHED;
  try {
    await client.ask((sdk, how) => sdk.paymentMethods.detach(stored.method, {}, how));
    return DETACHED;
  } catch (error) {
    // It is attached to nobody any more, or was never there.
    const isGone = error instanceof StripeFailure && (error.kind === 'missing' || error.kind === 'refused');
    if (isGone) return DETACHED;
    throw error;
  }
}
