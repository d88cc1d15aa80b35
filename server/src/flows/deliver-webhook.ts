/**
 * One attempt of a delivery: load, send between two transactions, record. The attempt, what becomes of the
 * delivery and its due row hold or fall together, so that a worker that lost its lease records nothing.
 */
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { move } from '../domain/states/machine.ts';
import { DELIVERY, WEBHOOK } from '../domain/states/webhook.ts';
import { nextAttemptDelayMs } from '../domain/webhooks/retry-schedule.ts';
import { toRetryAfterMs } from '../net/retry-after.ts';
import type { OutgoingResult } from '../net/safe-fetch.ts';
import { USER_AGENT } from '../net/user-agent.ts';
import { signWebhook } from '../net/webhook-signature.ts';
import { type ClaimedWork, finishDueWork, postponeDueWork } from '../resources/due-work/due-work.queries.ts';
import {
  findWholeDelivery,
  insertAttempt,
  updateDelivery,
  type WholeDelivery,
} from '../resources/webhooks/attempts.queries.ts';
import { updateLastAttempt, updateWebhook } from '../resources/webhooks/webhooks.queries.ts';

export async function deliverWebhook(ctx: Context, work: ClaimedWork): Promise<void> {
  const delivery = await findWholeDelivery(ctx.db, work.scope, work.refId);
  if (delivery?.status !== 'waiting') {
    await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
    return;
  }
  const reason = findDropReason(delivery);
  if (reason !== null) return drop(ctx, work, { delivery, reason });

  const result = await send(ctx, delivery);
  const next = planNext(ctx, { sequence: delivery.attemptCount, result });
  await inTransaction(ctx.db, (tx) => record(ctx, work, { tx, delivery, result, next }));
}

/** Nobody wants it any more; null when it is still wanted. */
function findDropReason({ deletedAt, webhookStatus }: WholeDelivery): string | null {
  if (deletedAt !== null) return 'webhook_archived';
  return webhookStatus === 'inactive' ? 'webhook_inactive' : null;
}

async function drop(
  ctx: Context,
  work: ClaimedWork,
  { delivery, reason }: { delivery: WholeDelivery; reason: string },
): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    if (!(await finishDueWork(tx, work))) return;
    const status = move(DELIVERY, delivery.status, 'dropped');
    await updateDelivery(tx, work.scope, { id: delivery.id, status, reason });
  });
}

function send(ctx: Context, delivery: WholeDelivery): Promise<OutgoingResult> {
  const realNowMs = ctx.realNowMs();
  const { eventId: id, body, secret, previousSecret, previousSecretUntil } = delivery;
  const isRotating = previousSecret !== null && (previousSecretUntil ?? 0) > realNowMs;
  const secrets = isRotating ? [secret, previousSecret] : [secret];
  const timestampS = Math.floor(realNowMs / 1000);
  return ctx.egress.send({
    method: 'POST',
    url: delivery.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'x-svc-event': delivery.eventType,
      'x-svc-attempt': String(delivery.attemptCount),
      ...signWebhook({ id, timestampS, body, secrets }),
    },
    body,
  });
}

type Next =
  | { kind: 'delivered' }
  | { kind: 'retry'; dueMs: number }
  | { kind: 'exhausted' }
  /** The receiver says that it is no more (410). */
  | { kind: 'gone' };

function planNext(ctx: Context, { sequence, result }: { sequence: number; result: OutgoingResult }): Next {
  if (isSuccess(result)) return { kind: 'delivered' };
  if (result.kind === 'answered' && result.statusCode === 410) return { kind: 'gone' };
  const randomUnit = Buffer.from(ctx.ids.randomBytes(4)).readUInt32BE() / 2 ** 32;
  const delayMs = nextAttemptDelayMs(sequence, randomUnit);
  if (delayMs === null) return { kind: 'exhausted' };
  const header = result.kind === 'answered' ? result.headers['retry-after'] : undefined;
  // Never sooner than asked for, and never sooner than the schedule either.
  const askedMs = toRetryAfterMs(header, ctx.realNowMs()) ?? 0;
  return { kind: 'retry', dueMs: ctx.nowMs + Math.max(delayMs, askedMs) };
}

function isSuccess(result: OutgoingResult): boolean {
  return result.kind === 'answered' && result.statusCode >= 200 && result.statusCode <= 299;
}

interface Recording {
  tx: Tx;
  delivery: WholeDelivery;
  result: OutgoingResult;
  next: Next;
}

async function record(ctx: Context, work: ClaimedWork, { tx, delivery, result, next }: Recording) {
  const isHeld =
    next.kind === 'retry'
      ? await postponeDueWork(tx, work, { dueMs: next.dueMs })
      : await finishDueWork(tx, work);
  if (!isHeld) return;
  const { scope } = work;
  const sequence = delivery.attemptCount;
  await insertAttempt(tx, scope, {
    id: ctx.ids.next(ctx.nowMs),
    deliveryId: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    sequence,
    ...toAnswerColumns(result),
    address: result.address,
    durationMs: result.durationMs,
    createdAt: ctx.nowMs,
  });
  await updateDelivery(tx, scope, {
    id: delivery.id,
    attemptCount: sequence + 1,
    ...toDeliveryChange(delivery, next),
  });
  // The webhook's row comes last: all its deliveries wait for each other here.
  await noteOnWebhook(ctx, scope, { tx, delivery, next });
}

function toAnswerColumns(result: OutgoingResult) {
  if (result.kind === 'failed') {
    return { statusCode: null, error: result.error, errorDetail: result.message, responseText: null };
  }
  // The store's text can not hold U+0000.
  const responseText = result.body.replaceAll('\u0000', '\uFFFD');
  return {
    statusCode: result.statusCode,
    error: null,
    errorDetail: null,
    responseText,
    responseCut: result.isCut,
  };
}

function toDeliveryChange({ status }: WholeDelivery, next: Next) {
  switch (next.kind) {
    case 'retry':
      return {};
    case 'delivered':
      return { status: move(DELIVERY, status, 'delivered') };
    case 'exhausted':
      return { status: move(DELIVERY, status, 'failed'), reason: 'attempts_exhausted' };
    case 'gone':
      return { status: move(DELIVERY, status, 'failed'), reason: 'receiver_gone' };
  }
}

async function noteOnWebhook(
  ctx: Context,
  scope: Scope,
  { tx, delivery, next }: Pick<Recording, 'tx' | 'delivery' | 'next'>,
): Promise<void> {
  const id = delivery.webhookId;
  await updateLastAttempt(tx, scope, { id, isSuccess: next.kind === 'delivered', atMs: ctx.nowMs });
  if (next.kind !== 'gone') return;
  const status = move(WEBHOOK, delivery.webhookStatus, 'inactive');
  await updateWebhook(tx, scope, { id, status, health: 'disabled' });
}
