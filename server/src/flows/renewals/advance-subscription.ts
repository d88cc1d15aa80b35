/**
 * What a subscription does by itself when its moment has come, one step at a time: load and lock, decide, write;
 * then the processor, outside. A worker may die anywhere: what is left are rows that another goes on from.
 */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { inGroupOrAlone } from '../../db/group-transaction.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assertNever } from '../../domain/assert.ts';
import type { BillingStep } from '../../domain/subscriptions/next-moment.ts';
import { finishDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { type AdoptedCharge, takeAdopted } from '../../resources/payments/adopted-charges.queries.ts';
import { findPendingCharge } from '../../resources/payments/payments.queries.ts';
import {
  type LockedBilling,
  listOpenPayments,
  lockBilling,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { type Collecting, remindOfOwed, retryOwed } from '../dunning/retry-owed.ts';
import { atLock } from '../outbox/at-lock.ts';
import { tellNobody } from '../outbox/told-before.ts';
import { awaitProcessor } from '../payments/await-processor.ts';
import { finishStoredCharge, finishStoredCharges } from '../payments/charge-stored-method.ts';
import type { OpenedCharge } from '../payments/open-charge.ts';
import { reconcileCharge } from '../payments/reconcile-charge.ts';
import { resumeStoredCharge } from '../payments/resume-stored-charge.ts';
import { askSubscribers } from '../pricing/check-tax-number.ts';
import { endSubscription } from '../subscription-lifecycle/end-subscription.ts';
import {
  isChargingPeriod,
  isPeriodCharging,
  nextMomentOf,
  scheduleSubscription,
} from '../subscription-lifecycle/schedule-subscription.ts';
import { endPause } from './end-pause.ts';
import { passPeriod, renewSubscription } from './renew-subscription.ts';

/**
 * One step of each subscription, all of one store and each at its own moment; a step puts down the moment of the
 * next. Tells of each how it went: those whose group fails are advanced by themselves.
 */
export async function advanceSubscriptions(
  service: Omit<Context, 'nowMs'>,
  works: readonly ClaimedWork[],
  ended: (work: ClaimedWork, error?: unknown) => void,
): Promise<void> {
  const [first] = works;
  if (!first) return;
  const { scope } = first;
  const { db } = service;
  const group = works.map((work) => ({ work, ctx: { ...service, nowMs: work.nowMs } }));
  await service.books.readStore(scope);
  await askSubscribers(
    service,
    scope,
    works.map(({ refId }) => refId),
  );
  const taken = await inGroupOrAlone(db, group, (tx, { ctx, work }) =>
    takeStep(ctx, scope, { tx, id: work.refId, work }),
  );
  const charges = group.flatMap((one, place) => {
    const step = taken[place];
    return step?.status === 'fulfilled' && step.value.opened ? [{ ...one, opened: step.value.opened }] : [];
  });
  const finished = await finishStoredCharges(db, scope, charges);
  const failed = new Map<ClaimedWork, unknown>();
  for (const [place, step] of taken.entries()) note(failed, group[place], step);
  for (const [place, charge] of finished.entries()) note(failed, charges[place], charge);
  for (const work of works) ended(work, failed.get(work));
}

function note(
  failed: Map<ClaimedWork, unknown>,
  one: { work: ClaimedWork } | undefined,
  result: PromiseSettledResult<unknown>,
): void {
  if (one && result.status === 'rejected') failed.set(one.work, result.reason);
}

/** More steps than one operation may find due: drafts, and periods of an outage. What is left is the worker's. */
const STEPS_MAX = 24;

/**
 * Takes the steps that are due by now, for an operation that answers with what came of them. What an operation has made
 * due a worker may take up first: its charge is then asked for here as well, by the same call, and not answered as
 * under way.
 */
export async function advanceNow(ctx: Context, scope: Scope, id: string): Promise<void> {
  await ctx.books.readStore(scope);
  await askSubscribers(ctx, scope, [id]);
  let asked: string | null = null;
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const { isDue, opened, charging } = await inTransaction(ctx.db, (tx) => takeStep(ctx, scope, { tx, id }));
    if (opened) await finishStoredCharge(ctx, scope, opened);
    if (isDue) continue;
    // Nothing is due, or its processor does not know yet.
    if (charging === null || charging === asked) return;
    asked = charging;
    await resumeStoredCharge(ctx, scope, charging);
  }
}

/**
 * Periods that have begun by the store's clock and were paid by charges that our rows have lost: each is written with its
 * charge and settled by what its processor says. Nothing else is done, and nothing is asked for.
 */
export async function advanceAdopted(ctx: Context, scope: Scope, id: string): Promise<void> {
  for (let count = 0; count < STEPS_MAX; count += 1) {
    const { isDue } = await inTransaction(ctx.db, (tx) => {
      if (ctx.isToldBefore) tellNobody(tx);
      return takeStep(ctx, scope, { tx, id, isAdopting: true });
    });
    if (!isDue) return;
    await settleAdopted(ctx, scope, id);
  }
}

async function settleAdopted(ctx: Context, scope: Scope, id: string): Promise<void> {
  for (const payment of await listOpenPayments(ctx.db, scope, id)) {
    const charge = await findPendingCharge(ctx.db, scope, payment.id);
    if (charge && charge.processorId !== null)
      await reconcileCharge(ctx, scope, charge, { isToldBefore: ctx.isToldBefore ?? false });
  }
}

/** Steps that book a charge. */
const CHARGING: ReadonlySet<BillingStep> = new Set(['renew', 'retry', 'resume']);

interface Taken {
  isDue: boolean;
  /** The charge that the step has left to be made; its outcome puts down the next moment. */
  opened: OpenedCharge | null;
  /** The period's payment whose charge is under way already: nothing is due while it is. */
  charging: string | null;
}

const NOT_DUE: Taken = { isDue: false, opened: null, charging: null };

async function takeStep(
  begun: Step,
  scope: Scope,
  { tx, id, work, isAdopting = false }: { tx: Tx; id: string; work?: ClaimedWork; isAdopting?: boolean },
): Promise<Taken> {
  const subscription = await lockBilling(tx, scope, id);
  const ctx = atLock(begun);
  const open = subscription ? await listOpenPayments(tx, scope, id) : [];
  const isCharging = isChargingPeriod(open);
  const next = subscription ? nextMomentOf(subscription, isCharging) : null;
  if (!subscription || next === null) {
    if (work) await finishDueWork(tx, work);
    return { ...NOT_DUE, charging: open.find(isPeriodCharging)?.id ?? null };
  }
  if (next.atMs > ctx.nowMs) {
    await scheduleSubscription(tx, scope, subscription, { isCharging });
    return NOT_DUE;
  }
  // A period that was paid is written without asking anybody for anything.
  const isPaid = next.step === 'renew' && subscription.isAdopted;
  const mayCharge = !subscription.isHalted && ctx.books.isRead(subscription.connectionId);
  if (!isPaid && (isAdopting || (!mayCharge && CHARGING.has(next.step)))) {
    if (work) await awaitProcessor(tx, work, ctx);
    return NOT_DUE;
  }
  const opened = await applyStep(ctx, scope, next.step, { tx, subscription, open });
  return { isDue: true, opened, charging: null };
}

async function applyStep(
  ctx: Step,
  scope: Scope,
  step: BillingStep,
  collecting: Collecting & { subscription: LockedBilling },
): Promise<OpenedCharge | null> {
  const { tx, subscription } = collecting;
  switch (step) {
    case 'renew':
      return renewSubscription(ctx, scope, {
        ...collecting,
        adopted: subscription.isAdopted ? await takeAdoptedOf(tx, scope, subscription) : undefined,
      });
    case 'pass':
      await passPeriod(ctx, scope, collecting);
      return null;
    case 'retry':
      return retryOwed(ctx, scope, collecting);
    case 'remind':
      await remindOfOwed(ctx, scope, collecting);
      return null;
    case 'resume':
      return endPause(ctx, scope, collecting);
    case 'end': {
      await endSubscription(ctx, scope, {
        tx,
        subscriptionId: subscription.id,
        canceledAt: ctx.nowMs,
        reason: null,
        inPeriod: 'last',
      });
      return null;
    }
    default:
      return assertNever(step);
  }
}

async function takeAdoptedOf(
  tx: Tx,
  scope: Scope,
  { id: subscriptionId, currentIntervalEnd: periodStart }: LockedBilling,
): Promise<AdoptedCharge | undefined> {
  return periodStart === null ? undefined : takeAdopted(tx, scope, { subscriptionId, periodStart });
}
