import type { DeclineKind } from '../payment-provider.ts';

interface Decline {
  decline: DeclineKind;
  /** For the buyer. */
  message: string;
}

/** Why the sandbox declines: a stable word each, with what the buyer is told. */
export const DECLINES = {
  card_declined: { decline: 'soft', message: 'The card was declined. Please try another card.' },
  insufficient_funds: {
    decline: 'soft',
    message: 'The card has insufficient funds. Please try another card.',
  },
  incorrect_cvc: { decline: 'soft', message: 'The security code of the card is not correct.' },
  authentication_failed: {
    decline: 'soft',
    message: 'The payment was not authenticated. Please try again or use another card.',
  },
  canceled: { decline: 'soft', message: 'The payment was cancelled.' },
  lost_card: { decline: 'hard', message: 'The card was declined. Please use another card.' },
  expired_card: { decline: 'hard', message: 'The card has expired. Please use another card.' },
  test_card_required: {
    decline: 'hard',
    message:
      'This is a test: no real card can be charged. Please use a sandbox card such as 4242 4242 4242 4242.',
  },
  unknown_payment_method: {
    decline: 'hard',
    message: 'The stored payment method cannot be charged. Please use another one.',
  },
} as const satisfies Record<string, Decline>;

export type DeclineReason = keyof typeof DECLINES;
