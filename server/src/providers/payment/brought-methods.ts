/** Methods that were not given on a page of ours, or not yet taken: what a processor says of them before they are used. */
import type { CardExpiry, PaymentMethodDetails } from './payment-provider.ts';

/** What the processor says of a token, before anything is asked for with it. */
export type TokenOutcome =
  /** `fingerprint`: of the card, the same whoever gives it; null = nothing tells it from others. */
  | { kind: 'usable'; fingerprint: string | null }
  /** It names nothing that could pay. */
  | { kind: 'invalid' }
  | { kind: 'no_answer' };

/** A method that can be charged again, as it is shown. */
export interface KeptMethod {
  reference: string;
  details: PaymentMethodDetails;
  expiry: CardExpiry | null;
}

/** Whom the merchant calls by the processor's own name. */
export type CustomerOutcome =
  /** The one that they chose there, else the newest; null = nothing of theirs can be charged again. */
  { kind: 'found'; method: KeptMethod | null } | { kind: 'unknown' } | { kind: 'no_answer' };
