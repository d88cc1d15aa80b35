/** A buyer's bank disputes a charge: the payment keeps its status, and what it bought is withheld. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { smallerAmount } from '../../domain/money/money.ts';
import { computeRefundLimit, planRefund } from '../../domain/payments/refund.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import { canAct } from '../../domain/states/subscription.ts';
import type { DisputedSum } from '../../providers/payment/payment-provider.ts';
import { findDispute, insertDispute } from '../../resources/disputes/disputes.queries.ts';
import { updateOrder } from '../../resources/orders/orders.queries.ts';
import { findCharge, lockPayment } from '../../resources/payments/payments.queries.ts';
import { sumRefunds } from '../../resources/refunds/refunds.queries.ts';
import { lockSale } from '../../resources/sales/locked-sale.queries.ts';
import { lockOfLockedOrder } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { postDisputeOpened } from '../accounting/post-to-ledger.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { pauseSubscription } from '../subscription-lifecycle/pause-subscription.ts';

interface Opening {
  tx: Tx;
  chargeId: string;
  processorId: string;
  /** Missing = all that is left. */
  disputed?: DisputedSum | undefined;
}

/** Opens it once. Nothing happens when nothing is left of the money to dispute. */
export async function openDispute(
  ctx: Step,
  scope: Scope,
  { tx, chargeId, processorId, disputed }: Opening,
): Promise<void> {
  const charge = await findCharge(tx, scope, chargeId);
  assert(charge, 'a dispute is about a charge of ours');
  const { paymentId, currency } = charge;
  const sale = await lockSale(tx, scope, { paymentId, chargeId: null });
  assert(sale, 'a charge has its payment');
  if (charge.reversedAt !== null || (await findDispute(tx, scope, chargeId))) return;
  const payment = await lockPayment(tx, scope, paymentId);
  const { amount, tax } = planDispute({
    payment,
    charge,
    sums: await sumRefunds(tx, scope, paymentId),
    disputed,
  });
  if (amount === 0n) return;
  const { orderId } = payment;
  await insertDispute(tx, scope, {
    chargeId,
    orderId,
    paymentId,
    status: 'open',
    amount,
    tax,
    currency,
    processorId,
    openedAt: ctx.nowMs,
    closedAt: null,
  });
  if (isInitialPayment(payment.type)) await updateOrder(tx, scope, { id: orderId, frozenAt: ctx.nowMs });
  const at = ctx.nowMs;
  const posting = { at, paymentId, currency, disputeId: chargeId, amountMinor: amount, taxMinor: tax };
  await postDisputeOpened(tx, scope, ctx.ids, posting);
  await tellOwner(tx, scope, { payment, amount, key: `dispute_opened:${chargeId}`, at });
  if (payment.subscriptionId) await pause(ctx, scope, { tx, subscriptionId: payment.subscriptionId });
}

interface Disputed {
  payment: Row<'payments'>;
  charge: Row<'charges'>;
  sums: Awaited<ReturnType<typeof sumRefunds>>;
  disputed: DisputedSum | undefined;
}

/** What the bank disputes, and no more than is left; its tax is that of the refund which it may become. */
function planDispute({ payment, charge, sums, disputed }: Disputed): { amount: bigint; tax: bigint } {
  const limitMinor = computeRefundLimit(payment.value, charge);
  const left = limitMinor - sums.takenMinor;
  const isOfCharge = disputed?.currency === charge.currency;
  const amount = isOfCharge ? smallerAmount(disputed.amountMinor, left) : left;
  if (amount === left) return { amount, tax: payment.tax - sums.takenTaxMinor };
  const { value: valueMinor, tax: taxMinor, status } = payment;
  const whole = { status, valueMinor, taxMinor, limitMinor, ...sums, isDisputed: false };
  return { amount, tax: planRefund(whole, amount).taxMinor };
}

async function tellOwner(
  tx: Tx,
  scope: Scope,
  { payment, amount, key, at }: { payment: Row<'payments'>; amount: bigint; key: string; at: number },
): Promise<void> {
  const { currency, orderNumber } = payment;
  const params = { amountMinor: Number(amount), currency, orderNumber };
  await queueOwnerMails(tx, scope, [{ kind: 'dispute_opened', params, key, at }]);
}

/** Nothing is charged while the buyer's bank looks at it. */
async function pause(
  ctx: Step,
  scope: Scope,
  { tx, subscriptionId }: { tx: Tx; subscriptionId: string },
): Promise<void> {
  const { status } = await lockOfLockedOrder(tx, scope, subscriptionId);
  if (!canAct('pause', status)) return;
  await pauseSubscription(ctx, scope, { tx, subscriptionId, behavior: 'void' });
}
