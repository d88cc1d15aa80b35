/** What a processor says of a method that is taken for 0: every outcome ends here, whoever asked for it. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { computeBuyerLookMs, computeNextLookMs } from '../../domain/payments/watch.ts';
import { move } from '../../domain/states/machine.ts';
import { METHOD_SETUP } from '../../domain/states/method-setup.ts';
import type {
  DeclinedCharge,
  StandingOutcome,
  SucceededCharge,
} from '../../providers/payment/payment-provider.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { lockMethodSetup, updateMethodSetup } from '../../resources/method-setups/method-setups.queries.ts';
import { insertPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { findUser, lockUser } from '../../resources/users/users.queries.ts';
import { countDecline } from '../limits/count-declines.ts';
import { toSilentLook } from '../payments/behind-advance.ts';
import { toDecline } from '../payments/charge-payment.ts';
import { lookBackAtMethod } from '../payments/look-back-at-method.ts';
import { chargeByMethod } from '../users/charge-by-method.ts';

/** So long its holder may answer their bank. */
const HOLDER_HAS_MS = 24 * 3_600_000;
/** The processor says where its holder is to go. */
export const ASKED = 'asked';

interface Settling<Outcome> {
  tx: Tx;
  setup: Row<'methodSetups'>;
  outcome: Outcome;
  /** Of whoever gave it; null where it is decided without them. */
  addressKey: string | null;
}

/** Until when its holder may answer their bank. */
export function computeHolderEndMs({ createdAt }: Pick<Row<'methodSetups'>, 'createdAt'>): number {
  return createdAt + HOLDER_HAS_MS;
}

/** One that is settled already stays as it is. `addressKey`: of whoever waits for the answer. */
export async function settleSetup(
  ctx: Context,
  scope: Scope,
  {
    setupId,
    outcome,
    addressKey = null,
  }: { setupId: string; outcome: StandingOutcome; addressKey?: string | null },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const setup = await lockMethodSetup(tx, scope, setupId);
    if (setup?.status !== 'pending') return;
    if (outcome.kind === 'succeeded') await keep(ctx, scope, { tx, setup, outcome, addressKey });
    else if (outcome.kind === 'declined') await closeSetup(ctx, scope, { tx, setup, outcome, addressKey });
    else await wait(ctx, scope, { tx, setup, outcome, addressKey });
  });
}

/**
 * The method pays the subscriptions that it was given for from now on, and at once what they owe. What came by the link
 * of one is nobody's own; what its buyer has added in the portal is theirs.
 */
async function keep(
  ctx: Step,
  scope: Scope,
  { tx, setup, outcome, addressKey }: Settling<SucceededCharge>,
): Promise<void> {
  const { id, userId, processor, connectionId, subscriptionId, subscriptionIds, status } = setup;
  const { processorId, storedReference: reference, method, cardExpiry: expiry } = outcome;
  if (reference === null) {
    const told = toDecline('method_not_kept', 'This payment method cannot be charged again.');
    const failed = { ...told, processorId, method };
    return closeSetup(ctx, scope, { tx, setup, outcome: failed, addressKey });
  }
  await lockUser(tx, scope, userId);
  const methodId = await insertPaymentMethod(tx, scope, {
    ...{ id: ctx.ids.next(ctx.nowMs), userId, processor, connectionId, reference, expiry },
    details: method,
    createdAt: ctx.nowMs,
    as: setup.purpose === 'portal' ? 'kept' : 'apart',
  });
  await lookBackAtMethod(ctx, scope, { tx, connectionId, reference, type: method.type });
  await updateMethodSetup(tx, scope, {
    ...{ id, processorId, status: move(METHOD_SETUP, status, 'succeeded') },
    ...{ paymentMethodId: methodId, paymentMethod: toJson(method), actionPath: null },
    settledAt: ctx.nowMs,
  });
  for (const one of subscriptionId === null ? subscriptionIds : [subscriptionId]) {
    await chargeByMethod(ctx, scope, { tx, methodId, of: { subscriptionId: one } });
  }
}

/** Counts as a declined charge does: a method that is given for 0 tries a stolen card out as well. */
async function closeSetup(
  ctx: Step,
  scope: Scope,
  { tx, setup: { id, status, userId }, outcome, addressKey: ipAddress }: Settling<DeclinedCharge>,
): Promise<void> {
  await updateMethodSetup(tx, scope, {
    ...{ id, status: move(METHOD_SETUP, status, 'failed') },
    ...(outcome.processorId === null ? {} : { processorId: outcome.processorId }),
    ...{ declineReason: outcome.reason, declineMessage: outcome.message },
    ...{ paymentMethod: toJson(outcome.method), actionPath: null, settledAt: ctx.nowMs },
  });
  const { email = null } = (await findUser(tx, scope, userId)) ?? {};
  await countDecline(ctx, scope, { db: tx, outcome, sessionId: null, ipAddress, email });
}

async function wait(
  ctx: Step,
  scope: Scope,
  { tx, setup, outcome }: Settling<Exclude<StandingOutcome, SucceededCharge | DeclinedCharge>>,
): Promise<void> {
  const isForHolder = outcome.kind === 'needs_action';
  // Each of the two waits has its own times.
  const lookCount = isForHolder === (setup.actionPath !== null) ? setup.lookCount : 0;
  const action = isForHolder ? outcome.action : null;
  await updateMethodSetup(tx, scope, {
    ...{ id: setup.id, lookCount: lookCount + 1, silentLooks: 0 },
    actionPath: action && (action.kind === 'redirect' ? action.url : ASKED),
    ...(outcome.kind === 'unknown' ? {} : { processorId: outcome.processorId }),
  });
  const dueMs = isForHolder
    ? computeBuyerLookMs(ctx.nowMs, lookCount, computeHolderEndMs(setup))
    : computeNextLookMs(ctx.nowMs, lookCount, outcome.lookAgainAtMs);
  await insertDueWork(tx, scope, [{ kind: 'watch_setup', refId: setup.id, dueMs }]);
}

/** Nobody answered: it is asked for again. */
export async function keepSetupUnanswered(ctx: Context, scope: Scope, setupId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const setup = await lockMethodSetup(tx, scope, setupId);
    if (setup?.status !== 'pending') return;
    const { silentLooks, processor } = setup;
    await updateMethodSetup(tx, scope, { id: setupId, silentLooks: silentLooks + 1 });
    const dueMs = await toSilentLook(ctx, scope, { db: tx, processor, silentLooks });
    await insertDueWork(tx, scope, [{ kind: 'watch_setup', refId: setupId, dueMs }]);
  });
}
