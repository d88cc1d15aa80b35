/**
 * Charges a stored method without the buyer: renewals, retries, plan changes, extra charges. The processor is asked
 * outside any transaction, after the charge's row was written.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Context, Step } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import { inGroupOrAlone } from '../../db/group-transaction.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction, readTogether } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { move } from '../../domain/states/machine.ts';
import { PAYMENT } from '../../domain/states/payment.ts';
import type {
  DeclinedCharge,
  PaymentProvider,
  StandingOutcome,
} from '../../providers/payment/payment-provider.ts';
import { type ChargeFactsRow, listChargeFacts } from '../../resources/payments/charge-facts.queries.ts';
import { updatePayment } from '../../resources/payments/payments.queries.ts';
import { listProcessors } from '../../resources/processors/processors.queries.ts';
import { loadSaleOfPayment, type Sale } from '../../resources/sales/sale.view.ts';
import { cancelAtProcessor } from './cancel-at-processor.ts';
import { askForCharge, toDecline } from './charge-payment.ts';
import type { OpenedCharge } from './open-charge.ts';
import { providerOf } from './provider-of.ts';
import { settleOrLeave } from './settle-or-leave.ts';
import { settlePayment, settleWithoutCharge } from './settle-payment.ts';

/** A group waits no longer than this for the slowest of its charges. */
const SOON_MS = 1_000;

/** Outside any transaction: asks the processor and settles what it answers. The same call again is harmless. */
export async function finishStoredCharge(ctx: Context, scope: Scope, opened: OpenedCharge): Promise<Sale> {
  const outcome = await askForStored(ctx, scope, opened);
  const { paymentId } = opened;
  return settleOrLeave(ctx, scope, {
    settle: (tx) => settleStoredCharge(scope, { tx, ctx, opened, outcome }),
    look: { kind: 'watch_payment', refId: paymentId },
    read: (db) => loadSaleOfPayment(db, scope, { paymentId, publicUrl: ctx.config.publicUrl }),
  });
}

export interface FinishingCharge {
  /** Its own, since each of a group has its own moment. */
  ctx: Context;
  opened: OpenedCharge;
}

/**
 * The same for charges of one store. Those that are answered soon are settled as a group: the order of each is locked
 * before the first of them takes the lock of the invoices. Each of the others is settled when its answer comes. What
 * could not be settled is left to the look at its charge.
 */
export async function finishStoredCharges(
  db: Db,
  scope: Scope,
  charges: readonly FinishingCharge[],
): Promise<PromiseSettledResult<Sale>[]> {
  const soon = wait(SOON_MS, null, { ref: false });
  // Without it each charge reads for itself, and fails by itself.
  const reads = await readShared(db, scope, charges).catch(() => undefined);
  const asked = charges.map(({ ctx, opened }) => askForStored(ctx, scope, opened, reads));
  const answers = await Promise.allSettled(asked.map((answer) => Promise.race([answer, soon])));
  const group: Answered[] = [];
  const late: Array<Promise<Sale> | null> = [];
  for (const [place, charge] of charges.entries()) {
    const answer = answers[place];
    const outcome = answer?.status === 'fulfilled' ? answer.value : null;
    if (outcome) group.push({ ...charge, outcome });
    late.push(outcome ? null : settleAlone(db, scope, { charge, asked: asked[place] }));
  }
  const all = Promise.allSettled(late);
  const settled = await inGroupOrAlone(db, group, (tx, one) => settleStoredCharge(scope, { tx, ...one }));
  const ends = await all;
  return late.map(
    (one, place) => (one === null ? settled.shift() : ends[place]) as PromiseSettledResult<Sale>,
  );
}

/** What asking for charges of one store needs to know, read once for all of them. */
interface Reads {
  connections: ReadonlyMap<string, Row<'processors'>>;
  facts: ReadonlyMap<string, ChargeFactsRow>;
}

/** Of those that have no connection, or the sandbox's, nothing is read. */
async function readShared(db: Db, scope: Scope, charges: readonly FinishingCharge[]): Promise<Reads> {
  const connected = charges.filter(({ ctx, opened }) => opened.processor !== ctx.payments.sandbox.name);
  if (connected.length === 0) return { connections: new Map(), facts: new Map() };
  const ids = connected.map(({ opened }) => opened.chargeId);
  const [rows, facts] = await readTogether(db, (one) =>
    Promise.all([listProcessors(one, scope), listChargeFacts(one, scope, ids)]),
  );
  return { connections: new Map(rows.map((row) => [row.id, row])), facts };
}

interface Answered extends FinishingCharge {
  outcome: StandingOutcome;
}

async function settleAlone(
  db: Db,
  scope: Scope,
  { charge, asked }: { charge: FinishingCharge; asked: Promise<StandingOutcome> | undefined },
): Promise<Sale> {
  const outcome = await asked;
  assert(outcome, 'every charge of a group is asked for');
  return inTransaction(db, (tx) => settleStoredCharge(scope, { tx, ...charge, outcome }));
}

function settleStoredCharge(
  scope: Scope,
  { tx, ctx, opened, outcome }: Answered & { tx: Tx },
): Promise<Sale> {
  const { paymentId, chargeId } = opened;
  return settlePayment(ctx, scope, { tx, paymentId, chargeId, outcome });
}

/** A payment of 0 is PAID at once, also one that has waited. */
export async function settleOfNothing(
  ctx: Step,
  scope: Scope,
  { tx, payment }: { tx: Tx; payment: Pick<Row<'payments'>, 'id' | 'status'> },
): Promise<Sale> {
  if (payment.status !== 'PENDING') {
    const status = move(PAYMENT, payment.status, 'PENDING');
    await updatePayment(tx, scope, { id: payment.id, status });
  }
  return settleWithoutCharge(ctx, scope, { tx, paymentId: payment.id });
}

/** What the processor answers; nothing of it is settled. */
export async function askForStored(
  ctx: Context,
  scope: Scope,
  opened: OpenedCharge,
  reads?: Reads,
): Promise<StandingOutcome> {
  const { reference, offSession } = opened;
  if (reference === null) return toRefused('no_payment_method', 'There is no card to charge.');
  const provider = await providerOf(ctx, scope, opened, reads?.connections);
  if (!provider) return toDecline('no_processor', 'The payment could not be made just now.');
  const method = { kind: 'stored' as const, reference };
  const charge = { ...opened, factsRow: reads?.facts.get(opened.chargeId) };
  const outcome = await askForCharge(ctx, scope, { provider, charge, method, offSession });
  // A stored method that the processor cannot read will not become readable.
  if (outcome.kind === 'declined' && outcome.reason === 'invalid_card')
    return { ...outcome, decline: 'hard' };
  return withoutBuyer(ctx, scope, { provider, charge: opened, outcome });
}

export interface Unattended<Outcome> {
  provider: PaymentProvider;
  charge: { chargeId: string; type: string; offSession: boolean };
  outcome: Outcome;
}

/**
 * Nobody is there to authenticate a renewal: it counts as declined, so that the buyer is told and pays on the
 * payment's page. Other payments wait for the buyer.
 */
export async function withoutBuyer<Outcome extends { kind: string; processorId?: string | null }>(
  ctx: Context,
  scope: Scope,
  { provider, charge, outcome }: Unattended<Outcome>,
): Promise<Outcome | StandingOutcome> {
  const { chargeId, type, offSession } = charge;
  if (outcome.kind !== 'needs_action' || type !== 'subscription_interval' || !offSession) return outcome;
  const processorId = outcome.processorId ?? null;
  const cancelled = await cancelAtProcessor(ctx, scope, { provider, chargeId, processorId });
  if (cancelled.kind === 'taken') return cancelled.outcome;
  if (cancelled.kind !== 'cancelled') return { kind: 'unknown', lookAgainAtMs: null };
  const message = 'The bank asks for an authentication by the card holder.';
  return { ...toDecline('authentication_required', message), decline: 'authentication' };
}

/** The charge of a card that cannot be charged: no time of the dunning run brings it back. */
export function toRefused(reason: string, message: string): DeclinedCharge {
  return { ...toDecline(reason, message), decline: 'hard' };
}
