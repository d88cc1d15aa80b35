/**
 * Money that a processor has taken for us, by an object that no row of ours names: the rows are of before it, as in a store
 * that was restored. By what the processor was told of it then, its charge and the payment of its period are written
 * again, with the ids of then, so that nobody is charged a second time.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { WHOLE_ID } from '../../domain/numbers.ts';
import type { BookedCharge } from '../../providers/payment/books.ts';
import type { PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { noteAdopted } from '../../resources/payments/adopted-charges.queries.ts';
import { nameChargeObject } from '../../resources/payments/charge-object.queries.ts';
import { findCharge, findPayment, findPendingCharge } from '../../resources/payments/payments.queries.ts';
import { findSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { adoptCharge } from '../payments/adopt-charge.ts';
import { FACT, toStoreName } from '../payments/find-charge-facts.ts';
import { reconcileCharge } from '../payments/reconcile-charge.ts';
import { advanceAdopted } from '../renewals/advance-subscription.ts';
import { toPeriodPaymentId } from '../subscription-lifecycle/write-subscription-payment.ts';

export interface Lost {
  row: Row<'processors'>;
  provider: PaymentProvider;
  /** It has succeeded, and bears the names of this store. */
  theirs: BookedCharge;
}

export interface Adoption {
  /** `repaired`: its row is there, or waits for a person now, since other money was taken than is owed. */
  kind: 'adopted' | 'repaired' | 'unknown_money';
  /** Null = none is written: its period has not begun, or nobody knows what it was for. */
  charge: Row<'charges'> | null;
}

/** By what it was told when it was made. */
export function isOfStore({ metadata }: BookedCharge, scope: Scope, installId: string): boolean {
  return metadata[FACT.install] === installId && metadata[FACT.store] === toStoreName(scope);
}

const UNKNOWN: Adoption = { kind: 'unknown_money', charge: null };

export async function adoptLost(ctx: Context, scope: Scope, lost: Lost): Promise<Adoption> {
  const { processorId, metadata } = lost.theirs;
  const chargeId = metadata[FACT.charge] ?? '';
  const paymentId = metadata[FACT.payment] ?? '';
  if (!WHOLE_ID.test(chargeId)) return UNKNOWN;
  // Its row was written, and lost the name of its object.
  if (await nameChargeObject(ctx.db, scope, { chargeId, processorId })) {
    const charge = await findCharge(ctx.db, scope, chargeId);
    if (charge) await reconcileCharge(ctx, scope, charge);
    return { kind: 'repaired', charge: (await findCharge(ctx.db, scope, chargeId)) ?? null };
  }
  if (!WHOLE_ID.test(paymentId) || (await findCharge(ctx.db, scope, chargeId))) return UNKNOWN;
  const isPaymentThere = (await findPayment(ctx.db, scope, paymentId)) !== undefined;
  const isAdopted = isPaymentThere
    ? await adoptOntoPayment(ctx, scope, { ...lost, chargeId, paymentId })
    : await adoptPeriod(ctx, scope, { ...lost, chargeId, paymentId });
  if (!isAdopted) return UNKNOWN;
  const charge = (await findCharge(ctx.db, scope, chargeId)) ?? null;
  return { kind: charge?.hold != null ? 'repaired' : 'adopted', charge };
}

type Named = Lost & { chargeId: string; paymentId: string };

/** A further try, or the first one of an order that was placed before. */
async function adoptOntoPayment(
  ctx: Context,
  scope: Scope,
  { row, provider, theirs, chargeId, paymentId }: Named,
): Promise<boolean> {
  const { processorId, metadata } = theirs;
  const offSession = metadata[FACT.purpose] !== 'purchase';
  const open = await findPendingCharge(ctx.db, scope, paymentId);
  if (open) await reconcileCharge(ctx, scope, open);
  const purpose = offSession ? ('renewal' as const) : ('purchase' as const);
  const reference = { scope, chargeId, processorId, purpose, expectedByMs: null, nowMs: ctx.nowMs };
  const outcome = await provider.lookUp(reference);
  if (outcome.kind !== 'succeeded') return false;
  const lost = { chargeId, processor: row.kind, connectionId: row.id, processorId, offSession };
  return adoptCharge(ctx, scope, { paymentId, lost, outcome });
}

/** A period whose payment is still to come: it is written with its charge, now or when the period begins. */
async function adoptPeriod(
  ctx: Context,
  scope: Scope,
  { row, theirs, chargeId, paymentId }: Named,
): Promise<boolean> {
  const { processorId, metadata } = theirs;
  const subscriptionId = metadata[FACT.subscription] ?? '';
  const periodStart = Number(metadata[FACT.period]);
  if (!WHOLE_ID.test(subscriptionId) || !Number.isSafeInteger(periodStart) || periodStart < 0) return false;
  if (toPeriodPaymentId(scope, { subscriptionId, startMs: periodStart }) !== paymentId) return false;
  const subscription = await findSubscription(ctx.db, scope, subscriptionId);
  // Of one that has ended here no period comes any more.
  if (!subscription || subscription.endedAt !== null) return false;
  const of = { subscriptionId, periodStart };
  const adopted = { ...of, chargeId, paymentId, processorId, connectionId: row.id };
  if (!(await inTransaction(ctx.db, (tx) => noteAdopted(tx, scope, adopted)))) return false;
  await advanceAdopted(ctx, scope, subscriptionId);
  return true;
}
