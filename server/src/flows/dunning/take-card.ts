/**
 * Whoever has the link of a subscription's card page gives it another method: that is charged for this subscription from
 * then on, and at once for what it owes. Nothing of another subscription, and no method that is stored, is charged by it.
 */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import { FIRST_LOOK_MS } from '../../domain/payments/watch.ts';
import type { ActionOutcome, ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  findLastSetup,
  findMethodSetup,
  insertMethodSetup,
} from '../../resources/method-setups/method-setups.queries.ts';
import { lockBilling } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { toDecline } from '../payments/charge-payment.ts';
import { chooseConnection } from '../payments/choose-connection.ts';
import { providerOf } from '../payments/provider-of.ts';
import { askForSetup, cancelSetup, toSetupReference } from './ask-for-setup.ts';
import { collectNow } from './collect-with-new-card.ts';
import { takeTry } from './limit-tries.ts';
import { settleSetup } from './settle-setup.ts';
import { settleDecidedSetup } from './watch-setup.ts';

export interface GivenCard {
  subscriptionId: string;
  method: ChargeMethod;
  ipAddress: string;
}

/**
 * Refuses processor_not_configured, payment_in_progress while another is under way that nobody can stop, and 429 after
 * many tries. A subscription that has ended takes none.
 */
export async function takeCard(ctx: Context, scope: Scope, given: GivenCard): Promise<void> {
  const { subscriptionId, method } = given;
  const { currency, endedAt, status } = await getSubscription(ctx.db, scope, subscriptionId);
  if (endedAt !== null || status === 'incomplete') return;
  const connection = await chooseConnection(ctx, scope, { method: method.kind, currency, country: null });
  if (!connection) throw new Refusal('processor_not_configured');
  if (await isTakenAlready(ctx, scope, subscriptionId)) return;
  const setup = await open(ctx, scope, { given, currency, connection });
  const { provider } = connection;
  const outcome = await askForSetup(ctx, scope, { provider, setup, method });
  await settleSetup(ctx, scope, { setupId: setup.id, outcome });
  await collectTaken(ctx, scope, setup.id);
}

/** An earlier one that is under way is stopped first; true where it has brought its method after all. */
async function isTakenAlready(ctx: Context, scope: Scope, subscriptionId: string): Promise<boolean> {
  const last = await findLastSetup(ctx.db, scope, subscriptionId);
  if (last?.status !== 'pending') return false;
  const provider = await providerOf(ctx, scope, last);
  const stopped = provider && (await cancelSetup(ctx, scope, { provider, setup: last }));
  if (stopped?.kind !== 'taken' && stopped?.kind !== 'cancelled') throw new Refusal('payment_in_progress');
  const isTaken = stopped.kind === 'taken';
  const outcome = isTaken ? stopped.outcome : toDecline('canceled', 'The payment was cancelled.');
  await settleSetup(ctx, scope, { setupId: last.id, outcome });
  if (isTaken) await collectTaken(ctx, scope, last.id);
  return isTaken;
}

interface Opening {
  given: GivenCard;
  currency: string;
  connection: { id: string; provider: { name: string } };
}

async function open(
  ctx: Context,
  scope: Scope,
  { given: { subscriptionId, ipAddress }, currency, connection }: Opening,
): Promise<Row<'methodSetups'>> {
  return inTransaction(ctx.db, async (tx) => {
    const subscription = await lockBilling(tx, scope, subscriptionId);
    assert(subscription, 'the page of a card has its subscription');
    // Somebody else was faster: the page shows what has come of it.
    const last = await findLastSetup(tx, scope, subscriptionId);
    if (last?.status === 'pending') throw new Refusal('payment_in_progress');
    await takeTry(ctx, scope, { tx, paymentId: subscriptionId, ipAddress });
    const id = ctx.ids.next(ctx.nowMs);
    await insertMethodSetup(tx, scope, {
      ...{ id, subscriptionId, userId: subscription.userId, purpose: 'card', status: 'pending', currency },
      processor: connection.provider.name,
      connectionId: connection.id,
      createdAt: ctx.nowMs,
    });
    await insertDueWork(tx, scope, [{ kind: 'watch_setup', refId: id, dueMs: ctx.nowMs + FIRST_LOOK_MS }]);
    const setup = await findMethodSetup(tx, scope, id);
    assert(setup, 'what was written a moment ago is there');
    return setup;
  });
}

/** What is owed is charged while its holder waits; else the work that was put down does it. */
async function collectTaken(ctx: Context, scope: Scope, setupId: string): Promise<void> {
  const setup = await findMethodSetup(ctx.db, scope, setupId);
  if (setup?.status !== 'succeeded') return;
  await collectNow(ctx, scope, { subscriptionId: setup.subscriptionId, methodId: null });
}

/** The holder is back from their bank: what is decided is settled. */
export async function confirmCard(ctx: Context, scope: Scope, subscriptionId: string): Promise<void> {
  const last = await findLastSetup(ctx.db, scope, subscriptionId);
  if (last?.status !== 'pending') return;
  if (await settleDecidedSetup(ctx, scope, last)) await collectTaken(ctx, scope, last.id);
}

/** What the processor asks of the holder: asked anew each time, and never kept. */
export async function findCardAction(
  ctx: Context,
  scope: Scope,
  subscriptionId: string,
): Promise<ActionOutcome> {
  const last = await findLastSetup(ctx.db, scope, subscriptionId);
  if (last?.status !== 'pending' || last.actionPath === null) return { kind: 'none' };
  const provider = await providerOf(ctx, scope, last);
  return provider?.describeAction?.(toSetupReference(ctx, scope, last)) ?? { kind: 'none' };
}
