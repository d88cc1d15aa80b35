/** Asks the processor for a charge that our row stands for, and settles what it answers. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import type {
  ChargeMethod,
  ChargeOutcome,
  DeclinedCharge,
  PaymentMethodDetails,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import type { DueWorkKey } from '../../resources/due-work/due-work.sql.ts';
import { loadSaleOfPayment, type Sale } from '../../resources/sales/sale.view.ts';
import { settleOrLeave } from './settle-or-leave.ts';
import { settlePayment } from './settle-payment.ts';

export interface Charging {
  provider: PaymentProvider;
  /** The rows that are there: the charge is pending, and watched. */
  charge: {
    paymentId: string;
    chargeId: string;
    amountMinor: bigint;
    currency: string;
    userId: string;
  };
  /** The work that looks after it. */
  look: DueWorkKey;
  method: ChargeMethod;
  offSession: boolean;
  /** What else belongs into the settling transaction, such as the answer that is kept for a replay. */
  finish?: (tx: Tx, sale: Sale) => Promise<void>;
}

/**
 * Outside any transaction; our charge's id is the processor's idempotency key, so that a repeated call is
 * the same call. A call without an answer is `unknown`, never failed: it is asked for later.
 */
export async function chargePayment(ctx: Context, scope: Scope, charging: Charging): Promise<Sale> {
  const { charge, look, finish } = charging;
  const { paymentId, chargeId } = charge;
  const outcome = await askForCharge(ctx, scope, charging);
  return settleOrLeave(ctx, scope, {
    settle: async (tx) => {
      const sale = await settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
      await finish?.(tx, sale);
      return sale;
    },
    look,
    read: (db) => loadSaleOfPayment(db, scope, { paymentId, publicUrl: ctx.config.publicUrl }),
  });
}

/** What the processor answers; details that it can not use are a decline. */
export async function askForCharge(
  ctx: Context,
  scope: Scope,
  { provider, charge, method, offSession }: Omit<Charging, 'finish' | 'look'>,
): Promise<StandingOutcome> {
  const { chargeId, amountMinor, currency, userId: customerReference } = charge;
  const sums = { chargeId, amountMinor, currency, customerReference };
  const outcome = await provider.charge({ scope, ...sums, method, offSession, nowMs: ctx.nowMs });
  return toStanding(outcome);
}

function toStanding(outcome: ChargeOutcome): StandingOutcome {
  return outcome.kind === 'invalid' ? toDecline('invalid_card', outcome.message) : outcome;
}

const UNKNOWN_METHOD: PaymentMethodDetails = { type: 'card', brand: null, last4: null, card: null };

/** A charge that was not made, as a decline that is nobody's fault. */
export function toDecline(reason: string, message: string): DeclinedCharge {
  return {
    kind: 'declined',
    processorId: null,
    method: UNKNOWN_METHOD,
    decline: 'technical',
    reason,
    message,
  };
}
