/** Subscriptions of an import that run here from now on, each by itself: one that is refused keeps no other back. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { findDetailsIssues } from '../../domain/billing-details.ts';
import { Refusal } from '../../domain/errors.ts';
import { type ActivationRefusal, refuseActivation } from '../../domain/imports/activation.ts';
import { boundaryMs, periodContaining } from '../../domain/subscriptions/period.ts';
import { listActivatable } from '../../resources/imports/activation.queries.ts';
import { findImport, type ImportRow } from '../../resources/imports/imports.queries.ts';
import {
  findDefaultPaymentMethod,
  findPaymentMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';
import {
  changeSubscription,
  lockBilling,
  type SubscriptionChanges,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { findCharging } from '../payments/provider-of.ts';
import { advanceNow } from '../renewals/advance-subscription.ts';
import { recordSubscriptionEvent } from '../subscription-lifecycle/record-subscription-event.ts';
import { scheduleSubscription } from '../subscription-lifecycle/schedule-subscription.ts';
import { inviteToPay } from './invite-to-pay.ts';

export interface AskedActivation {
  importId: string;
  /** Ids here or refs there; null = all that wait. */
  names: readonly string[] | null;
  chargeMissed: boolean;
  invite: boolean;
}

export interface ActivationResult {
  /** The number, which is the id in the API; null = the import has none by this name. */
  subscriptionId: string | null;
  ref: string;
  status: 'activated' | 'refused';
  code: ActivationRefusal | 'not_found' | null;
  invited: boolean;
}

/** Throws not_found, and import_state for what is not committed. A repeated call goes on where another ended. */
export async function activateImport(
  ctx: Context,
  scope: Scope,
  asked: AskedActivation,
): Promise<{ imported: ImportRow; results: ActivationResult[] }> {
  const imported = await findImport(ctx.db, scope, asked.importId);
  if (!imported) throw new Refusal('not_found');
  if (imported.status !== 'committed')
    throw new Refusal('import_state', { message: `The import is ${imported.status}: commit it first.` });
  const { names } = asked;
  const found = await listActivatable(ctx.db, scope, { imported, names });
  const results: ActivationResult[] = [];
  for (const one of found) results.push(await activateOne(ctx, scope, { asked, ...one }));
  const known = new Set(found.flatMap(({ number, ref }) => [number, ref]));
  for (const ref of names ?? []) {
    const missing = { subscriptionId: null, ref, status: 'refused' as const, code: 'not_found' as const };
    if (!known.has(ref)) results.push({ ...missing, invited: false });
  }
  return { imported, results };
}

interface Activating {
  asked: AskedActivation;
  id: string;
  number: string;
  ref: string;
}

async function activateOne(
  ctx: Context,
  scope: Scope,
  { asked, id, number, ref }: Activating,
): Promise<ActivationResult> {
  const method = await findUsableMethod(ctx, scope, id);
  const { code, isDue } = await inTransaction(ctx.db, (tx) =>
    activate(ctx, scope, { tx, id, methodId: method?.id ?? null, chargeMissed: asked.chargeMissed }),
  );
  if (isDue) await advanceNow(ctx, scope, id);
  const base = { subscriptionId: number, ref };
  if (code === null) return { ...base, status: 'activated', code, invited: false };
  const invited = code === 'payment_method_required' && asked.invite;
  if (invited) await inviteToPay(ctx, scope, id);
  return { ...base, status: 'refused', code, invited };
}

/** Its own, or what its buyer is charged by elsewhere; null where nothing can be charged by it. */
async function findUsableMethod(
  ctx: Context,
  scope: Scope,
  id: string,
): Promise<Row<'paymentMethods'> | null> {
  const subscription = await inTransaction(ctx.db, (tx) => lockBilling(tx, scope, id));
  assert(subscription, 'a subscription is never deleted');
  const { paymentMethodId, userId } = subscription;
  const own = await findPaymentMethod(ctx.db, scope, paymentMethodId);
  const method = own ?? (await findDefaultPaymentMethod(ctx.db, scope, userId)) ?? null;
  if (method === null || isExpired(method, ctx.nowMs)) return null;
  return (await findCharging(ctx, scope, method)) ? method : null;
}

/** A card is good to the end of its month. */
function isExpired({ expMonth, expYear }: Row<'paymentMethods'>, nowMs: number): boolean {
  return expMonth !== null && expYear !== null && Date.UTC(expYear, expMonth) <= nowMs;
}

interface Activated {
  code: ActivationRefusal | null;
  /** A period is to be charged at once. */
  isDue: boolean;
}

async function activate(
  ctx: Step,
  scope: Scope,
  { tx, id, methodId, chargeMissed }: { tx: Tx; id: string; methodId: string | null; chargeMissed: boolean },
): Promise<Activated> {
  const before = await lockBilling(tx, scope, id);
  assert(before, 'a subscription is never deleted');
  const { currentIntervalEnd: paidUntilMs, billingDetails } = before;
  if (before.endedAt !== null || paidUntilMs === null) return { code: 'subscription_state', isDue: false };
  // It runs already: nothing is done twice.
  if (!before.waiting) return { code: null, isDue: false };
  const details = billingDetails ?? {};
  const isTaxable = details.countryCode !== undefined && findDetailsIssues(details).length === 0;
  const code = refuseActivation({
    ...{ nowMs: ctx.nowMs, paidUntilMs, chargeMissed, hasMethod: methodId !== null },
    country: isTaxable ? (details.countryCode ?? null) : null,
  });
  if (code !== null) return { code, isDue: false };
  const isDue = paidUntilMs <= ctx.nowMs;
  const after = await changeSubscription(tx, scope, id, {
    waiting: false,
    version: before.version + 1,
    paymentMethodId: methodId,
    ...(isDue ? toRunning(before, ctx.nowMs) : {}),
  });
  await scheduleSubscription(tx, scope, after);
  await recordSubscriptionEvent(ctx, scope, { tx, subscription: after });
  return { code: null, isDue };
}

/** What went by there is not charged: the next charge is of the period that is running, from its beginning on. */
function toRunning(subscription: Row<'subscriptions'>, nowMs: number): SubscriptionChanges {
  const { anchorAt, recurringInterval: unit, recurringIntervalCount: count } = subscription;
  assert(anchorAt !== null, 'what was imported has an anchor');
  const interval = { unit, count };
  const { index, startMs } = periodContaining(anchorAt, interval, nowMs);
  return {
    currentIntervalStart: boundaryMs(anchorAt, interval, index - 1),
    currentIntervalEnd: startMs,
    stoodStillUntil: nowMs,
  };
}
