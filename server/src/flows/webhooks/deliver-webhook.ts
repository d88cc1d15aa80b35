/**
 * Attempts of deliveries: load, send between two transactions, record. Deliveries that are claimed together are
 * loaded together, each is sent by itself, and those that end at the same time are recorded together.
 */
import type { Context, Service, Step } from '../../context.ts';
import { move } from '../../domain/states/machine.ts';
import { DELIVERY } from '../../domain/states/webhook.ts';
import { tellWorkFound } from '../../domain/trace-points.ts';
import type { AttemptEnd } from '../../domain/webhooks/health.ts';
import { nextAttemptDelayMs } from '../../domain/webhooks/retry-schedule.ts';
import type { OutgoingResult } from '../../net/outgoing.ts';
import { toRetryAfterMs } from '../../net/retry-after.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { findWholeDeliveries } from '../../resources/webhooks/attempts.queries.ts';
import type { DeliveryStep, NewAttempt, WholeDelivery } from '../../resources/webhooks/attempts.sql.ts';
import { type AttemptFacts, createRecorder, type EndedDelivery } from './record-attempts.ts';
import { toDeliveryHeaders } from './sign-delivery.ts';

/** An advance of the test clock waits for its deliveries: a receiver that needs longer has failed. */
const ADVANCE_TIMEOUT_MS = 2_000;

/** Told of each delivery when its attempt has ended, and of an error where that could not be recorded. */
type Ended = (work: ClaimedWork, error?: unknown) => void;

/** Attempts of many deliveries; those of all calls that end at the same time are recorded together. */
export function createDeliverer(service: Service) {
  const record = createRecorder(service);
  return (asking: Omit<Context, 'nowMs'>, works: ClaimedWork[], ended: Ended): Promise<void> =>
    attemptAll(asking, works, { record, ended });
}

interface Recording {
  record: ReturnType<typeof createRecorder>;
  ended: Ended;
}

async function attemptAll(
  service: Omit<Context, 'nowMs'>,
  works: ClaimedWork[],
  { record, ended }: Recording,
): Promise<void> {
  const timeoutMs = service.isAdvancing ? ADVANCE_TIMEOUT_MS : undefined;
  const { deliveries, unread } = await findWholeDeliveries(service.db, works);
  tellWorkFound(() => [...deliveries.values()].flatMap(({ eventId }) => eventId ?? []));
  await Promise.all(
    works.map(async (work) => {
      try {
        if (unread.has(work.refId)) throw unread.get(work.refId);
        const delivery = deliveries.get(work.refId);
        const end = await attempt({ ...service, nowMs: work.nowMs }, delivery, {
          work,
          timeoutMs,
        });
        await record(end);
        if (end.step.attempt)
          service.notice({
            what: 'webhook attempt',
            outcome: toOutcome(end.step.attempt),
            lagMs: toLag(service, work, delivery),
          });
        ended(work);
      } catch (error) {
        ended(work, error);
      }
    }),
  );
}

/** A moved clock is late by nobody's fault. */
function toLag(
  { isAdvancing }: Omit<Context, 'nowMs'>,
  { nowMs, dueMs }: ClaimedWork,
  delivery: WholeDelivery | undefined,
): number | null {
  if (isAdvancing || delivery?.attemptCount !== 0 || !delivery.isWell) return null;
  return Math.max(0, nowMs - dueMs);
}

function toOutcome({ error, statusCode }: NewAttempt): string {
  return error ?? (statusCode !== null && statusCode >= 200 && statusCode <= 299 ? 'delivered' : 'refused');
}

/** A delivery that is still wanted: its webhook and its event are there. */
type Wanted = WholeDelivery & { webhookId: string; eventId: string; body: string };

async function attempt(
  ctx: Context,
  delivery: WholeDelivery | undefined,
  { work, timeoutMs }: { work: ClaimedWork; timeoutMs: number | undefined },
): Promise<EndedDelivery> {
  const { scope, refId, fence } = work;
  const end = { scope, refId, fence, dueMs: null, status: null, reason: null, attempt: null };
  if (delivery?.status !== 'waiting') return { step: end, webhook: null };
  const reason = findDropReason(delivery);
  if (reason !== null) {
    return { step: { ...end, status: move(DELIVERY, delivery.status, 'dropped'), reason }, webhook: null };
  }
  // Neither is gone, or there would be a reason.
  const wanted = delivery as Wanted;
  const secrets = findSecrets(ctx, wanted);
  const result = await send(ctx, wanted, { secrets, timeoutMs });
  // The first try of a rotation may meet a receiver that knows only the other secret.
  const isExcused = secrets.length > 1 && wanted.attemptCount === 0;
  const next = planNext(ctx, { sequence: wanted.attemptCount, result, isExcused });
  return {
    step: {
      ...end,
      ...toDeliveryChange(wanted, next),
      dueMs: next.kind === 'retry' ? next.dueMs : null,
      attempt: toAttempt(ctx, wanted, result),
    },
    webhook: {
      id: wanted.webhookId,
      end: toEnd(next, result, { isExcused, atMs: ctx.nowMs }),
      facts: toFailure(result),
    },
  };
}

/** Nobody wants it any more, or nothing is there to be sent; null when it is still wanted. */
function findDropReason(delivery: WholeDelivery): string | null {
  const { webhookId, eventId, body, deletedAt, webhookStatus, isResend, isHeard } = delivery;
  if (webhookId === null) return 'webhook_gone';
  if (eventId === null || body === null) return 'event_gone';
  if (deletedAt !== null) return 'webhook_archived';
  if (webhookStatus === 'inactive') return 'webhook_inactive';
  // What was asked for by hand goes out, whatever the webhook hears by itself.
  return isHeard || isResend ? null : 'type_unsubscribed';
}

type Secrets = readonly [string, ...string[]];

/** The secret, and while it is being rotated the one before it. */
function findSecrets(ctx: Step, { secret, previousSecret, previousSecretUntil }: Wanted): Secrets {
  const isRotating = previousSecret !== null && (previousSecretUntil ?? 0) > ctx.realNowMs();
  return isRotating ? [secret, previousSecret] : [secret];
}

function send(
  ctx: Context,
  delivery: Wanted,
  { secrets, timeoutMs }: { secrets: Secrets; timeoutMs: number | undefined },
): Promise<OutgoingResult> {
  const { url, eventId, eventType, body, attemptCount: sequence } = delivery;
  return ctx.egress.send({
    method: 'POST',
    url,
    headers: toDeliveryHeaders(ctx, { eventId, eventType, body, sequence, secrets }),
    body,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

type Next =
  | { kind: 'delivered' }
  | { kind: 'retry'; dueMs: number }
  | { kind: 'exhausted' }
  /** The receiver says that it is no more (410). */
  | { kind: 'gone' };

interface Answered {
  sequence: number;
  result: OutgoingResult;
  isExcused: boolean;
}

function planNext(ctx: Step, { sequence, result, isExcused }: Answered): Next {
  if (result.kind === 'answered' && result.statusCode >= 200 && result.statusCode <= 299)
    return { kind: 'delivered' };
  if (result.kind === 'answered' && result.statusCode === 410 && !isExcused) return { kind: 'gone' };
  const randomUnit = Buffer.from(ctx.ids.randomBytes(4)).readUInt32BE() / 2 ** 32;
  const delayMs = nextAttemptDelayMs(sequence, randomUnit);
  if (delayMs === null) return { kind: 'exhausted' };
  const header = result.kind === 'answered' ? result.headers['retry-after'] : undefined;
  // Never sooner than asked for, and never sooner than the schedule either.
  const askedMs = toRetryAfterMs(header, ctx.realNowMs()) ?? 0;
  return { kind: 'retry', dueMs: ctx.nowMs + Math.max(delayMs, askedMs) };
}

function toDeliveryChange({ status }: Wanted, next: Next): Pick<DeliveryStep, 'status' | 'reason'> {
  switch (next.kind) {
    case 'retry':
      return { status: null, reason: null };
    case 'delivered':
      return { status: move(DELIVERY, status, 'delivered'), reason: null };
    case 'exhausted':
      return { status: move(DELIVERY, status, 'failed'), reason: 'attempts_exhausted' };
    case 'gone':
      return { status: move(DELIVERY, status, 'failed'), reason: 'receiver_gone' };
  }
}

function toEnd(
  next: Next,
  result: OutgoingResult,
  { isExcused, atMs }: { isExcused: boolean; atMs: number },
): AttemptEnd {
  if (next.kind === 'delivered' || next.kind === 'gone') return { kind: next.kind, atMs };
  if (result.kind === 'failed' && result.error === 'blocked') return { kind: 'blocked', atMs };
  return { kind: 'failed', atMs, isExcused };
}

function toFailure(result: OutgoingResult): AttemptFacts {
  if (result.kind === 'failed') return { reason: result.message, failure: result.error, statusCode: null };
  const { statusCode } = result;
  return { reason: `the receiver answered ${statusCode}`, failure: null, statusCode };
}

function toAttempt(ctx: Step, delivery: Wanted, result: OutgoingResult): NewAttempt {
  const answer =
    result.kind === 'failed'
      ? { statusCode: null, error: result.error, errorDetail: result.message, responseText: null }
      : {
          statusCode: result.statusCode,
          error: null,
          errorDetail: null,
          // The store's text cannot hold U+0000.
          responseText: result.body.replaceAll('\u0000', '\uFFFD'),
        };
  return {
    id: ctx.ids.next(ctx.nowMs),
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    sequence: delivery.attemptCount,
    ...answer,
    responseCut: result.kind === 'answered' && result.isCut,
    address: result.address,
    durationMs: result.durationMs,
    webhookVersion: delivery.webhookVersion,
    createdAt: ctx.nowMs,
  };
}
