/** Takes a method for 0, whoever gives it and wherever: an earlier one that is under way is stopped first. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
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
  type SetupOwner,
} from '../../resources/method-setups/method-setups.queries.ts';
import { toDecline } from '../payments/charge-payment.ts';
import { type Connection, chooseConnection } from '../payments/choose-connection.ts';
import { providerOf } from '../payments/provider-of.ts';
import { readToken } from '../payments/read-token.ts';
import { askForSetup, cancelSetup, toSetupReference } from './ask-for-setup.ts';
import { settleSetup } from './settle-setup.ts';
import { settleDecidedSetup } from './watch-setup.ts';

type Setup = Row<'methodSetups'>;

export interface TakingMethod {
  owner: SetupOwner;
  currency: string;
  method: ChargeMethod;
  /** Of whoever gives it, as `toAddressKey` writes it: its decline is counted for it. */
  addressKey: string;
  /** In the transaction that writes it, under a lock of the owner: whose it is. Throws where it is not to be. */
  admit(
    tx: Tx,
    id: string,
  ): Promise<Pick<Setup, 'userId' | 'purpose' | 'subscriptionId' | 'subscriptionIds'>>;
}

/**
 * Answers which one says what has come of it: an earlier one where that has brought its method after all. Refuses
 * processor_not_configured, and payment_in_progress while another is under way that nobody can stop.
 */
export async function takeMethodFor(ctx: Context, scope: Scope, taking: TakingMethod): Promise<string> {
  const { owner, method, currency, addressKey } = taking;
  const connection = await chooseConnection(ctx, scope, { method: method.kind, currency, country: null });
  if (!connection) throw new Refusal('processor_not_configured');
  await readToken(connection.provider, method);
  const last = await findLastSetup(ctx.db, scope, owner);
  if (last?.status === 'pending' && (await stop(ctx, scope, last)) === 'taken') return last.id;
  const setup = await open(ctx, scope, { taking, connection });
  const { provider } = connection;
  const outcome = await askForSetup(ctx, scope, { provider, setup, method });
  await settleSetup(ctx, scope, { setupId: setup.id, outcome, addressKey });
  return setup.id;
}

async function stop(ctx: Context, scope: Scope, last: Setup): Promise<'taken' | 'cancelled'> {
  const provider = await providerOf(ctx, scope, last);
  const stopped = provider && (await cancelSetup(ctx, scope, { provider, setup: last }));
  if (stopped?.kind !== 'taken' && stopped?.kind !== 'cancelled') throw new Refusal('payment_in_progress');
  const isTaken = stopped.kind === 'taken';
  const outcome = isTaken ? stopped.outcome : toDecline('canceled', 'The payment was cancelled.');
  await settleSetup(ctx, scope, { setupId: last.id, outcome });
  return stopped.kind;
}

async function open(
  ctx: Context,
  scope: Scope,
  { taking, connection }: { taking: TakingMethod; connection: Connection },
): Promise<Setup> {
  return inTransaction(ctx.db, async (tx) => {
    const id = ctx.ids.next(ctx.nowMs);
    const whose = await taking.admit(tx, id);
    // Somebody else was faster: the page shows what has come of it.
    const last = await findLastSetup(tx, scope, taking.owner);
    if (last?.status === 'pending') throw new Refusal('payment_in_progress');
    await insertMethodSetup(tx, scope, {
      ...{ id, ...whose, status: 'pending', currency: taking.currency },
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

/** The holder is back from their bank: what is decided is settled. Answers what was settled now. */
export async function confirmMethod(ctx: Context, scope: Scope, owner: SetupOwner): Promise<string | null> {
  const last = await findLastSetup(ctx.db, scope, owner);
  if (last?.status !== 'pending') return null;
  return (await settleDecidedSetup(ctx, scope, last)) ? last.id : null;
}

/** What the processor asks of the holder: asked anew each time, and never kept. */
export async function findSetupAction(ctx: Context, scope: Scope, owner: SetupOwner): Promise<ActionOutcome> {
  const last = await findLastSetup(ctx.db, scope, owner);
  if (last?.status !== 'pending' || last.actionPath === null) return { kind: 'none' };
  const provider = await providerOf(ctx, scope, last);
  return provider?.describeAction?.(toSetupReference(ctx, scope, last)) ?? { kind: 'none' };
}
