/** What a merchant's correction of an order does: to the record alone, or to the payment that carries it. */
import { invalidField, Refusal } from '../errors.ts';
import { smallerAmount } from '../money/money.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import { canMove } from '../states/machine.ts';
import { ORDER, type OrderStatus } from '../states/order.ts';
import { CAPTURED, PAYMENT, type PaymentStatus } from '../states/payment.ts';

/** Minor units of `currency`. */
export interface OrderAmounts {
  value: bigint;
  tax: bigint;
  fee: bigint;
  currency: string;
}

/** Null or missing = leave as it is. */
export type Correction = { [Field in keyof OrderAmounts]?: OrderAmounts[Field] | null } & {
  status?: OrderStatus | null;
};

export interface CorrectedOrder extends OrderAmounts {
  status: OrderStatus;
  /** Of the initial payment. */
  paymentStatus: PaymentStatus;
  paymentValue: bigint;
  paymentCurrency: string;
  /** What went back of the order's money so far. */
  refundedValue: bigint;
}

export type StatusAction =
  | 'none'
  /** The order's record alone. */
  | 'record'
  /** Order and payment along their tables. */
  | 'move'
  /** The initial payment is settled by a manual charge. */
  | 'pay'
  /** All that is left was given back outside. */
  | 'refund'
  | 'cancel'
  | 'expire';

export interface PlannedCorrection {
  amounts: OrderAmounts;
  isAmountChange: boolean;
  /** Whether the payment is still to be paid: then its amounts follow, and a charge under way is stopped first. */
  isUnpaid: boolean;
  action: StatusAction;
}

const UNPAID: ReadonlySet<PaymentStatus> = new Set(['UNPAID', 'PENDING', 'FAILED']);

/** Throws order_state for a status or a sum that cannot be, and invalid_input for a tax or fee above the value. */
export function planCorrection(order: CorrectedOrder, correction: Correction): PlannedCorrection {
  const isUnpaid = UNPAID.has(order.paymentStatus);
  const amounts = planAmounts(order, correction, isUnpaid);
  if (CAPTURED.has(order.paymentStatus) && order.paymentValue > 0n) checkTaken(order, correction);
  if (!isUnpaid && correction.value != null) checkKept(amounts);
  const isAmountChange = (['value', 'tax', 'fee', 'currency'] as const).some(
    (field) => amounts[field] !== order[field],
  );
  const status = correction.status ?? order.status;
  const action = status === order.status ? 'none' : planStatus(order, status, isUnpaid);
  return { amounts, isAmountChange, isUnpaid, action };
}

function planAmounts(order: OrderAmounts, correction: Correction, isUnpaid: boolean): OrderAmounts {
  const value = correction.value ?? order.value;
  for (const field of ['tax', 'fee'] as const) {
    if ((correction[field] ?? 0n) > value) throw invalidField(field, 'must not be above value');
  }
  const kept = correction.tax ?? order.tax;
  // What is yet to be paid never holds more tax than money: a tax that was not given shrinks with the value.
  const tax = isUnpaid && kept > value ? divideHalfAwayFromZero(order.tax * value, order.value) : kept;
  const fee = correction.fee ?? (isUnpaid ? smallerAmount(order.fee, value) : order.fee);
  return { value, tax, fee, currency: correction.currency ?? order.currency };
}

/** Money that was taken has its currency, and what was given back was there to be given. */
function checkTaken(order: CorrectedOrder, { currency, value }: Correction): void {
  if (currency != null && currency !== order.paymentCurrency) {
    throw toRefusal(`The order was paid in ${order.paymentCurrency}.`);
  }
  if (value != null && value < order.refundedValue) {
    throw toRefusal(`${order.refundedValue} of the order's money went back.`);
  }
}

/** Of an order that is paid nothing follows by itself: a value that is lowered alone could lie below its tax. */
function checkKept({ value, ...parts }: OrderAmounts): void {
  for (const field of ['tax', 'fee'] as const) {
    if (parts[field] > value) throw invalidField(field, 'must not be above value');
  }
}

function planStatus(order: CorrectedOrder, to: OrderStatus, isUnpaid: boolean): StatusAction {
  if (order.status === 'REFUNDED') throw toRefusal('The order is REFUNDED: nothing leads on from there.');
  switch (to) {
    case 'REFUNDED':
      return planRefunded(order);
    case 'PARTIALLY_REFUNDED':
      throw toRefusal('An order is refunded in part by a refund.');
    case 'CANCELLED':
      return 'cancel';
    case 'PAID':
      return isUnpaid ? 'pay' : 'record';
    case 'EXPIRED':
      return isUnpaid ? 'expire' : 'record';
    case 'PENDING':
    case 'FAILED':
    case 'UNPAID':
      return isUnpaid && canMove(PAYMENT, order.paymentStatus, to) && canMove(ORDER, order.status, to)
        ? 'move'
        : 'record';
  }
}

function planRefunded({ paymentStatus, paymentValue }: CorrectedOrder): StatusAction {
  if (!CAPTURED.has(paymentStatus) || paymentValue === 0n) {
    throw toRefusal('No money was taken for the order.');
  }
  return paymentStatus === 'REFUNDED' ? 'record' : 'refund';
}

function toRefusal(message: string): Refusal {
  return new Refusal('order_state', { message });
}
