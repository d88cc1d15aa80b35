/** What an outcome of a charge means for its payment, which may have gone on without it meanwhile. */
import { canMove } from '../states/machine.ts';
import { PAYMENT, type PaymentStatus } from '../states/payment.ts';

export interface ArrivedOutcome {
  kind: 'succeeded' | 'declined' | 'needs_action' | 'pending' | 'unknown';
  /** Of money: minor units of its currency. */
  takenMinor: bigint;
  takenCurrency: string;
  chargeStatus: 'pending' | 'succeeded' | 'failed';
  /** Minor units of the charge's currency. */
  chargeAmountMinor: bigint;
  chargeCurrency: string;
  paymentType: string;
  paymentStatus: PaymentStatus;
  /** Minor units of the payment's currency. */
  paymentValueMinor: bigint;
  paymentCurrency: string;
}

export type Arrival =
  /** The outcome is known already. */
  | 'known'
  /** The payment follows the charge. */
  | 'settle'
  /** Money of a try that was held for failed, while another one is under way: the payment follows it. */
  | 'overtake'
  /** Money on a payment that was held for failed, or for a draft: it is tried again and settled. */
  | 'reopen'
  /** Other money than was asked for: the charge stays pending until a person decides. */
  | 'hold'
  /** Money that nothing is owed for any more: it goes back. */
  | 'reverse'
  /** A decline of a payment that no longer waits for this charge. */
  | 'close_charge';

/** Money is never turned away by what we believed before: a success counts even where we had noted a failure. */
export function decideArrival(outcome: ArrivedOutcome): Arrival {
  const { kind, chargeStatus, paymentStatus } = outcome;
  if (chargeStatus === 'succeeded') return 'known';
  if (kind === 'succeeded') return decideMoney(outcome);
  if (chargeStatus === 'failed') return 'known';
  if (kind === 'declined') return paymentStatus === 'PENDING' ? 'settle' : 'close_charge';
  return 'settle';
}

function decideMoney({ paymentStatus, paymentType, chargeStatus, ...sums }: ArrivedOutcome): Arrival {
  const isAsAsked = sums.takenMinor === sums.chargeAmountMinor && sums.takenCurrency === sums.chargeCurrency;
  // Where nobody waits for it any more, there is nothing to decide.
  if (!isAsAsked) return chargeStatus === 'pending' && paymentStatus === 'PENDING' ? 'hold' : 'reverse';
  const isAmount = sums.chargeAmountMinor === sums.paymentValueMinor;
  if (!isAmount || sums.chargeCurrency !== sums.paymentCurrency) return 'reverse';
  if (paymentStatus === 'PENDING') return chargeStatus === 'failed' ? 'overtake' : 'settle';
  // The change of plan was off with the failure: its money would buy nothing.
  if (paymentType === 'subscription_update') return 'reverse';
  return canMove(PAYMENT, paymentStatus, 'PENDING') ? 'reopen' : 'reverse';
}
