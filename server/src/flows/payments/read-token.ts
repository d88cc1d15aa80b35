/** What a buyer gives of a processor's own fields, asked of the processor before anything is written or charged. */
import { Refusal } from '../../domain/errors.ts';
import type {
  ChargeMethod,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';

/** Answers what tells its card from others; null = nothing does, or nobody says. Throws payment_token_invalid. */
export async function readToken(provider: PaymentProvider, method: ChargeMethod): Promise<string | null> {
  if (method.kind !== 'token' || !provider.describeToken) return null;
  const told = await provider.describeToken(method.reference);
  if (told.kind === 'invalid') throw new Refusal('payment_token_invalid');
  return told.kind === 'usable' ? told.fingerprint : null;
}

/** The same of a method that is stored: asked where it lives. */
export async function readStored(provider: PaymentProvider, method: ChargeMethod): Promise<string | null> {
  if (method.kind !== 'stored' || !provider.describeMethod) return null;
  const told = await provider.describeMethod({ reference: method.reference, mandate: null });
  return told.kind === 'usable' ? told.fingerprint : null;
}

/** Whether a charge came to nothing since its token pays nothing any more: it was used, or is too old. */
export function isTokenSpent(method: ChargeMethod, outcome: StandingOutcome): boolean {
  return method.kind === 'token' && outcome.kind === 'declined' && outcome.reason === TOKEN_INVALID;
}

export const TOKEN_INVALID = 'payment_token_invalid';
