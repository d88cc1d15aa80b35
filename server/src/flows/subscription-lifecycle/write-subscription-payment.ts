/** Writes a later payment of a subscription with its lines: a renewal, a change of plan, an extra charge. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { BillingLine } from '../../domain/billing/line.ts';
import { TOKEN_BYTES, toLinkToken } from '../../domain/link-token.ts';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import { insertLaterPayment } from '../../resources/payments/later-payment.queries.ts';
import {
  billWaitingLine,
  insertPaymentLines,
  updateWaitingLine,
} from '../../resources/payments/payment-lines.queries.ts';
import type { SubscriptionChanges } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { updateItemTax } from '../../resources/subscriptions/subscriptions.queries.ts';
import { deriveId, type SubscriptionPeriod } from '../outbox/derive-id.ts';
import type { ComposedPayment } from '../pricing/compose-period-payment.ts';
import { recordMrrMovement } from '../reports/record-mrr-movement.ts';

export interface LaterPayment {
  tx: Tx;
  /** Locked by the caller. */
  subscription: Pick<Row<'subscriptions'>, 'id' | 'orderId' | 'userId' | 'discount' | 'discountUses'>;
  type: 'subscription_interval' | 'subscription_update' | 'subscription_extra';
  status: 'PENDING' | 'UNPAID';
  composed: ComposedPayment;
  periodStart: number | null;
  periodEnd: number | null;
  /** What changes of the subscription besides. */
  changes?: SubscriptionChanges;
  /** Nobody is to pay it: the discount has lowered no payment. */
  isGivenUp?: boolean;
}

export interface WrittenPayment {
  paymentId: string;
  valueMinor: bigint;
  /** New credits that the payment had no room for: the caller lets them wait, when the change holds. */
  unplaced: BillingLine[];
  /** As it is with the payment. */
  subscription: Row<'subscriptions'>;
}

/**
 * The payment with the next number of its order, its lines, and what waited for it. A payment of 0 is still to
 * be settled, without a charge.
 */
export async function writeSubscriptionPayment(
  ctx: Step,
  scope: Scope,
  later: LaterPayment,
): Promise<WrittenPayment> {
  const { tx, subscription: before, type, status, composed, periodStart, periodEnd, changes = {} } = later;
  const { nowMs } = ctx;
  const paymentId = toPaymentId(ctx, scope, later);
  const { orderId, id: subscriptionId } = before;
  const isCounted = type === 'subscription_interval' && before.discount !== null && !later.isGivenUp;
  const payment = {
    id: paymentId,
    orderId,
    type,
    status,
    value: composed.valueMinor,
    tax: composed.taxMinor,
    currency: composed.currency,
    country: composed.country,
    userId: before.userId,
    subscriptionId,
    discount: composed.discount ? toJson(toAppliedDiscount(composed.discount)) : null,
    payToken: toLinkToken(scope.workspaceId, ctx.ids.randomBytes(TOKEN_BYTES)),
    periodStart,
    periodEnd,
    taxDecision: toJson(composed.taxDecision),
    createdAt: nowMs,
  };
  const subscription = await insertLaterPayment(tx, scope, {
    payment,
    lines: toNewLines(ctx, { subscriptionId, paymentId, composed }),
    subscription: {
      ...changes,
      id: subscriptionId,
      lastPaymentId: paymentId,
      ...(isCounted ? { discountUses: before.discountUses + 1 } : {}),
    },
  });
  await billWaiting(tx, scope, { paymentId, composed });
  for (const tax of composed.retaxed) await updateItemTax(tx, scope, tax);
  // Of a price with its tax less or more is left from now on, and no event says so.
  if (composed.retaxed.length > 0)
    await recordMrrMovement(scope, { tx, subscriptionId, at: nowMs, eventId: null });
  const unplaced = [...composed.rests, ...composed.left].filter(({ id }) => id === null);
  return { paymentId, valueMinor: composed.valueMinor, unplaced, subscription };
}

/** A period has one payment, whichever copy of the store makes it. */
function toPaymentId(ctx: Step, scope: Scope, { type, periodStart, subscription }: LaterPayment): string {
  if (type !== 'subscription_interval' || periodStart === null) return ctx.ids.next(ctx.nowMs);
  return toPeriodPaymentId(scope, { subscriptionId: subscription.id, startMs: periodStart });
}

/** Of a period's payment, whether or not it is written. */
export function toPeriodPaymentId({ workspaceId }: Scope, period: SubscriptionPeriod): string {
  return deriveId({ ...period, workspaceId, kind: 'payment', n: 0, place: 0 });
}

interface PlacedLines {
  paymentId: string;
  composed: ComposedPayment;
}

function toNewLines(
  ctx: Step,
  { subscriptionId, paymentId, composed }: PlacedLines & { subscriptionId: string },
) {
  const placed = composed.lines.map((line, position) => ({ line, position }));
  return placed
    .filter(({ line }) => line.id === null)
    .map(({ line, position }) => toLineRow(ctx, line, { subscriptionId, paymentId, position }));
}

/** Lines that waited come onto the payment, and what it had no room for goes on waiting. */
async function billWaiting(tx: Tx, scope: Scope, { paymentId, composed }: PlacedLines): Promise<void> {
  for (const [position, { id }] of composed.lines.entries()) {
    if (id !== null) await billWaitingLine(tx, scope, { id, paymentId, position });
  }
  await updateRests(tx, scope, composed.rests);
}

/** What is left of waiting credits that were used, lowered or paid back in part or whole. */
export async function updateRests(tx: Tx, scope: Scope, rests: Iterable<BillingLine>): Promise<void> {
  for (const { id, unitPrice, quantity, subtotal, tax, total, taxRates } of rests) {
    if (id === null) continue;
    const rest = { unitPrice, quantity, subtotal, tax, total, taxRates: toJson(taxRates) };
    await updateWaitingLine(tx, scope, { id, ...rest });
  }
}

/** Lines that wait for the next payment. */
export async function writeWaitingLines(
  ctx: Step,
  scope: Scope,
  { tx, subscriptionId, lines }: { tx: Tx; subscriptionId: string; lines: readonly BillingLine[] },
): Promise<void> {
  const rows = lines.map((line, position) =>
    toLineRow(ctx, line, { subscriptionId, paymentId: null, position }),
  );
  await insertPaymentLines(tx, scope, rows);
}

function toLineRow(
  ctx: Step,
  { id: _id, product, variant, offer, customFields, taxRates, ...line }: BillingLine,
  place: { subscriptionId: string; paymentId: string | null; position: number },
) {
  return {
    ...line,
    ...place,
    id: ctx.ids.next(ctx.nowMs),
    product: product ? toJson(product) : null,
    variant: variant ? toJson(variant) : null,
    offer: offer ? toJson(offer) : null,
    customFields: toJson(customFields),
    taxRates: toJson(taxRates),
    carried: place.paymentId !== null && line.sourceLineId !== null,
    createdAt: line.createdAt ?? ctx.nowMs,
  };
}
