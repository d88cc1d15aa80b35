/** Which plans a buyer may change to, and what is asked of the change. */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { isUpgrade } from '../../domain/portal/plan-direction.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Interval } from '../../domain/subscriptions/period.ts';
import { listPlanOffers, type PlanOffer } from '../../resources/portal/plans.queries.ts';
import {
  listSubscriptionItems,
  type SubscriptionItemRow,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import type { AskedPlan } from '../pricing/quote-plan-change.ts';

/** A preview holds for so long on the workspace's clock. */
export const PREVIEW_MS = 15 * 60_000;

interface Planning {
  db: Db;
  subscription: Row<'subscriptions'>;
  settings: Settings;
}

export interface Plans {
  /** The one thing that is subscribed to; null where there are several, which no page can change. */
  item: SubscriptionItemRow | null;
  offers: PlanOffer[];
}

/** None where the shop changes plans itself; then, and where it is not sold any more, without the one that runs. */
export async function listPlans(
  scope: Scope,
  { db, subscription, settings: { portal } }: Planning,
): Promise<Plans> {
  const [item = null, ...others] = await listSubscriptionItems(db, scope, subscription.id);
  if (item === null || others.length > 0) return { item: null, offers: [] };
  if (portal.planChange === 'off') return { item, offers: [] };
  const { currency } = subscription;
  if (portal.planChange === 'listed') {
    return {
      item,
      offers: await listPlanOffers(db, scope, { of: { offerIds: portal.planChangeOffers }, currency }),
    };
  }
  const of = item.productId === null ? null : { productId: item.productId };
  return { item, offers: of === null ? [] : await listPlanOffers(db, scope, { of, currency }) };
}

export interface AskedByBuyer {
  offerId: string;
  /** Missing = as it is. */
  quantity: number | undefined;
  /** Null = now. */
  prorationDateMs: number | null;
}

/** Throws feature_disabled, and invalid_input for a plan or a quantity that the shop does not offer. */
export async function toAskedPlan(
  ctx: Step,
  scope: Scope,
  { asked, ...planning }: Planning & { asked: AskedByBuyer },
): Promise<AskedPlan> {
  const { subscription, settings } = planning;
  const { portal } = settings;
  const { item, offers } = await listPlans(scope, planning);
  const quantity = asked.quantity ?? item?.quantity ?? 1;
  const isOther = asked.offerId !== item?.offerId;
  if (isOther && portal.planChange === 'off') throw new Refusal('feature_disabled');
  if (item && quantity !== item.quantity && !portal.quantityChange) throw new Refusal('feature_disabled');
  if (item === null) throw new Refusal('subscription_state');
  const target = offers.find(({ offerId }) => offerId === asked.offerId);
  if (isOther && !target) throw invalidField('offerId', 'is no plan that this subscription can change to');
  const from = { priceMinor: item.unitPrice * BigInt(item.quantity), interval: toInterval(subscription) };
  const to = target
    ? { priceMinor: target.price * BigInt(quantity), interval: toInterval(target) }
    : { ...from, priceMinor: item.unitPrice * BigInt(quantity) };
  const behavior = isUpgrade(from, to) ? portal.upgradeProration : portal.downgradeProration;
  const line = {
    path: 'offerId',
    offerId: asked.offerId,
    name: null,
    unitPrice: null,
    currency: null,
    quantity,
  };
  return { lines: [line], behavior, prorationDateMs: asked.prorationDateMs ?? ctx.nowMs };
}

export function toInterval(recurring: {
  recurringInterval: Interval['unit'] | null;
  recurringIntervalCount: number | null;
}): Interval {
  const { recurringInterval: unit, recurringIntervalCount: count } = recurring;
  assert(unit !== null && count !== null, 'what is subscribed to recurs');
  return { unit, count };
}
