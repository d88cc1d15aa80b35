/** What every payment does that gets PAID, whatever it pays for: ledger, invoice, row and events. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { smallerAmount } from '../../domain/money/money.ts';
import { divideHalfAwayFromZero } from '../../domain/money/rounding.ts';
import { move } from '../../domain/states/machine.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import type { DeclinedCharge, SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findMeantMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { writePaid } from '../../resources/payments/paid-payment.queries.ts';
import { updateCharge, updatePayment } from '../../resources/payments/payments.queries.ts';
import type { LockedSale } from '../../resources/sales/locked-sale.queries.ts';
import {
  loadSaleRows,
  type Sale,
  type SaleRows,
  toEventData,
  toSale,
} from '../../resources/sales/sale.view.ts';
import { issueInvoice } from '../accounting/issue-invoice.ts';
import { type ChargePosting, postConversion, toChargeEntry } from '../accounting/post-to-ledger.ts';
import { PLACE_MAX } from '../outbox/derive-id.ts';
import { type NewEvent, recordEvents } from '../outbox/record-event.ts';

/** A locked payment and what the processor said of its charge. */
export interface Settling<Outcome> {
  tx: Tx;
  sale: LockedSale;
  outcome: Outcome;
  /** The mail of it is one too many of those that anybody can cause. */
  isMailHeldBack?: boolean;
}

interface FinishingPaid extends Settling<SucceededCharge | null> {
  /** The order's subscription as it is, where it is locked and nothing more of it changes. */
  subscription?: Row<'subscriptions'> | undefined;
  toEvents: (success: NewEvent) => NewEvent[];
  /** What locks rows that other buyers wait for, too: it is asked for beside the series. */
  lockLast?: () => Promise<unknown>;
}

/**
 * Call it last: the invoice's series is the last lock before commit, everyone in the store waits for it.
 * `toEvents` puts the `payment_success` into its place among the events of the whole change.
 */
export async function recordPaid(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome, subscription, toEvents, lockLast, isMailHeldBack = false }: FinishingPaid,
): Promise<Sale> {
  // All is read before the series is locked: everyone who is paid in this store waits for what comes after.
  const [, rows] = await Promise.all([
    write(ctx, scope, { tx, sale, outcome }),
    readSaleRows(ctx, scope, { tx, sale, subscription }),
  ]);
  const read = toSale(rows);
  const [, invoice] = await Promise.all([
    lockLast?.(),
    sale.paymentValue > 0n
      ? issueInvoice(ctx, scope, {
          ...{ tx, sale, items: rows.items, method: outcome?.method ?? null },
          firstPeriod: toFirstPeriod(read),
        })
      : null,
  ]);
  const paid = invoice ? withInvoice(read, invoice) : read;
  const event = toPaymentEvent(ctx, sale, { type: 'payment_success', data: toEventData(paid) });
  const success = isMailHeldBack ? { ...event, isMailHeldBack } : event;
  await recordEvents(tx, scope, ctx.ids, placeInPeriod(sale, toEvents(success)));
  return paid;
}

/** What the items of a subscription's order are paid for: it began with this payment. A trial is no period. */
function toFirstPeriod({ subscription }: Sale) {
  const isBilled = subscription !== null && subscription.status !== 'trialing';
  return {
    periodStart: isBilled ? subscription.currentIntervalStart : null,
    periodEnd: isBilled ? subscription.currentIntervalEnd : null,
  };
}

/** The payment is PAID, its charge closed, and the money in the ledger. */
async function write(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | null>,
): Promise<void> {
  const payment = {
    id: sale.paymentId,
    status: move(PAYMENT, sale.paymentStatus, 'PAID'),
    fee: outcome ? toPaymentFee(sale, outcome) : 0n,
    paidAt: ctx.nowMs,
    version: sale.paymentVersion + 1,
  };
  if (sale.paymentValue === 0n) {
    await Promise.all([
      outcome ? closeCharge(ctx, scope, { tx, sale, outcome }) : null,
      updatePayment(tx, scope, payment),
    ]);
    return;
  }
  const { chargeId, processor, paymentId, currency } = sale;
  assert(outcome && chargeId && processor, 'money that was taken has its charge');
  const posting: ChargePosting = {
    at: ctx.nowMs,
    paymentId,
    chargeId,
    processor,
    currency,
    valueMinor: sale.paymentValue,
    taxMinor: sale.paymentTax,
    feeMinor: outcome.feeMinor ?? 0n,
    taken: { amountMinor: outcome.amountMinor, currency: outcome.currency },
  };
  const entry = toChargeEntry(ctx.ids, posting);
  await Promise.all([
    writePaid(tx, scope, { payment, charge: toClosedCharge(ctx, { chargeId, outcome }), entry }),
    postConversion(tx, scope, ctx.ids, posting),
    watchForDispute(tx, scope, { chargeId, outcome }),
  ]);
}

/** What the processor kept, in the payment's currency; never more than the payment came to. */
export function toPaymentFee(
  { currency, paymentValue }: Pick<LockedSale, 'currency' | 'paymentValue'>,
  { amountMinor, currency: taken, feeMinor }: SucceededCharge,
): bigint {
  if (feeMinor === null) return 0n;
  if (taken === currency) return smallerAmount(feeMinor, paymentValue);
  return amountMinor === 0n ? 0n : divideHalfAwayFromZero(feeMinor * paymentValue, amountMinor);
}

/** The sale with the document that it has now. */
function withInvoice(sale: Sale, { number, url }: { number: string; url: string }): Sale {
  return { ...sale, payment: { ...sale.payment, invoiceNumber: number, invoiceUrl: url } };
}

interface ReadingSale {
  tx: Tx;
  sale: LockedSale;
  subscription?: Row<'subscriptions'> | undefined;
}

/** The sale as it stands. */
export async function readSale(ctx: Step, scope: Scope, reading: ReadingSale): Promise<Sale> {
  return toSale(await readSaleRows(ctx, scope, reading));
}

function readSaleRows(ctx: Step, scope: Scope, { tx, sale, subscription }: ReadingSale): Promise<SaleRows> {
  const { orderId, paymentId, paymentType, userId } = sale;
  const known = { paymentType, userId };
  return loadSaleRows(tx, scope, {
    orderId,
    paymentId,
    publicUrl: ctx.config.publicUrl,
    subscription,
    known,
  });
}

interface ClosingCharge<Outcome> {
  chargeId: string;
  outcome: Outcome;
}

/** The attempt's own row: succeeded with its fee, or failed with the reason. */
export async function closeCharge(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | DeclinedCharge>,
): Promise<void> {
  const { chargeId } = sale;
  assert(chargeId, 'an outcome belongs to a charge');
  const closed = toClosedCharge(ctx, { chargeId, outcome });
  // Whoever refuses a method unread says nothing of it.
  const meant = isUntold(outcome) ? await findMeantMethod(tx, scope, chargeId) : null;
  await updateCharge(tx, scope, meant === null ? closed : { ...closed, paymentMethod: toJson(meant) });
  if (outcome.kind === 'succeeded') await watchForDispute(tx, scope, { chargeId, outcome });
}

function isUntold({ kind, method: { brand, last4, card } }: SucceededCharge | DeclinedCharge): boolean {
  return kind === 'declined' && brand === null && last4 === null && card === null;
}

function toClosedCharge(ctx: Step, { chargeId, outcome }: ClosingCharge<SucceededCharge | DeclinedCharge>) {
  const result =
    outcome.kind === 'succeeded'
      ? { status: 'succeeded' as const, fee: outcome.feeMinor ?? 0n }
      : {
          status: 'failed' as const,
          decline: outcome.decline,
          declineReason: outcome.reason,
          declineMessage: outcome.message,
        };
  return {
    id: chargeId,
    ...result,
    // What it is at the processor, it stays.
    ...(outcome.processorId === null ? {} : { processorId: outcome.processorId }),
    paymentMethod: toJson(outcome.method),
    actionPath: null,
    hold: null,
    settledAt: ctx.nowMs,
  };
}

async function watchForDispute(
  tx: Tx,
  scope: Scope,
  { chargeId, outcome }: ClosingCharge<SucceededCharge>,
): Promise<void> {
  const dueMs = outcome.disputeLookAtMs;
  if (dueMs !== undefined)
    await insertDueWork(tx, scope, [{ kind: 'watch_dispute', refId: chargeId, dueMs }]);
}

/** Events of one change, from a payment's next version on. */
const EVENTS_MAX = 16;

/** Events of a period's payment are the same wherever it is settled: each is named by the payment's version. */
export function placeInPeriod(sale: LockedSale, events: readonly NewEvent[]): NewEvent[] {
  const { paymentType, periodStart: startMs, subscriptionId } = sale;
  if (paymentType !== 'subscription_interval' || startMs === null || subscriptionId === null)
    return [...events];
  assert(events.length < EVENTS_MAX, 'a payment tells of few things at once');
  const first = (sale.paymentVersion + 1) * EVENTS_MAX;
  return events.map((event, index) => ({
    ...event,
    work: {
      subscriptionId,
      startMs,
      n: first + index,
      place: Math.min(first + index, PLACE_MAX - EVENTS_MAX - 1),
    },
  }));
}

/** An event of the payment's next version. */
export function toPaymentEvent(
  ctx: Step,
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
