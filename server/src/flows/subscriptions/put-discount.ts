/** A code that is put on a running subscription: used at once, it lowers the intervals to come. */
import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { isInForce, priceItems } from '../../domain/billing/compose.ts';
import { type PlanItem, toRule } from '../../domain/billing/line.ts';
import { Refusal } from '../../domain/errors.ts';
import { checkDiscount, type DiscountTerms } from '../../domain/pricing/discount.ts';
import { checkAction } from '../../domain/states/subscription.ts';
import { readPlan, readTerms, storeTerms } from '../../domain/subscriptions/stored-plan.ts';
import { countUserRedemptions } from '../../resources/checkouts/carts.queries.ts';
import { takeRedemption } from '../../resources/checkouts/holds.queries.ts';
import { findDiscountByCode } from '../../resources/discounts/discounts.queries.ts';
import { toTerms } from '../../resources/discounts/discounts.schema.ts';
import { changeSubscription } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { toPlanItems } from '../../resources/subscriptions/plan-items.schema.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';
import { getUser } from '../../resources/users/users.queries.ts';
import { refuseRedemption } from '../fulfilment/hold-stock.ts';
import { findCurrentDiscount } from '../pricing/current-discount.ts';
import type { AskedPlan } from '../pricing/quote-plan-change.ts';
import { resolveItems } from '../pricing/resolve-items.ts';

/** The columns as they will be; empty = no code was given, or it takes nothing off and is kept for another time. */
export type PlannedDiscount = Partial<
  Pick<Row<'subscriptions'>, 'discount' | 'discountUses' | 'discountSince' | 'discountBefore'>
>;

export interface AskedDiscount {
  db: Db;
  subscription: Row<'subscriptions'>;
  /** Null = none was given. */
  code: string | null;
  /** The plan that the same update asks for. */
  asked: AskedPlan | null;
  /** Whoever asks is neither the merchant nor the buyer: a price tells them nothing of what the buyer has used. */
  isStranger?: boolean;
}

/**
 * Refuses subscription_state, change_pending, discount_running where one lowers the next payment still, and a code
 * that cannot be used with the words of the checkout.
 */
export async function planDiscount(
  ctx: Context,
  scope: Scope,
  { db, subscription, code, asked, isStranger = false }: AskedDiscount,
): Promise<PlannedDiscount> {
  if (code === null) return {};
  const { pendingPaymentId, currentIntervalEnd, discountUses } = subscription;
  checkAction('update_items', subscription);
  if (pendingPaymentId !== null) throw new Refusal('change_pending');
  const running = readTerms(subscription.discount);
  if (running && isInForce(running, discountUses)) throw new Refusal('discount_running');
  const items = await listNextItems(ctx, scope, { db, subscription, asked });
  const terms = await findUsable(ctx, scope, { db, subscription, code, items, isStranger });
  const priced = priceItems({ items, discount: terms, tax: toRule, fraction: null });
  if (priced.every(({ discountMinor }) => discountMinor === 0n)) return {};
  return {
    discount: storeTerms(terms),
    discountUses: 0,
    // A period whose end has gone by is one of the next, also where its payment is still to be made.
    discountSince: Math.min(ctx.nowMs, currentIntervalEnd ?? ctx.nowMs),
    discountBefore: await toCurrent(db, scope, subscription),
  };
}

/** What the next interval is made of. */
async function listNextItems(
  ctx: Context,
  scope: Scope,
  { db, subscription, asked }: Omit<AskedDiscount, 'code' | 'isStranger'>,
): Promise<PlanItem[]> {
  const { id, currency, scheduledChange } = subscription;
  const kept = toPlanItems(await listSubscriptionItems(db, scope, id));
  if (asked) return (await resolveItems(ctx, scope, { db, lines: asked.lines, currency, kept })).items;
  return scheduledChange === null ? kept : readPlan(scheduledChange).items;
}

async function findUsable(
  ctx: Step,
  scope: Scope,
  {
    db,
    subscription,
    code,
    items,
    isStranger,
  }: Omit<AskedDiscount, 'asked'> & { code: string; items: PlanItem[] },
): Promise<DiscountTerms> {
  const row = await findDiscountByCode(db, scope, code);
  if (!row) throw new Refusal('discount_code_unknown');
  const terms = toTerms(row);
  const { emailNormal } = await getUser(db, scope, subscription.userId);
  const redemptions =
    terms.limitPerUser === null || emailNormal === null || isStranger
      ? null
      : await countUserRedemptions(db, scope, { emailNormal, exceptOrderId: null });
  const refusal = checkDiscount(terms, {
    nowMs: ctx.nowMs,
    currency: subscription.currency,
    offerIds: items.flatMap(({ offerId }) => offerId ?? []),
    userRedemptions: redemptions?.get(terms.id) ?? 0,
  });
  if (refusal) throw new Refusal(refusal);
  return terms;
}

async function toCurrent(db: Db, scope: Scope, subscription: Row<'subscriptions'>): Promise<object | null> {
  const current = await findCurrentDiscount(db, scope, subscription);
  return current && storeTerms(current);
}

/** Of a locked subscription: the discount and its redemption, which its limits may refuse by now. */
export async function writeDiscount(
  ctx: Step,
  scope: Scope,
  { tx, subscription, planned }: { tx: Tx; subscription: Row<'subscriptions'>; planned: PlannedDiscount },
): Promise<Row<'subscriptions'>> {
  const { discount, discountUses, discountSince, discountBefore } = planned;
  const terms = readTerms(discount);
  assert(terms, 'a discount is written where one was planned');
  const taken = await takeRedemption(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    discountId: terms.id,
    orderId: subscription.orderId,
    userId: subscription.userId,
    createdAt: ctx.nowMs,
    putOn: true,
  });
  refuseRedemption(taken);
  return changeSubscription(tx, scope, subscription.id, {
    discount: toJson(discount),
    discountUses,
    discountSince,
    discountBefore: discountBefore ? toJson(discountBefore) : null,
  });
}
