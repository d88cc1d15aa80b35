/**
 * What has become of a charge under way. The processor has the last word and is asked for it: neither time nor its
 * not having seen the charge closes one, since the call may yet arrive. Whoever comes first settles; for the others
 * there is nothing left to do.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { isInitialPayment } from '../../domain/states/payment.ts';
import type { PaymentMethodDetails } from '../../providers/payment/method-details.ts';
import type {
  DeclinedCharge,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findPayment, type PaymentRow } from '../../resources/payments/payments.queries.ts';
import { tellNobody } from '../outbox/told-before.ts';
import { cancelAtProcessor } from './cancel-at-processor.ts';
import { toDecline } from './charge-payment.ts';
import { askForStored, toRefused, withoutBuyer } from './charge-stored-method.ts';
import { computeBuyerEndMs, keepUnanswered } from './keep-waiting.ts';
import { lookUpCharge, toOpened } from './look-up-charge.ts';
import { NO_PROCESSOR } from './open-charge.ts';
import { providerOf } from './provider-of.ts';
import { settlePayment } from './settle-payment.ts';

/** Why a charge failed that never came to the processor, and that it was told to refuse. */
export const INTERRUPTED = 'interrupted';

/**
 * For a buyer who waits: settles what is decided, and tells them where it is their bank's turn now. All else stays with
 * the work that looks after the charge. Answers whether it was decided.
 */
export async function settleDecided(ctx: Context, scope: Scope, charge: Row<'charges'>): Promise<boolean> {
  const provider = await providerOf(ctx, scope, charge);
  if (!provider || charge.hold !== null) return false;
  const outcome = await lookUpCharge(ctx, scope, { provider, charge });
  const isDecided = outcome.kind === 'succeeded' || outcome.kind === 'declined';
  const isApproved = outcome.kind === 'pending' && charge.actionPath !== null;
  if (isDecided || isApproved) await settle(ctx, scope, charge, outcome);
  return isDecided;
}

/**
 * One look of the work that looks after a pending charge: settles it, or puts down the next look. `isToldBefore`: a store
 * that was lost has settled it, too.
 */
export async function reconcileCharge(
  ctx: Context,
  scope: Scope,
  charge: Row<'charges'>,
  { isToldBefore = false } = {},
): Promise<void> {
  const { processor, paymentId } = charge;
  // A person decides on it.
  if (charge.hold !== null) return;
  // It was never sent anywhere.
  if (processor === NO_PROCESSOR) {
    return settle(ctx, scope, charge, toRefused('no_payment_method', 'There is no card to charge.'));
  }
  const payment = await findPayment(ctx.db, scope, paymentId);
  assert(payment, 'a charge has its payment');
  const provider = await providerOf(ctx, scope, charge);
  const expiresAt = isInitialPayment(payment.type) ? payment.orderExpiresAt : null;
  const buyerEndMs = computeBuyerEndMs({ chargeCreatedAt: charge.createdAt, expiresAt });
  // Past their time nobody will authenticate any more.
  const isLate = charge.actionPath !== null && buyerEndMs <= ctx.nowMs;
  const outcome =
    provider &&
    (isLate || payment.status !== 'PENDING'
      ? await stop(ctx, scope, { provider, charge, declined: toUnauthenticated(charge) })
      : await look(ctx, scope, { provider, charge, payment }));
  if (outcome) await settle(ctx, scope, charge, outcome, isToldBefore);
  else await inTransaction(ctx.db, (tx) => keepUnanswered(ctx, scope, { tx, charge }));
}

interface Looking {
  provider: PaymentProvider;
  charge: Row<'charges'>;
  payment: PaymentRow;
}

/** Null = there was no answer. */
async function look(ctx: Context, scope: Scope, looking: Looking): Promise<StandingOutcome | null> {
  const { provider, charge, payment } = looking;
  const { id: chargeId, offSession } = charge;
  const begunRealMs = ctx.realNowMs();
  const found = await lookUpCharge(ctx, scope, { provider, charge });
  if (found.kind === 'no_answer') return null;
  if (found.kind === 'absent') return goOn(ctx, scope, { ...looking, begunRealMs });
  const attempt = { chargeId, type: payment.type, offSession };
  return withoutBuyer(ctx, scope, { provider, charge: attempt, outcome: found });
}

/**
 * The processor has not seen the charge. A stored method is charged again, which is the same call; where that brings no
 * answer either, the look had none. Of a typed card nothing was kept: only once the processor refuses the charge for good
 * may the buyer try again.
 */
async function goOn(
  ctx: Context,
  scope: Scope,
  { provider, charge, payment, begunRealMs }: Looking & { begunRealMs: number },
): Promise<StandingOutcome | null> {
  const isWanted = payment.subscriptionStatus !== 'canceled';
  const stored = isWanted ? await findPaymentMethod(ctx.db, scope, charge.paymentMethodId) : undefined;
  if (stored) {
    const { reference } = stored;
    const opened = await toOpened(ctx, scope, { charge, payment, reference, begunRealMs });
    const outcome = await askForStored(ctx, scope, opened);
    const isNoAnswer = outcome.kind === 'unknown' && outcome.lookAgainAtMs === null && !outcome.isOurFault;
    return isNoAnswer ? null : outcome;
  }
  const declined = isWanted
    ? toDecline(INTERRUPTED, 'The payment was interrupted. Please try again.')
    : { ...toDecline('canceled', 'The payment was cancelled.'), decline: 'soft' as const };
  return stop(ctx, scope, { provider, charge, declined });
}

/** From here on the processor takes no money for it, or it tells that it has. Null = there was no answer. */
async function stop(
  ctx: Context,
  scope: Scope,
  { provider, charge, declined }: Omit<Looking, 'payment'> & { declined: DeclinedCharge },
): Promise<StandingOutcome | null> {
  const { id: chargeId, processorId } = charge;
  const cancelled = await cancelAtProcessor(ctx, scope, { provider, chargeId, processorId });
  if (cancelled.kind === 'taken') return cancelled.outcome;
  return cancelled.kind === 'cancelled' ? declined : null;
}

async function settle(
  ctx: Context,
  scope: Scope,
  { id: chargeId, paymentId }: Row<'charges'>,
  outcome: StandingOutcome,
  isToldBefore = false,
): Promise<void> {
  await inTransaction(ctx.db, (tx) => {
    if (isToldBefore) tellNobody(tx);
    return settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
  });
}

/** The buyer did not authenticate, in their time or before they took another way. */
export function toUnauthenticated({ processorId, paymentMethod }: Row<'charges'>): DeclinedCharge {
  const declined = toDecline('authentication_failed', 'The authentication was not completed.');
  // Stored from an earlier outcome of the same charge.
  const method = (paymentMethod as PaymentMethodDetails | null) ?? declined.method;
  return { ...declined, processorId, method, decline: 'soft' };
}
