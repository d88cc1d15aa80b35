/** How much of a payment a dispute is about. */
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { smallerAmount } from '../../domain/money/money.ts';
import { computeRefundLimit, planRefund } from '../../domain/payments/refund.ts';
import type { DisputedSum } from '../../providers/payment/payment-provider.ts';
import { sumOpenDisputes } from '../../resources/disputes/disputes.queries.ts';
import { sumRefunds } from '../../resources/refunds/refunds.queries.ts';

interface Disputed {
  tx: Tx;
  payment: Row<'payments'>;
  charge: Row<'charges'>;
  /** Null = all that is left. */
  disputed: DisputedSum | null;
}

export interface PlannedDispute {
  amount: bigint;
  /** That of the refund which it may become. */
  tax: bigint;
  /** What the bank takes beyond what is left. */
  excess: bigint;
}

/** No more than is left, of what was neither given back nor is disputed already. */
export async function planDispute(
  scope: Scope,
  { tx, payment, charge, disputed }: Disputed,
): Promise<PlannedDispute> {
  const [refunds, open] = [
    await sumRefunds(tx, scope, payment.id),
    await sumOpenDisputes(tx, scope, payment.id),
  ];
  const limitMinor = computeRefundLimit(payment.value, charge);
  const takenMinor = refunds.takenMinor + open.amountMinor;
  const takenTaxMinor = refunds.takenTaxMinor + open.taxMinor;
  const left = limitMinor > takenMinor ? limitMinor - takenMinor : 0n;
  const asked = disputed?.currency === charge.currency ? disputed.amountMinor : left;
  const amount = smallerAmount(asked, left);
  const excess = asked - amount;
  if (amount === left) return { amount, tax: amount === 0n ? 0n : payment.tax - takenTaxMinor, excess };
  const { value: valueMinor, tax: taxMinor, status } = payment;
  const sums = { ...refunds, takenMinor, takenTaxMinor };
  const whole = { status, valueMinor, taxMinor, limitMinor, ...sums, isDisputed: false };
  return { amount, tax: planRefund(whole, amount).taxMinor, excess };
}
