/** A subscription that runs there: here it has its status, its access and its calendar, and waits to be charged. */
import type { Step } from '../../context.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { SubscriptionLine } from '../../domain/imports/lines.ts';
import { orderNumberFrom } from '../../domain/numbers.ts';
import { updateOrder } from '../../resources/orders/orders.queries.ts';
import { updatePayment } from '../../resources/payments/payments.queries.ts';
import {
  changeSubscription,
  lockBilling,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { toItemRow } from '../../resources/subscriptions/plan-items.schema.ts';
import {
  deleteSubscriptionItems,
  insertSubscription,
  insertSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { sumValue } from '../subscription-lifecycle/apply-plan-change.ts';
import { getOurs } from './bring-in-catalogue.ts';
import { getOffers, toImported, writeImportedSale } from './bring-in-purchase.ts';
import type { BringingIn, BroughtIn } from './bringing.ts';
import { type PricedSubscription, toStoredDiscount } from './price-subscription.ts';

type Bringing = BringingIn<SubscriptionLine> & { priced: PricedSubscription };

export async function bringInSubscription(
  ctx: Step,
  scope: Scope,
  bringing: BringingIn<SubscriptionLine>,
): Promise<BroughtIn> {
  const { priced, decision } = bringing.looked;
  assert(priced, 'a subscription that is brought in was priced');
  return decision.ours
    ? rewrite(ctx, scope, { ...bringing, priced }, decision.ours.id)
    : write(ctx, scope, { ...bringing, priced });
}

/** What of the row a later import may change. */
function toTerms(bringing: Bringing) {
  const { line, priced } = bringing;
  const isTrial = line.status === 'trialing';
  const { items, interval, period, billingDetails, discount, discountUses } = priced;
  return {
    status: isTrial ? ('trialing' as const) : ('active' as const),
    value: sumValue(items),
    recurringInterval: interval.unit,
    recurringIntervalCount: interval.count,
    anchorAt: period.anchorMs,
    trialStart: isTrial ? line.createdAt : null,
    trialEnd: isTrial ? line.paidUntil : null,
    currentIntervalStart: isTrial ? line.createdAt : period.startMs,
    currentIntervalEnd: period.endMs,
    cancelAtIntervalEnd: line.cancelAtIntervalEnd ?? false,
    billingDetails: toJson(billingDetails),
    paymentMethodId: findMethod(bringing),
    discount: toStoredDiscount(discount),
    discountUses,
  };
}

/** Of a trial nothing was paid for a period of the calendar. */
function toPeriod({ line, priced }: Bringing) {
  return line.status === 'trialing' ? null : priced.period;
}

/** One that could not be brought in is given later, or asked for. */
function findMethod({ line, batch }: Bringing): string | null {
  if (line.paymentMethodRef == null) return null;
  return batch.known.find('payment_method', line.paymentMethodRef).brought?.objectId ?? null;
}

function toSale(bringing: Bringing) {
  const { tx, line, imported, priced } = bringing;
  return {
    ...{ tx, ref: line.ref, currency: line.currency, createdAt: line.createdAt, paidAt: line.createdAt },
    ...{ source: imported.source, type: 'subscription_initial' as const, period: toPeriod(bringing) },
    country: priced.billingDetails.countryCode ?? null,
    items: getOffers(bringing, line.items),
    paid: line.paidForPeriod ?? { value: 0, tax: 0 },
    billingDetails: priced.billingDetails,
  };
}

async function write(ctx: Step, scope: Scope, bringing: Bringing): Promise<BroughtIn> {
  const { tx, line, imported } = bringing;
  const id = ctx.ids.next(ctx.nowMs);
  const number = orderNumberFrom(ctx.ids.randomBytes(16));
  const userId = getOurs(bringing, 'customer', line.customerRef);
  const [orderId, paymentId] = [ctx.ids.next(ctx.nowMs), ctx.ids.next(ctx.nowMs)];
  await insertSubscription(tx, scope, {
    ...{ id, number, orderId, userId, currency: line.currency, lastPaymentId: paymentId },
    ...toTerms(bringing),
    ...{ broughtBy: imported.id, waiting: true, createdAt: line.createdAt },
  });
  const sale = { ...toSale(bringing), orderId, paymentId, userId, subscriptionId: id, number };
  await writeImportedSale(ctx, scope, sale);
  await writeItems(ctx, scope, bringing, id);
  return { objectId: id, objectVersion: 0 };
}

/** It changed there while it waits here. */
async function rewrite(ctx: Step, scope: Scope, bringing: Bringing, id: string): Promise<BroughtIn> {
  const { tx } = bringing;
  const before = await lockBilling(tx, scope, id);
  assert(before?.waiting && before.lastPaymentId, 'one that does not wait is never touched');
  const { paymentMethodId, ...terms } = toTerms(bringing);
  const after = await changeSubscription(tx, scope, id, {
    ...terms,
    paymentMethodId: paymentMethodId ?? before.paymentMethodId,
  });
  const { orderId, lastPaymentId } = before;
  const sale = toSale(bringing);
  const { paid, period, country } = sale;
  await updateOrder(tx, scope, { id: orderId, country, imported: toJson(toImported(sale)) });
  await updatePayment(tx, scope, {
    id: lastPaymentId,
    paidElsewhere: BigInt(paid.value),
    paidElsewhereTax: BigInt(paid.tax),
    periodStart: period?.startMs ?? null,
    periodEnd: period?.endMs ?? null,
  });
  await deleteSubscriptionItems(tx, scope, id);
  await writeItems(ctx, scope, bringing, id);
  return { objectId: id, objectVersion: after.version };
}

async function writeItems(
  ctx: Step,
  scope: Scope,
  { tx, line, priced }: Bringing,
  subscriptionId: string,
): Promise<void> {
  const { currency } = line;
  const rows = priced.items.map((item, position) =>
    toItemRow(item, {
      id: ctx.ids.next(ctx.nowMs),
      ...{ subscriptionId, position, currency, createdAt: ctx.nowMs },
    }),
  );
  await insertSubscriptionItems(tx, scope, rows);
}
