/** A charge that stays pending: its buyer must authenticate, the processor has not decided, or nobody answered. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { computeBuyerLookMs, computeFaultyLookMs, computeNextLookMs } from '../../domain/payments/watch.ts';
import type { TransferInstructions } from '../../domain/processors/transfer.ts';
import type {
  AskedAction,
  DeclinedCharge,
  RedirectAction,
  StandingOutcome,
  SucceededCharge,
} from '../../providers/payment/payment-provider.ts';
import { clearSessionError } from '../../resources/checkouts/checkouts.queries.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { findCharge, updateCharge } from '../../resources/payments/payments.queries.ts';
import { type LockedSale, lockSale } from '../../resources/sales/locked-sale.queries.ts';
import type { Sale } from '../../resources/sales/sale.view.ts';
import { isMailOneTooMany } from '../limits/hold-back-mail.ts';
import { queueBuyerMails } from '../outbox/queue-mail.ts';
import { toBehindAdvance, toSilentLook } from './behind-advance.ts';
import { toWatch } from './open-charge.ts';
import { readSale, type Settling } from './record-paid.ts';

/** A later payment waits no longer than this for its buyer's authentication, an order until it expires. */
const BUYER_HAS_MS = 24 * 3_600_000;

/** Until when the buyer of a charge may authenticate it. */
export function computeBuyerEndMs({
  chargeCreatedAt,
  expiresAt,
}: {
  chargeCreatedAt: number;
  /** Of the order that the payment carries; null = the payment carries none that is open. */
  expiresAt: number | null;
}): number {
  return expiresAt ?? chargeCreatedAt + BUYER_HAS_MS;
}

type WaitingOutcome = Exclude<StandingOutcome, SucceededCharge | DeclinedCharge>;

/** Puts down the next look, in the settling transaction. Nothing expires and no hold lapses before it is decided. */
export async function keepWaiting(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<WaitingOutcome>,
): Promise<Sale> {
  const { chargeId, paymentType } = sale;
  assert(chargeId, 'an outcome belongs to a charge');
  if (isFaulty(outcome, sale))
    await insertDueWork(tx, scope, [{ ...toWatch(sale), dueMs: computeFaultyLookMs(ctx.nowMs) }]);
  else if (isSilent(outcome, sale)) await repeatLook(ctx, scope, { tx, sale, chargeId });
  else await lookNext(ctx, scope, { tx, sale, outcome });
  // What comes of it moves the subscription on, unless the payment has been paid by another charge meanwhile.
  const isPeriod = paymentType === 'subscription_interval' && sale.paymentStatus === 'PENDING';
  if (isPeriod && sale.subscriptionId)
    await deleteDueWork(tx, scope, 'advance_subscription', sale.subscriptionId);
  return readSale(ctx, scope, { tx, sale });
}

/** Nobody waits for it who could pay in another way meanwhile. */
function isFaulty(outcome: WaitingOutcome, { offSession }: LockedSale): boolean {
  return outcome.kind === 'unknown' && outcome.isOurFault === true && offSession === true;
}

/** It was asked for again, by the same call, and nobody answered: no more than a look that had no answer. */
function isSilent(outcome: WaitingOutcome, { lookCount }: LockedSale): boolean {
  return outcome.kind === 'unknown' && outcome.lookAgainAtMs === null && (lookCount ?? 0) > 0;
}

async function lookNext(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome }: Settling<WaitingOutcome>,
): Promise<void> {
  const { chargeId, chargeCreatedAt, orderId, paymentId, paymentType } = sale;
  assert(chargeId && chargeCreatedAt !== null, 'an outcome belongs to a charge');
  const isForBuyer = outcome.kind === 'needs_action';
  // Each of the two waits has its own times.
  const lookCount = isForBuyer === (sale.actionPath !== null) ? (sale.lookCount ?? 0) : 0;
  await updateCharge(tx, scope, {
    id: chargeId,
    lookCount: lookCount + 1,
    silentLooks: 0,
    actionPath: isForBuyer ? toActionPath(outcome.action, sale) : null,
    ...(outcome.kind === 'pending' && outcome.expectedByMs !== undefined
      ? { expectedBy: outcome.expectedByMs }
      : {}),
    ...(outcome.kind === 'unknown'
      ? {}
      : { processorId: outcome.processorId, paymentMethod: toJson(outcome.method) }),
  });
  if (outcome.kind === 'pending') await tellBuyer(ctx, scope, { tx, sale, outcome });
  const watch = toWatch({ orderId, paymentId, paymentType });
  if (watch.kind === 'watch_order' && sale.sessionId) await clearSessionError(tx, scope, sale.sessionId);
  const expiresAt = watch.kind === 'watch_order' ? sale.expiresAt : null;
  const dueMs = isForBuyer
    ? computeBuyerLookMs(ctx.nowMs, lookCount, computeBuyerEndMs({ chargeCreatedAt, expiresAt }))
    : computeNextLookMs(ctx.nowMs, lookCount, outcome.lookAgainAtMs);
  const isAtBank = outcome.kind === 'pending' && isInBanksTime(outcome) && lookCount > 0;
  await insertDueWork(tx, scope, [
    { ...watch, dueMs: isAtBank ? await toBehindAdvance(ctx, scope, { db: tx, dueMs }) : dueMs },
  ]);
}

/** A bank's days are real ones; those of a transfer, and the sandbox's, are the store's. */
const isInBanksTime = ({ expectedByMs, transfer }: Pending): boolean =>
  expectedByMs !== undefined && transfer === undefined;

/** Where the buyer is sent to: at the processor, or a page of ours that asks it where to. */
function toActionPath(action: RedirectAction | AskedAction, { payToken }: LockedSale): string {
  return action.kind === 'redirect' ? action.url : `/pay/${payToken}/authenticate`;
}

type Pending = Extract<WaitingOutcome, { kind: 'pending' }>;

/** Where to send the money, or until when a bank takes it: a charge of theirs alone, a renewal takes what it takes. */
async function tellBuyer(
  ctx: Step,
  scope: Scope,
  { tx, sale, outcome: { transfer, expectedByMs } }: Settling<Pending>,
): Promise<void> {
  // Told once; later looks may find another day.
  if (sale.chargeExpectedBy !== null) return;
  if (transfer) return mailTransfer(ctx, scope, { tx, sale, transfer });
  if (expectedByMs === undefined || sale.offSession !== false) return;
  const { orderId, paymentId, orderNumber, chargeId, chargeAmount, currency } = sale;
  const amount = { amountMinor: Number(chargeAmount ?? 0n), currency: sale.chargeCurrency ?? currency };
  const params = { ...amount, orderNumber, expectedByMs };
  const key = `payment_processing:${chargeId}`;
  const kind = 'payment_processing' as const;
  const isHeldBack = await isHeld(ctx, scope, { tx, sale, kind });
  const mail = { kind, params, key, at: ctx.nowMs, orderId, paymentId, isHeldBack };
  await queueBuyerMails(tx, scope, [mail]);
}

/** Whoever types an address can cause it; what the merchant places, and what is renewed, counts for nothing. */
async function isHeld(
  ctx: Step,
  scope: Scope,
  { tx, sale, kind }: { tx: Tx; sale: LockedSale; kind: 'payment_processing' | 'transfer_awaited' },
): Promise<boolean> {
  const to = sale.openedBy === null || sale.offSession !== false ? null : sale.userEmail;
  return to !== null && (await isMailOneTooMany(ctx, scope, { db: tx, kind, to }));
}

interface MailingTransfer {
  tx: Tx;
  sale: LockedSale;
  transfer: TransferInstructions;
}

/** Where to send the money. */
async function mailTransfer(ctx: Step, scope: Scope, { tx, sale, transfer }: MailingTransfer): Promise<void> {
  const { orderId, paymentId, orderNumber, chargeId, chargeAmount, currency } = sale;
  const params = {
    ...transfer,
    orderNumber,
    amountMinor: Number(chargeAmount ?? 0n),
    currency: sale.chargeCurrency ?? currency,
  };
  const key = `transfer_awaited:${chargeId}`;
  const kind = 'transfer_awaited' as const;
  const isHeldBack = await isHeld(ctx, scope, { tx, sale, kind });
  const mail = { kind, params, key, at: ctx.nowMs, orderId, paymentId, isHeldBack };
  await queueBuyerMails(tx, scope, [mail]);
}

/** Nobody answered: what is known of the charge stays, and it is asked for again. */
export async function keepUnanswered(
  ctx: Step,
  scope: Scope,
  { tx, charge: { id: chargeId, paymentId } }: { tx: Tx; charge: Row<'charges'> },
): Promise<void> {
  const sale = await lockSale(tx, scope, { paymentId, chargeId });
  assert(sale, 'a charge has its payment');
  await repeatLook(ctx, scope, { tx, sale, chargeId });
}

/** None of the looks that count, which have times of their own. The order must be locked. */
async function repeatLook(
  ctx: Step,
  scope: Scope,
  { tx, sale, chargeId }: { tx: Tx; sale: LockedSale; chargeId: string },
): Promise<void> {
  const charge = await findCharge(tx, scope, chargeId);
  if (charge?.status !== 'pending' || charge.hold !== null) return;
  const { silentLooks, processor } = charge;
  await updateCharge(tx, scope, { id: chargeId, silentLooks: silentLooks + 1 });
  const dueMs = await toSilentLook(ctx, scope, { db: tx, processor, silentLooks });
  await insertDueWork(tx, scope, [{ ...toWatch(sale), dueMs }]);
}
