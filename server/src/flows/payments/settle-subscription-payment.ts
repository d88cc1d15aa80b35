/**
 * Payments of a subscription after its first: renewals, plan changes, extra charges. The order does not move
 * with them; the subscription may.
 */

import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toSettings } from '../../domain/settings.ts';
import { move } from '../../domain/states/machine.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import {
  type BilledChanges,
  planAfterDeclined,
  planAfterPaid,
} from '../../domain/subscriptions/after-payment.ts';
import { ERRORS_WINDOW_MS } from '../../domain/subscriptions/dunning.ts';
import type { DeclinedCharge, SucceededCharge } from '../../providers/payment/payment-provider.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { DueWorkKey } from '../../resources/due-work/due-work.sql.ts';
import {
  findPaymentMethod,
  insertPaymentMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';
import {
  countTechnicalDeclines,
  findCharge,
  updateCharge,
  updatePayment,
} from '../../resources/payments/payments.queries.ts';
import type { LockedSale } from '../../resources/sales/locked-sale.queries.ts';
import { type Sale, toEventData } from '../../resources/sales/sale.view.ts';
import {
  changeSubscription,
  listOpenPayments,
  lockOfLockedOrder,
  type SubscriptionChanges,
  takeMethod,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { getStore } from '../../resources/workspaces/workspaces.queries.ts';
import { countDecline } from '../limits/count-declines.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';
import { type NewEvent, recordEvents } from '../outbox/record-event.ts';
import { applyPlanChange, dropPlanChange } from '../subscription-lifecycle/apply-plan-change.ts';
import { endDunning } from '../subscription-lifecycle/end-dunning.ts';
import {
  findOwed,
  isChargingPeriod,
  scheduleSubscription,
} from '../subscription-lifecycle/schedule-subscription.ts';
import { computeBuyerEndMs } from './keep-waiting.ts';
import { lookBackAtMethod } from './look-back-at-method.ts';
import { NO_PROCESSOR } from './open-charge.ts';
import {
  closeCharge,
  placeInPeriod,
  readSale,
  recordPaid,
  type Settling,
  toPaymentEvent,
} from './record-paid.ts';

/** Whether settling it is this file's: payments that carry no order. */
export function isSubscriptionPayment({ paymentType }: Pick<LockedSale, 'paymentType'>): boolean {
  return ['subscription_interval', 'subscription_update', 'subscription_extra'].includes(paymentType);
}

/** Moves the payment, and the subscription where the payment was for a period. */
export async function settleSubscriptionPaid(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge | null>,
): Promise<Sale> {
  if (outcome) await storeTypedCard(ctx, scope, { tx, sale, outcome });
  const before = await lockSubscriptionOf(tx, scope, sale);
  const changes = await planPaid(ctx, scope, { tx, sale, before });
  const after = await applyChanges(tx, scope, { sale, before, changes });
  return recordPaid(ctx, scope, {
    tx,
    sale,
    outcome,
    // A change of the plan has written more than this row.
    subscription: sale.paymentType === 'subscription_interval' ? after : undefined,
    toEvents: (success) => toPaidEvents(sale, success, { before, after }),
  });
}

/** A card that the buyer typed pays what else is owed, and renewals if the buyer wants it. */
async function storeTypedCard(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<SucceededCharge>,
): Promise<void> {
  const { chargeId, processor, connectionId, subscriptionId, userId } = sale;
  const { storedReference: reference, method: details } = outcome;
  if (sale.offSession !== false || reference === null || !chargeId || !processor || !subscriptionId) return;
  const createdAt = ctx.nowMs;
  const methodId = await insertPaymentMethod(tx, scope, {
    id: ctx.ids.next(createdAt),
    userId,
    processor,
    connectionId,
    reference,
    details,
    expiry: outcome.cardExpiry,
    createdAt,
    // Given by who holds the payment's link, for this subscription.
    as: 'apart',
  });
  await lookBackAtMethod(ctx, scope, { tx, connectionId, reference, type: details.type });
  await updateCharge(tx, scope, { id: chargeId, paymentMethodId: methodId });
  if (sale.keepsMethod) await takeMethod(tx, scope, { methodId, of: { subscriptionId } });
}

interface Moved {
  before: Row<'subscriptions'>;
  after: Row<'subscriptions'>;
}

async function lockSubscriptionOf(tx: Tx, scope: Scope, sale: LockedSale): Promise<Row<'subscriptions'>> {
  assert(sale.subscriptionId, 'a later payment belongs to a subscription');
  return lockOfLockedOrder(tx, scope, sale.subscriptionId);
}

async function planPaid(
  ctx: Step,
  scope: Scope,
  { tx, sale, before }: { tx: Tx; sale: LockedSale; before: Row<'subscriptions'> },
): Promise<BilledChanges | SubscriptionChanges> {
  const { paymentId, paymentType } = sale;
  // The change that waited for its money holds now.
  if (paymentType === 'subscription_update')
    return applyPlanChange(ctx, scope, { tx, subscription: before, paymentId });
  if (paymentType !== 'subscription_interval') return {};
  // The common renewal owes nothing else: whatever is owed makes it past due.
  const mayOwe = before.status !== 'active' && before.status !== 'trialing';
  const open = mayOwe ? await listOpenPayments(tx, scope, before.id) : [];
  return planAfterPaid(before, { nowMs: ctx.nowMs, owed: findOwed(open, paymentId) });
}

/**
 * Writes what changes of the subscription, with a version of its own when it is told, and its next moment in place
 * of the look at the charge.
 */
async function applyChanges(
  tx: Tx,
  scope: Scope,
  {
    sale,
    before,
    changes,
  }: { sale: LockedSale; before: Row<'subscriptions'>; changes: BilledChanges | SubscriptionChanges },
): Promise<Row<'subscriptions'>> {
  // Of a plan it is the value that comes with the new items.
  const isTold = changes.status !== undefined || 'value' in changes;
  const version = isTold ? before.version + 1 : before.version;
  const isChanged = Object.keys(changes).length > 0;
  const after = isChanged ? await changeSubscription(tx, scope, before.id, { ...changes, version }) : before;
  const ended: DueWorkKey = { kind: 'watch_payment', refId: sale.paymentId };
  if (sale.paymentType === 'subscription_interval') {
    await scheduleSubscription(tx, scope, after, { isCharging: false, ended });
  } else if (sale.paymentType === 'subscription_update' && isChanged) {
    // The boundary has waited for this payment.
    const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, before.id));
    await scheduleSubscription(tx, scope, after, { isCharging, ended });
  } else {
    await deleteDueWork(tx, scope, ended.kind, ended.refId);
  }
  return after;
}

/** Of a recovered renewal: `payment_success`, `subscription_interval`, and the change of the subscription last. */
function toPaidEvents(sale: LockedSale, success: NewEvent, moved: Moved): NewEvent[] {
  const interval: NewEvent[] =
    sale.paymentType === 'subscription_interval' ? [{ ...success, type: 'subscription_interval' }] : [];
  return [success, ...interval, ...toUpdated(success, moved)];
}

/** The change of the subscription beside a payment's event; none where its version stays. */
function toUpdated(event: NewEvent, { before, after }: Moved): NewEvent[] {
  if (after.version === before.version) return [];
  const updated: NewEvent = {
    ...event,
    type: 'subscription_updated',
    entityId: after.id,
    entityVersion: after.version,
  };
  // The plan that waited for its payment holds now, also one of the same sum: one that is off moves no version.
  const hasNewPlan = before.pendingPaymentId !== null && after.pendingPaymentId === null;
  return [hasNewPlan ? { ...updated, mail: 'subscription_changed' } : updated];
}

/** A decline: dunning begins or goes on, unless somebody else than the run itself tried. */
export async function settleSubscriptionFailed(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<DeclinedCharge>,
): Promise<Sale> {
  await closeCharge(ctx, scope, { tx, sale, outcome });
  const before = await lockSubscriptionOf(tx, scope, sale);
  const isPeriod = sale.paymentType === 'subscription_interval';
  const card = isPeriod ? await findCardOf(tx, scope, { sale, before }) : 'other';
  await planCollecting(ctx, scope, { tx, card, subscriptionId: before.id });
  await writeFailed(tx, scope, { sale, closed: toClosed(ctx, { sale, before }) });
  const { settings } = isPeriod ? await getStore(tx, scope) : { settings: {} };
  const { dunning } = toSettings(settings);
  const { decline } = outcome;
  const plan = isPeriod
    ? planAfterDeclined(before, {
        nowMs: ctx.nowMs,
        decline,
        recentErrors: decline === 'technical' ? await countErrors(ctx, scope, { tx, sale }) : 0,
        terms: dunning,
        isOwnCard: card === 'own',
        isBuyers: sale.offSession === false,
      })
    : ({ kind: 'goes_on', changes: {} } as const);
  // A change that waited for this payment is off: the old plan stays.
  const dropped = await dropPlanChange(ctx, scope, { tx, subscription: before, paymentId: sale.paymentId });
  const changes = { ...(plan.kind === 'goes_on' ? plan.changes : {}), ...dropped };
  const after = await applyChanges(tx, scope, { sale, before, changes });
  const failed = await readSale(ctx, scope, { tx, sale });
  const event = toPaymentEvent(ctx, sale, { type: 'payment_failed', data: toEventData(failed) });
  // What the run comes to is one mail: it tells of the last failure, too. After the end nobody is asked to pay.
  const isMailed = plan.kind !== 'over' && before.endedAt === null && !isErrorAgain(plan.changes);
  // Whoever has the payment's link can press again and again.
  const isMailHeldBack =
    isMailed && sale.offSession === false && sale.userEmail !== null
      ? await isMailOneTooMany(ctx, scope, { db: tx, kind: 'payment_failed', to: sale.userEmail })
      : false;
  // Of an extra charge whoever asked for it reads the answer, but not one that comes days later.
  const late = sale.chargeExpectedBy === null ? {} : { mail: 'payment_failed' as const };
  const told = isMailed ? { ...event, ...late, isMailHeldBack } : { ...event, mail: null };
  await recordEvents(tx, scope, ctx.ids, placeInPeriod(sale, [told, ...toUpdated(event, { before, after })]));
  if (sale.offSession === false) {
    const { ipAddress, userEmail: email } = sale;
    await countDecline(ctx, scope, { db: tx, outcome, sessionId: null, ipAddress, email });
  }
  if (plan.kind === 'goes_on') return failed;
  await endDunning(ctx, scope, { tx, subscription: after, end: dunning.end });
  return readSale(ctx, scope, { tx, sale });
}

/** An error that is tried again within the hour, or daily, is no step of the run: its first one was told. */
function isErrorAgain({ dunningErrors = 0 }: BilledChanges): boolean {
  return dunningErrors > 1;
}

/** The card that the subscription is charged by now, one that it has replaced since, or one of the buyer's others. */
type ChargedCard = 'own' | 'replaced' | 'other';

async function findCardOf(
  tx: Tx,
  scope: Scope,
  { sale, before }: { sale: LockedSale; before: Row<'subscriptions'> },
): Promise<ChargedCard> {
  assert(sale.chargeId, 'an outcome belongs to a charge');
  const charge = await findCharge(tx, scope, sale.chargeId);
  assert(charge, 'an outcome belongs to a charge');
  if (charge.paymentMethodId === before.paymentMethodId) return 'own';
  const stored = await findPaymentMethod(tx, scope, before.paymentMethodId);
  // Nothing was there to charge: it is gone where it was kept, or has come since.
  if (charge.processor === NO_PROCESSOR) return stored?.endedAt === null ? 'replaced' : 'own';
  return stored && stored.createdAt > charge.createdAt ? 'replaced' : 'other';
}

/** Of its method, the charge that was closed just now included. */
async function countErrors(
  ctx: Step,
  scope: Scope,
  { tx, sale: { userId, chargeMethodId } }: { tx: Tx; sale: LockedSale },
): Promise<number> {
  if (chargeMethodId === null) return 1;
  const sinceMs = ctx.nowMs - ERRORS_WINDOW_MS;
  return countTechnicalDeclines(tx, scope, { userId, methodId: chargeMethodId, sinceMs });
}

/** What is owed is not tried again with a card that was declined. One that came in its place meanwhile is, at once. */
async function planCollecting(
  ctx: Step,
  scope: Scope,
  { tx, card, subscriptionId: refId }: { tx: Tx; card: ChargedCard; subscriptionId: string },
): Promise<void> {
  if (card === 'own') await deleteDueWork(tx, scope, 'collect_owed', refId);
  if (card === 'replaced')
    await insertDueWork(tx, scope, [{ kind: 'collect_owed', refId, dueMs: ctx.nowMs }]);
}

/** What becomes of a failed payment that nobody can pay any more; null = it stays FAILED. */
function toClosed(
  ctx: Step,
  { sale, before }: { sale: LockedSale; before: Row<'subscriptions'> },
): 'CANCELLED' | 'EXPIRED' | null {
  if (before.status === 'canceled') return 'CANCELLED';
  if (sale.paymentType !== 'subscription_update') return null;
  // The buyer has let the time to authenticate go by.
  const { chargeCreatedAt } = sale;
  const isLate =
    chargeCreatedAt !== null && ctx.nowMs >= computeBuyerEndMs({ chargeCreatedAt, expiresAt: null });
  return isLate ? 'EXPIRED' : null;
}

async function writeFailed(
  tx: Tx,
  scope: Scope,
  { sale, closed }: { sale: LockedSale; closed: 'CANCELLED' | 'EXPIRED' | null },
): Promise<void> {
  const failed = move(PAYMENT, sale.paymentStatus, 'FAILED');
  await updatePayment(tx, scope, {
    id: sale.paymentId,
    status: closed === null ? failed : move(PAYMENT, failed, closed),
    version: sale.paymentVersion + 1,
  });
}
