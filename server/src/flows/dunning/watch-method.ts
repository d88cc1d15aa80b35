/**
 * A processor has told of a kept method: it is looked at as it is now. A card that was renewed by its bank is shown so,
 * and pays what is owed as a new one would; a method that is gone, or whose mandate was taken back, is charged no more, and
 * whoever it would have paid for is asked for another.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { toWholeName } from '../../domain/item-note.ts';
import type { MethodOutcome } from '../../providers/payment/method-outcome.ts';
import { finishDueWork, insertDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  endPaymentMethod,
  findPaymentMethod,
  renewPaymentMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';
import { findProcessorEvent, findToldMethod } from '../../resources/processors/processor-events.queries.ts';
import { takeMethod } from '../../resources/subscriptions/locked-subscription.queries.ts';
import {
  listPaidByMethod,
  listRenewedByMethod,
  listSubscriptionItems,
} from '../../resources/subscriptions/subscriptions.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';
import { type NewBuyerMail, queueBuyerMails } from '../outbox/queue-mail.ts';
import { toSilentLook } from '../payments/behind-advance.ts';
import { providerOf } from '../payments/provider-of.ts';
import { toCardPath } from './card-link.ts';

/** Reference of the work: what was told, which names the method and, where it was about one, the mandate. */
export async function watchMethod(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope } = work;
  const told = await findProcessorEvent(ctx.db, scope, work.refId);
  const method = told && (await findToldMethod(ctx.db, scope, told));
  const provider = method && (await providerOf(ctx, scope, method));
  const outcome = await provider?.describeMethod?.({
    reference: method?.reference ?? '',
    mandate: told?.objectCharge ?? null,
  });
  if (outcome?.kind === 'no_answer') {
    await postponeDueWork(ctx.db, work, {
      dueMs: await toSilentLook(ctx, scope, {
        db: ctx.db,
        processor: method?.processor ?? null,
        silentLooks: work.failures,
      }),
      failures: work.failures + 1,
      lastError: 'the processor gave no answer',
    });
    return;
  }
  const mails = method && outcome?.kind === 'ended' ? await writeGone(ctx, scope, method) : [];
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work)) || !method || !outcome) return;
    await lockUser(tx, scope, method.userId);
    if (outcome.kind === 'ended') {
      await endPaymentMethod(tx, scope, { id: method.id, endedAt: ctx.nowMs });
      await queueBuyerMails(tx, scope, mails);
      return;
    }
    await renew(ctx, scope, { tx, methodId: method.id, outcome });
  });
}

/** Once a method and subscription: whoever is charged next is asked for another before that fails. */
async function writeGone(
  ctx: Context,
  scope: Scope,
  { id: methodId, userId, endedAt }: Row<'paymentMethods'>,
): Promise<NewBuyerMail[]> {
  if (endedAt !== null) return [];
  const renewed = await listRenewedByMethod(ctx.db, scope, { userId, methodId });
  return Promise.all(
    renewed.map(async ({ id, number: subscriptionNumber, orderId }) => {
      const [item] = await listSubscriptionItems(ctx.db, scope, id);
      const url = `${ctx.config.publicUrl}${await toCardPath(ctx, scope, id)}`;
      const params = { subscriptionNumber, productName: toWholeName(item), url };
      const key = `payment_method_gone:${methodId}:${id}`;
      return { kind: 'payment_method_gone' as const, params, key, at: ctx.nowMs, orderId };
    }),
  );
}

interface Renewing {
  tx: Tx;
  methodId: string;
  outcome: Extract<MethodOutcome, { kind: 'usable' }>;
}

async function renew(
  ctx: Context,
  scope: Scope,
  { tx, methodId: id, outcome: { details, expiry } }: Renewing,
): Promise<void> {
  const before = await findPaymentMethod(tx, scope, id);
  if (!before || before.endedAt !== null) return;
  const isSame =
    before.expYear === (expiry?.year ?? null) &&
    before.expMonth === (expiry?.month ?? null) &&
    // One that was kept without them is no other for being told with them.
    (toLast4(before) ?? details.last4) === details.last4;
  if (isSame) return;
  await renewPaymentMethod(tx, scope, { id, details: toJson(details), expiry, at: ctx.nowMs });
  const paid = await listPaidByMethod(tx, scope, { userId: before.userId, methodId: id });
  for (const subscriptionId of paid) {
    const owing = await takeMethod(tx, scope, { methodId: id, of: { subscriptionId } });
    const work = owing.map((refId) => ({ kind: 'collect_owed' as const, refId, dueMs: ctx.nowMs }));
    await insertDueWork(tx, scope, work);
  }
}

/** Written when the method was kept, by `PaymentMethodDetails`. */
function toLast4({ details }: Row<'paymentMethods'>): string | null {
  return (details as { last4: string | null }).last4;
}
