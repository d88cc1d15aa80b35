/** Asks the processor for a charge that our row stands for, and settles what it answers. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type {
  ChargeMethod,
  ChargeOutcome,
  DeclinedCharge,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import { loadSale, type Sale } from '../../resources/sales/sale.view.ts';
import { settleOrLeave } from './settle-or-leave.ts';
import { settlePayment } from './settle-payment.ts';

export interface Charging {
  provider: PaymentProvider;
  /** The rows that are there: the charge is pending, and watched. */
  placed: { orderId: string; paymentId: string; chargeId: string; userId: string; amountMinor: bigint };
  currency: string;
  method: ChargeMethod;
  offSession: boolean;
  /** What else belongs into the settling transaction, such as the answer that is kept for a replay. */
  finish?: (tx: Tx, sale: Sale) => Promise<void>;
}

/**
 * Outside any transaction; our charge's id is the processor's idempotency key, so that a repeated call is
 * the same call. A call that breaks is `unknown`, never failed: the reconciler asks later.
 */
export async function chargePayment(ctx: Context, scope: Scope, charging: Charging): Promise<Sale> {
  const { provider, placed, currency, method, offSession, finish } = charging;
  const outcome = await askProcessor(ctx, () =>
    provider.charge({
      scope,
      chargeId: placed.chargeId,
      amountMinor: placed.amountMinor,
      currency,
      customerReference: placed.userId,
      method,
      offSession,
      nowMs: ctx.nowMs,
    }),
  );
  const { orderId, paymentId, chargeId } = placed;
  const { publicUrl } = ctx.config;
  return settleOrLeave(ctx, scope, {
    settle: async (tx) => {
      const sale = await settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
      await finish?.(tx, sale);
      return sale;
    },
    look: { kind: 'watch_order', refId: orderId },
    read: (db) => loadSale(db, scope, { orderId, paymentId, publicUrl }),
  });
}

/**
 * What the processor answers. A call that breaks, or that takes longer than anybody waits, is `unknown`: what it
 * may yet do is found by asking later.
 */
export async function askProcessor(
  ctx: Context,
  ask: () => Promise<ChargeOutcome>,
): Promise<StandingOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ctx.config.processorTimeoutMs, null);
  });
  try {
    const outcome = await Promise.race([ask(), late]);
    if (outcome === null) throw new Error('the processor took too long');
    return outcome.kind === 'invalid' ? toDecline(outcome.message) : outcome;
  } catch (error) {
    ctx.log.warn({ err: error }, 'the processor gave no answer that can be trusted');
    return { kind: 'unknown', lookAgainAtMs: ctx.nowMs };
  } finally {
    clearTimeout(timer);
  }
}

/** Details that passed our own check and that the processor can not use: nothing was charged. */
export function toDecline(message: string): DeclinedCharge {
  return {
    kind: 'declined',
    processorId: null,
    method: { type: 'card', brand: null, last4: null, card: null },
    decline: 'technical',
    reason: 'invalid_card',
    message,
  };
}
