/** A subscription as its buyer sees it: what is owed, and what may be done now. */
import type { Context } from '../context.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { currencyDecimals } from '../domain/money/currency.ts';
import type { Settings } from '../domain/settings.ts';
import { canAct } from '../domain/states/subscription.ts';
import { toCardPath } from '../flows/dunning/card-link.ts';
import { listPlans } from '../flows/portal/plans.ts';
import { planDiscount } from '../flows/subscriptions/put-discount.ts';
import { hasRedemption } from '../resources/checkouts/holds.queries.ts';
import { findDiscount } from '../resources/discounts/discounts.queries.ts';
import { toAmount } from '../resources/discounts/discounts.schema.ts';
import { findPendingCharge } from '../resources/payments/payments.queries.ts';
import type { BuyerAction, ShownSubscription } from '../resources/portal/subscriptions.schema.ts';
import { loadSubscription } from '../resources/sales/sale.view.ts';
import {
  listOpenPayments,
  type OpenPayment,
} from '../resources/subscriptions/locked-subscription.queries.ts';
import { getSubscription } from '../resources/subscriptions/subscriptions.queries.ts';

const OVERDUE: ReadonlySet<string> = new Set(['past_due', 'unpaid']);

export async function showSubscription(
  ctx: Context,
  scope: Scope,
  { id, settings, store: { state } }: { id: string; settings: Settings; store: { state: string } },
): Promise<ShownSubscription> {
  const row = await getSubscription(ctx.db, scope, id);
  const subscription = await loadSubscription(ctx.db, scope, id);
  const open = await listOpenPayments(ctx.db, scope, id);
  const { publicUrl } = ctx.config;
  const owed = toOwed(row, open, publicUrl);
  const { offers, item } = await listPlans(scope, { db: ctx.db, subscription: row, settings });
  const hasPlans = offers.some(({ offerId }) => offerId !== item?.offerId);
  const offerId = item?.offerId ?? null;
  const canCount = settings.portal.quantityChange && offerId !== null;
  const actions = listActions(row, {
    settings,
    state,
    isOwing: owed !== null,
    canChange: hasPlans || canCount,
    offerId,
  });
  return {
    ...subscription,
    owed,
    actions,
    actionUrl: await findActionUrl(ctx, scope, open),
    cardUrl:
      row.endedAt === null && state !== 'archived' ? `${publicUrl}${await toCardPath(ctx, scope, id)}` : null,
    againUrl: actions.includes('subscribe_again') ? `${publicUrl}/checkout/${offerId}` : null,
    currencyDecimals: currencyDecimals(row.currency),
    ...((actions.includes('cancel') && (await findStayOffer(ctx, scope, { row, settings }))) || NO_OFFER),
  };
}

function toOwed({ status }: Row<'subscriptions'>, open: readonly OpenPayment[], publicUrl: string) {
  if (!OVERDUE.has(status)) return null;
  const owed = open.filter((one) => one.type === 'subscription_interval');
  const [first] = owed;
  if (!first) return null;
  const amount = owed.reduce((sum, { value }) => sum + value, 0n);
  return { amount: Number(amount), payUrl: `${publicUrl}/pay/${first.payToken}` };
}

interface Allowing {
  settings: Settings;
  /** Of the workspace. */
  state: string;
  isOwing: boolean;
  /** There is another plan, or the quantity may be changed. */
  canChange: boolean;
  offerId: string | null;
}

/**
 * What ends with its interval is neither changed nor paused, but kept first: an older tab still offers both. Throws
 * subscription_state.
 */
export function refuseEnding({
  cancelAtIntervalEnd,
}: Pick<Row<'subscriptions'>, 'cancelAtIntervalEnd'>): void {
  if (cancelAtIntervalEnd)
    throw new Refusal('subscription_state', {
      message: 'The subscription ends with its interval: this is not possible.',
    });
}

function listActions(
  { status, waiting, cancelAtIntervalEnd, pendingPaymentId, endedAt }: Row<'subscriptions'>,
  { settings: { portal }, state, isOwing, canChange, offerId }: Allowing,
): BuyerAction[] {
  // An archived shop charges nobody, and nothing is bought where nothing is sold.
  const isCharging = state !== 'archived';
  const isStanding = endedAt === null && status !== 'incomplete_expired';
  const allowed: Array<[BuyerAction, boolean]> = [
    [
      'change',
      canChange &&
        isCharging &&
        !cancelAtIntervalEnd &&
        pendingPaymentId === null &&
        canAct('update_items', status, waiting),
    ],
    ['cancel', !cancelAtIntervalEnd && canAct('cancel_now', status)],
    ['keep', cancelAtIntervalEnd && canAct('set_cancel_flag', status)],
    ['pause', portal.pause && !cancelAtIntervalEnd && canAct('pause', status, waiting)],
    ['resume', canAct('resume', status, waiting)],
    ['pay', isOwing && isCharging],
    ['subscribe_again', !isStanding && offerId !== null && state === 'active'],
  ];
  return allowed.flatMap(([action, isAllowed]) => (isAllowed ? [action] : []));
}

/** Where a charge of it waits for its buyer. */
async function findActionUrl(
  ctx: Context,
  scope: Scope,
  open: readonly OpenPayment[],
): Promise<string | null> {
  for (const { id, status } of open) {
    if (status !== 'PENDING') continue;
    const charge = await findPendingCharge(ctx.db, scope, id);
    if (charge?.actionPath) return `${ctx.config.publicUrl}${charge.actionPath}`;
  }
  return null;
}

type StayOffer = Pick<ShownSubscription, 'stayOffer' | 'stayTerms'>;

const NO_OFFER: StayOffer = { stayOffer: null, stayTerms: null };

/** What is taken off for whoever stays, and what the merchant calls it; null where nothing is offered, or it cannot be taken. */
async function findStayOffer(
  ctx: Context,
  scope: Scope,
  { row, settings }: { row: Row<'subscriptions'>; settings: Settings },
): Promise<StayOffer | null> {
  const { stayDiscountId: id } = settings.portal;
  const discount = id === null ? undefined : await findDiscount(ctx.db, scope, id);
  if (
    !discount?.discountCode ||
    (await hasRedemption(ctx.db, scope, { discountId: discount.id, orderId: row.orderId }))
  )
    return null;
  const { discountCode: code } = discount;
  try {
    const planned = await planDiscount(ctx, scope, { db: ctx.db, subscription: row, code, asked: null });
    if (!planned.discount) return null;
    const { amountType, duration, durationIntervals } = discount;
    const stayTerms = { amount: toAmount(discount), amountType, duration, durationIntervals };
    return { stayOffer: discount.name ?? code, stayTerms };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
