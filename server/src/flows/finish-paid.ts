/** What every payment does that gets PAID, whatever it pays for: ledger, invoice, row and events. */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import { type Scope, toJson } from '../db/scope.ts';
import { assert } from '../domain/assert.ts';
import { move } from '../domain/states/machine.ts';
import { PAYMENT, type PaymentStatus } from '../domain/states/payment.ts';
import { type NewEvent, recordEvents } from '../events/record-event.ts';
import type { DeclinedCharge, SucceededCharge } from '../providers/payment/payment-provider.ts';
import { insertDueWork } from '../resources/due-work/due-work.queries.ts';
import type { LockedSale } from '../resources/orders/locked-sale.queries.ts';
import { updateCharge, updatePayment } from '../resources/payments/payments.queries.ts';
import { issueInvoice } from './issue-invoice.ts';
import { loadSale, type Sale, toEventData } from './load-sale.ts';
import { postCharge } from './post-to-ledger.ts';

/** A locked payment and what the processor said of its charge. */
export interface Settling<Outcome> {
  tx: Tx;
  sale: LockedSale;
  outcome: Outcome;
}

interface FinishingPaid extends Settling<SucceededCharge | null> {
  /** The order's subscription as it is, where it is locked and nothing more of it changes. */
  subscription?: Row<'subscriptions'> | undefined;
  toEvents: (success: NewEvent) => NewEvent[];
}

/**
 * Call it last: the invoice's series is the last lock before commit, everyone in the store waits for it.
 * `toEvents` puts the `payment_success` into its place among the events of the whole change.
 */
export async function finishPaid(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome, subscription, toEvents }: FinishingPaid,
): Promise<Sale> {
  if (sale.paymentValue > 0n) await postPaid(ctx, scope, { tx, sale, outcome });
  const { paymentId } = sale;
  await updatePayment(tx, scope, {
    id: paymentId,
    status: move(PAYMENT, sale.paymentStatus as PaymentStatus, 'PAID'),
    fee: outcome?.feeMinor ?? 0n,
    paidAt: ctx.nowMs,
    version: sale.paymentVersion + 1,
  });
  // All is read before the series is locked: everyone who is paid in this store waits for what comes after.
  const read = await readSale(ctx, scope, { tx, sale, subscription });
  const invoice = sale.paymentValue > 0n ? await issueInvoice(ctx, scope, { tx, paymentId }) : null;
  const paid = invoice ? withInvoice(read, invoice) : read;
  const success = toPaymentEvent(ctx, sale, { type: 'payment_success', data: toEventData(paid) });
  await recordEvents(tx, scope, ctx.ids, toEvents(success));
  return paid;
}

/** The sale with the document that it has now. */
function withInvoice(sale: Sale, { number, url }: { number: string; url: string }): Sale {
  return { ...sale, payment: { ...sale.payment, invoiceNumber: number, invoiceUrl: url } };
}

async function postPaid(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | null>,
): Promise<void> {
  const { chargeId, processor, paymentId, currency } = sale;
  assert(outcome && chargeId && processor, 'money that was taken has its charge');
  await postCharge(tx, scope, ctx.ids, {
    at: ctx.nowMs,
    paymentId,
    chargeId,
    processor,
    currency,
    valueMinor: sale.paymentValue,
    taxMinor: sale.paymentTax,
    feeMinor: outcome.feeMinor,
  });
}

/** The sale as it stands. */
export function readSale(
  ctx: Context,
  scope: Scope,
  { tx, sale, subscription }: { tx: Tx; sale: LockedSale; subscription?: Row<'subscriptions'> | undefined },
): Promise<Sale> {
  const { orderId, paymentId } = sale;
  return loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl, subscription });
}

/** The attempt's own row: succeeded with its fee, or failed with the reason. */
export async function closeCharge(
  ctx: Context,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | DeclinedCharge>,
): Promise<void> {
  assert(sale.chargeId, 'an outcome belongs to a charge');
  const result =
    outcome.kind === 'succeeded'
      ? { status: 'succeeded' as const, fee: outcome.feeMinor }
      : {
          status: 'failed' as const,
          decline: outcome.decline,
          declineReason: outcome.reason,
          declineMessage: outcome.message,
        };
  await updateCharge(tx, scope, {
    id: sale.chargeId,
    ...result,
    processorId: outcome.processorId,
    paymentMethod: toJson(outcome.method),
    actionPath: null,
    settledAt: ctx.nowMs,
  });
  if (outcome.kind === 'succeeded' && outcome.disputeLookAtMs !== undefined) {
    const dueMs = outcome.disputeLookAtMs;
    await insertDueWork(tx, scope, [{ kind: 'watch_dispute', refId: sale.chargeId, dueMs }]);
  }
}

/** An event of the payment's next version. */
export function toPaymentEvent(
  ctx: Context,
  sale: LockedSale,
  { type, data }: { type: NewEvent['type']; data: Record<string, unknown> },
): NewEvent {
  return {
    type,
    entityId: sale.paymentId,
    entityVersion: sale.paymentVersion + 1,
    orderId: sale.orderId,
    paymentId: sale.paymentId,
    subscriptionId: sale.subscriptionId,
    createdAtMs: ctx.nowMs,
    data,
  };
}
