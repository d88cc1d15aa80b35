/** Asks the processor for a charge that our row stands for, and settles what it answers. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import type { PaymentMethodDetails } from '../../providers/payment/method-details.ts';
import type {
  ChargeMethod,
  ChargeOutcome,
  ChargePurpose,
  ChargeRequest,
  DeclinedCharge,
  PaymentProvider,
  PrepareOutcome,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import type { DueWorkKey } from '../../resources/due-work/due-work.sql.ts';
import type { ChargeFactsRow } from '../../resources/payments/charge-facts.queries.ts';
import { nameChargeObject } from '../../resources/payments/charge-object.queries.ts';
import { loadSaleOfPayment, type Sale } from '../../resources/sales/sale.view.ts';
import { getChargeFacts } from './find-charge-facts.ts';
import { isTokenSpent } from './read-token.ts';
import { settleOrLeave } from './settle-or-leave.ts';
import { settlePayment } from './settle-payment.ts';

export interface AskedCharge {
  paymentId: string;
  chargeId: string;
  amountMinor: bigint;
  currency: string;
  userId: string;
  /** Its object at the processor; null or missing = it has none yet. */
  processorId?: string | null;
  /** Missing = the buyer's own purchase. */
  purpose?: ChargePurpose;
  /** Real ms at which this attempt began: so long after it nothing is sent any more. Missing = it begins now. */
  begunRealMs?: number;
  /** Its buyer is on the payment's own page: they come back to no other. */
  isOnPayPage?: boolean;
  /** What is told of it, where that was read with others. */
  factsRow?: ChargeFactsRow | undefined;
}

export interface Charging {
  provider: PaymentProvider;
  /** The rows that are there: the charge is pending, and watched. */
  charge: AskedCharge;
  /** The work that looks after it. */
  look: DueWorkKey;
  method: ChargeMethod;
  offSession: boolean;
  /** What else belongs into the settling transaction, such as the answer that is kept for a replay. */
  finish?: (tx: Tx, sale: Sale) => Promise<void>;
}

/**
 * Outside any transaction; our charge's id is the processor's idempotency key, so that a repeated call is
 * the same call. A call without an answer is `unknown`, never failed: it is asked for later. Throws
 * payment_token_invalid, once the charge is closed, for a token that pays nothing.
 */
export async function chargePayment(ctx: Context, scope: Scope, charging: Charging): Promise<Sale> {
  const { charge, look, method, finish } = charging;
  const { paymentId, chargeId } = charge;
  const ends: Array<(isDecided: boolean) => void> = [];
  let isDecided = false;
  try {
    const named = (processorId: string) => ends.push(ctx.underWay.begin(scope, processorId));
    const outcome = await askForCharge(ctx, scope, { ...charging, named });
    const isSpent = isTokenSpent(method, outcome);
    const settled = await settleOrLeave(ctx, scope, {
      settle: async (tx) => {
        const sale = await settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
        if (!isSpent) await finish?.(tx, sale);
        return sale;
      },
      look,
      read: (db) => loadSaleOfPayment(db, scope, { paymentId, publicUrl: ctx.config.publicUrl }),
    });
    isDecided = DECIDED.includes(outcome.kind) && settled.payment.status !== 'PENDING';
    if (isSpent) throw new Refusal('payment_token_invalid');
    return settled;
  } finally {
    for (const end of ends) end(isDecided);
  }
}

const DECIDED: ReadonlyArray<StandingOutcome['kind']> = ['succeeded', 'declined'];

interface AskingForCharge extends Omit<Charging, 'finish' | 'look'> {
  /** Told what the charge is called there, before money is asked for. */
  named?: (processorId: string) => void;
}

/** What the processor answers; details that it cannot use are a decline. */
export async function askForCharge(
  ctx: Context,
  scope: Scope,
  { provider, charge, method, offSession, named }: AskingForCharge,
): Promise<StandingOutcome> {
  const { chargeId, amountMinor, currency, userId: customerReference } = charge;
  const { purpose = 'purchase', isOnPayPage = false, begunRealMs = ctx.realNowMs() } = charge;
  const facts = provider.prepare
    ? await getChargeFacts(ctx, scope, { chargeId, purpose, isOnPayPage, row: charge.factsRow })
    : null;
  const request: ChargeRequest = {
    scope,
    ...{ chargeId, amountMinor, currency, customerReference, method, offSession, purpose, facts },
    nowMs: ctx.nowMs,
    sendByRealMs: begunRealMs + ctx.config.processorSendWithinMs,
  };
  return askForObject({
    provider,
    request,
    known: charge.processorId ?? null,
    name: (processorId) => {
      named?.(processorId);
      const sent = { sentBy: ctx.processId, sentAt: ctx.realNowMs() };
      return nameChargeObject(ctx.db, scope, { chargeId, processorId, ...sent });
    },
  });
}

export interface AskingForObject {
  provider: PaymentProvider;
  request: ChargeRequest;
  /** As its row names it; null = it names none yet. */
  known: string | null;
  /** Writes it into the row; false where the row has ended meanwhile, or names another. */
  name: (processorId: string) => Promise<boolean>;
}

/** Of a charge, or of a method that is taken for 0. */
export async function askForObject(asking: AskingForObject): Promise<StandingOutcome> {
  const { provider, request } = asking;
  const prepared = await prepareObject(asking);
  if (prepared.kind !== 'prepared') return toStanding(prepared);
  return toStanding(await provider.charge({ ...request, processorId: prepared.processorId }));
}

/**
 * The object's id is committed before money is asked for: whoever comes later asks about that object, or for it, and
 * never for another. Where it cannot be named, because the charge has ended meanwhile or is another object, this one is
 * cancelled and nothing is asked for.
 */
async function prepareObject({
  provider,
  request,
  known,
  name,
}: AskingForObject): Promise<
  Exclude<PrepareOutcome, { kind: 'prepared' }> | { kind: 'prepared'; processorId: string | null }
> {
  if (!provider.prepare || known !== null) return { kind: 'prepared', processorId: known };
  const prepared = await provider.prepare(request);
  if (prepared.kind !== 'prepared') return prepared;
  const { processorId } = prepared;
  if (await name(processorId)) return prepared;
  const { scope, chargeId, nowMs } = request;
  await provider.cancel({ scope, chargeId, processorId, nowMs });
  return { kind: 'unknown', lookAgainAtMs: null };
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
