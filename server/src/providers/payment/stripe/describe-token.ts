/** What Stripe says of what its fields made of what was typed there: whether it is one, and which card it is. */
import type { TokenOutcome } from '../token-outcome.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';
import { toTokenParams } from './methods.ts';

const INVALID = { kind: 'invalid' as const };

/** One that was used is no less a token: what it was used for is found by whoever asks. Throws StripeFailure. */
export async function describeStripeToken(client: StripeClient, reference: string): Promise<TokenOutcome> {
  const named = toTokenParams(reference);
  if (!named) return INVALID;
  // A test method is called by a name of which nothing is told before it is used.
  if (!('confirmation_token' in named)) return { kind: 'usable', fingerprint: null };
  try {
    const token = await client.ask((sdk, how) =>
      sdk.confirmationTokens.retrieve(named.confirmation_token, {}, how),
    );
    const { card, sepa_debit, bacs_debit } = token.payment_method_preview ?? {};
    return { kind: 'usable', fingerprint: (card ?? sepa_debit ?? bacs_debit)?.fingerprint ?? null };
  } catch (error) {
    if (error instanceof StripeFailure && (error.kind === 'missing' || error.kind === 'refused'))
      return INVALID;
    throw error;
  }
}
