/** A kept method as Stripe has it now: its card may be another, it may be gone, or its mandate taken back. */
import type { MethodAsk, MethodOutcome } from '../method-outcome.ts';
import type { StripeClient } from './client.ts';
import { StripeFailure } from './failure.ts';
import { describeMethodOfStripe, parseStoredReference } from './methods.ts';

const ENDED = { kind: 'ended' as const };

/** Throws StripeFailure where there is no answer. */
export async function describeStripeMethod(
  client: StripeClient,
  { reference, mandate }: MethodAsk,
): Promise<MethodOutcome> {
  const stored = parseStoredReference(reference);
  if (!stored) return ENDED;
  try {
    const method = await client.ask((sdk, how) => sdk.paymentMethods.retrieve(stored.method, {}, how));
    // Detached from its customer it is charged never again.
    if (method.customer === null) return ENDED;
    if (mandate !== null) {
      const { status } = await client.ask((sdk, how) => sdk.mandates.retrieve(mandate, {}, how));
      if (status === 'inactive') return ENDED;
    }
    const { card, sepa_debit, bacs_debit } = method;
    const expiry = card ? { year: card.exp_year, month: card.exp_month } : null;
    const fingerprint = (card ?? sepa_debit ?? bacs_debit)?.fingerprint ?? null;
    return { kind: 'usable', details: describeMethodOfStripe(method), expiry, fingerprint };
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'missing') return ENDED;
    throw error;
  }
}
