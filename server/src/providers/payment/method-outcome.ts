/** What is asked about a method that a processor keeps, and what it answers. */
import type { CardExpiry, PaymentMethodDetails } from './method-details.ts';

export interface MethodAsk {
  /** The `storedReference` of an earlier outcome. */
  reference: string;
  /** The processor's name of the mandate that it is charged by, where that is what may have changed. */
  mandate: string | null;
}

/** A kept method as it is now. */
export type MethodOutcome =
  | {
      kind: 'usable';
      details: PaymentMethodDetails;
      expiry: CardExpiry | null;
      /** Of the card, the same whoever gives it; null = nothing tells it from others. */
      fingerprint: string | null;
    }
  /** It can be charged no more. */
  | { kind: 'ended' }
  | { kind: 'no_answer' };

/** Whether a kept method is let go of there: also one that was gone before. */
export type DetachOutcome = { kind: 'detached' } | { kind: 'no_answer' };
