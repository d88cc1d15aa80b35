/** How much of a payment goes back, and how much of that is tax. */
import { Refusal } from '../errors.ts';
import { smallerAmount } from '../money/money.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import { CAPTURED, type PaymentStatus } from '../states/payment.ts';

/** Minor units of the payment's currency. */
export interface RefundablePayment {
  status: PaymentStatus;
  valueMinor: bigint;
  taxMinor: bigint;
  /** What there is to give back: the value, or what was taken, where that is less. */
  limitMinor: bigint;
  /** Refunds that succeeded or may yet succeed. */
  takenMinor: bigint;
  takenTaxMinor: bigint;
  /** Of these, what paid credits back with a tax of their own: the rest of the payment is the whole of other refunds. */
  paidBackMinor: bigint;
  paidBackTaxMinor: bigint;
  isDisputed: boolean;
}

export interface PlannedRefund {
  amountMinor: bigint;
  taxMinor: bigint;
}

/** Why a refund is held for failed of which its processor never said what became: should it show up there, it was made. */
export const UNTRACEABLE = 'processor_error';

/** What is left to give back; 0 for a payment whose money was not taken. */
export function computeRefundable({ status, limitMinor, takenMinor }: RefundablePayment): bigint {
  return CAPTURED.has(status) ? limitMinor - takenMinor : 0n;
}

/** A charge that took other money than was asked for, and was accepted; nulls for every other one. */
export interface TakenSum {
  currency: string;
  takenAmount: bigint | null;
  takenCurrency: string | null;
}

/** The most that can be given back of a payment: no more than it came to, and no more than was taken for it. */
export function computeRefundLimit(valueMinor: bigint, charge: TakenSum): bigint {
  const { takenAmount } = charge;
  return takenAmount === null || isConverted(charge) ? valueMinor : smallerAmount(valueMinor, takenAmount);
}

/** Whether another currency was taken: the processor gives none of the payment's back. */
export function isConverted({ currency, takenCurrency }: TakenSum): boolean {
  return takenCurrency !== null && takenCurrency !== currency;
}

/**
 * Plans a refund of the amount asked for, or of all that is left when it is null. Throws payment_not_paid,
 * payment_disputed, already_refunded (nothing left, no amount) and refund_exceeds_paid (more than is left).
 */
export function planRefund(payment: RefundablePayment, requestedMinor: bigint | null): PlannedRefund {
  if (!CAPTURED.has(payment.status)) {
    throw new Refusal('payment_not_paid', {
      message: `A payment that is ${payment.status} has no money to give back.`,
    });
  }
  if (payment.isDisputed) throw new Refusal('payment_disputed');
  const leftMinor = computeRefundable(payment);
  if (requestedMinor === null && leftMinor === 0n) throw new Refusal('already_refunded');
  const amountMinor = requestedMinor ?? leftMinor;
  if (amountMinor > leftMinor) {
    throw new Refusal('refund_exceeds_paid', {
      message: `amount is above the ${leftMinor} that are left to refund.`,
      details: [{ path: 'amount', message: `must be at most ${leftMinor}` }],
    });
  }
  return { amountMinor, taxMinor: computeRefundTax(payment, amountMinor) };
}

/**
 * By the sum so far: of all that went back the tax in proportion, less the tax that went back before, so that many small
 * refunds are taxed as one. The refund that takes the last of the money takes what is left of the tax.
 */
function computeRefundTax(payment: RefundablePayment, amountMinor: bigint): bigint {
  const { valueMinor, taxMinor, takenMinor, takenTaxMinor, paidBackMinor, paidBackTaxMinor } = payment;
  const leftTaxMinor = taxMinor - takenTaxMinor;
  const leftAfterMinor = valueMinor - takenMinor - amountMinor;
  if (leftAfterMinor === 0n) return leftTaxMinor;
  const [wholeMinor, wholeTaxMinor] = [valueMinor - paidBackMinor, taxMinor - paidBackTaxMinor];
  const soFarMinor = takenMinor - paidBackMinor + amountMinor;
  const soFar = divideHalfAwayFromZero(wholeTaxMinor * soFarMinor, wholeMinor);
  const before = takenTaxMinor - paidBackTaxMinor;
  return clampTax(soFar - before, { amountMinor, leftTaxMinor, leftAfterMinor });
}

/** What no rounding may pass: no more tax goes back than money, or than is left; and what is left keeps no more tax than money. */
export function clampTax(
  taxMinor: bigint,
  {
    amountMinor,
    leftTaxMinor,
    leftAfterMinor,
  }: { amountMinor: bigint; leftTaxMinor: bigint; leftAfterMinor: bigint },
): bigint {
  const least = leftTaxMinor > leftAfterMinor ? leftTaxMinor - leftAfterMinor : 0n;
  const most = smallerAmount(leftTaxMinor, amountMinor);
  if (taxMinor < least) return least;
  return smallerAmount(taxMinor, most);
}
