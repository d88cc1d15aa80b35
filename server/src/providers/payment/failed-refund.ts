/** A refund that came to nothing, in words for the merchant. */
import type { RefundOutcome } from './payment-provider.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  not_refundable: 'The charge has not succeeded, or less than this amount is left of it.',
  charge_disputed:
    'The buyer’s bank has disputed the charge, and what it decides moves the money: the processor gives no more of it back, also of what was not disputed. Give the rest back another way.',
  insufficient_funds: 'The account at the processor holds too little to give this back.',
  amount_not_chargeable: 'The processor cannot give back a part of a unit of this currency.',
};

export function toFailedRefund(reason: string): RefundOutcome & { kind: 'failed' } {
  return {
    kind: 'failed',
    reason,
    message: MESSAGES[reason] ?? 'The processor could not give the money back.',
  };
}
