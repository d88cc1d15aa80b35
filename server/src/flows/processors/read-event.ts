/**
 * What a processor told brings forward the look at what it is about, by the row that waits for it: told a thousand times
 * it is one look. What is settled already costs no call. It says nothing itself: the look asks.
 */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { readStoreFailure } from '../../db/store-failure.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findLaterTryMs } from '../../domain/processors/later-try.ts';
import type { NotedKind } from '../../providers/payment/notification.ts';
import { finishDueWork, insertDueWork, postponeDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork, DueWorkKey } from '../../resources/due-work/due-work.sql.ts';
import { findToldSetup } from '../../resources/method-setups/method-setups.queries.ts';
import { findInstallId } from '../../resources/processors/processor-books.queries.ts';
import {
  findProcessorEvent,
  findToldCharge,
  findToldMethod,
  findToldRefund,
  type ToldCharge,
  updateProcessorEvent,
} from '../../resources/processors/processor-events.queries.ts';
import { findProcessor } from '../../resources/processors/processors.queries.ts';
import { queueOwnerMails } from '../outbox/queue-mail.ts';
import { toWatch } from '../payments/open-charge.ts';
import { openProvider } from '../payments/provider-of.ts';
import { adoptLost, isOfStore } from './adopt-lost.ts';

type Told = Row<'processorEvents'>;

/** What is to be looked at; none where nothing waits for it; `wait` where what it is about must be settled first. */
type Finding = { kind: 'look'; work: DueWorkKey } | { kind: 'none' } | { kind: 'wait'; work: DueWorkKey };

/** So long what it is about has to settle before it is read again. */
const WAIT_MS = 10_000;
/** So many such waits are of store time while a test clock is advanced: each asks the processor. */
const WAITS_ON_THE_WAY = 2;
/** By an advance of a test clock, which runs ahead of the processor's: a failed try is none of those that count. */
const ADVANCED_MS = 24 * 3_600_000;

export async function readProcessorEvent(ctx: Context, work: ClaimedWork): Promise<void> {
  const told = await findProcessorEvent(ctx.db, work.scope, work.refId);
  if (told?.status !== 'waiting') {
    await inTransaction(ctx.db, (tx) => finishDueWork(tx, work));
    return;
  }
  try {
    const isAdopted = await adoptTold(ctx, work.scope, told);
    await inTransaction(ctx.db, (tx) => bringForward(ctx, { tx, work, told, isAdopted }));
  } catch (error) {
    // The store's own trouble is no fault of what was told.
    if (readStoreFailure(error) !== null) throw error;
    await inTransaction(ctx.db, (tx) => noteFailure(ctx, { tx, work, told, error }));
  }
}

interface Reading {
  tx: Tx;
  work: ClaimedWork;
  told: Told;
}

/**
 * An object that no row of ours names is read once: it may be ours by what it was told, and its row lost. Answers whether it
 * was; throws where the processor gives no answer.
 */
async function adoptTold(ctx: Context, scope: Scope, told: Told): Promise<boolean> {
  const { connectionId, objectId: processorId } = told;
  if (told.objectKind !== 'charge') return false;
  if (await findToldCharge(ctx.db, scope, { connectionId, processorId })) return false;
  if (await findToldSetup(ctx.db, scope, { connectionId, processorId })) return false;
  const row = await findProcessor(ctx.db, scope, connectionId);
  const provider = row && openProvider(ctx, scope, row);
  const theirs = await provider?.books?.findCharge(processorId);
  if (!row || !provider || theirs?.status !== 'succeeded') return false;
  const installId = await findInstallId(ctx.db, scope);
  if (!isOfStore(theirs, scope, installId)) return false;
  return (await adoptLost(ctx, scope, { row, provider, theirs })).kind !== 'unknown_money';
}

async function bringForward(
  ctx: Context,
  { tx, work, told, isAdopted }: Reading & { isAdopted: boolean },
): Promise<void> {
  const { scope } = work;
  const found = await findLook(tx, scope, told);
  if (found.kind === 'wait') {
    await insertDueWork(tx, scope, [{ ...found.work, dueMs: ctx.nowMs }]);
    const waitMs = ctx.isAdvancing === true && work.failures >= WAITS_ON_THE_WAY ? ADVANCED_MS : WAIT_MS;
    await postponeDueWork(tx, work, { dueMs: ctx.nowMs + waitMs, failures: work.failures + 1 });
    return;
  }
  if (!(await finishDueWork(tx, work))) return;
  if (found.kind === 'look') await insertDueWork(tx, scope, [{ ...found.work, dueMs: ctx.nowMs }]);
  const status = found.kind === 'look' || isAdopted ? 'done' : 'ignored';
  await updateProcessorEvent(tx, scope, { id: told.id, status, lastError: null });
}

async function findLook(tx: Tx, scope: Scope, told: Told): Promise<Finding> {
  const { connectionId, objectId, objectCharge, objectOwn: ownId } = told;
  // Written by whichever version took it in.
  const kind = told.objectKind as NotedKind;
  switch (kind) {
    case 'charge': {
      const charge = await findToldCharge(tx, scope, { connectionId, processorId: objectId });
      if (charge) {
        return charge.status === 'pending' && charge.hold === null
          ? { kind: 'look', work: toWatch(charge) }
          : { kind: 'none' };
      }
      const setup = await findToldSetup(tx, scope, { connectionId, processorId: objectId });
      return setup?.status === 'pending'
        ? { kind: 'look', work: { kind: 'watch_setup', refId: setup.id } }
        : { kind: 'none' };
    }
    case 'refund': {
      const refund = await findToldRefund(tx, scope, { connectionId, processorId: objectId, ownId });
      if (refund?.status === 'pending')
        return { kind: 'look', work: { kind: 'send_refund', refId: refund.id } };
      return findFollowing(tx, scope, told, refund);
    }
    case 'dispute': {
      const charge =
        objectCharge === null
          ? undefined
          : await findToldCharge(tx, scope, { connectionId, processorId: objectCharge });
      return findBehindSuccess(charge, 'watch_dispute');
    }
    case 'method':
      return (await findToldMethod(tx, scope, told))
        ? { kind: 'look', work: { kind: 'watch_method', refId: told.id } }
        : { kind: 'none' };
    default:
      throw new Error(`nobody here knows what a ${String(kind satisfies never)} is`);
  }
}

/** One that was made there is imported; one that had succeeded here may have come back, one that had failed shows up. */
async function findFollowing(
  tx: Tx,
  scope: Scope,
  { connectionId, objectCharge: processorId, type }: Told,
  refund: Pick<Row<'refunds'>, 'status'> | undefined,
): Promise<Finding> {
  const mayHaveMoved = refund?.status === 'succeeded' && !type.endsWith('.created');
  const mayBeNews = !refund || mayHaveMoved || refund.status === 'failed';
  const charge =
    mayBeNews && processorId !== null
      ? await findToldCharge(tx, scope, { connectionId, processorId })
      : undefined;
  return findBehindSuccess(charge, 'follow_refunds');
}

/** Only money that has come here can be taken or given back: what is told before it is booked waits for that. */
function findBehindSuccess(
  charge: ToldCharge | undefined,
  kind: 'watch_dispute' | 'follow_refunds',
): Finding {
  if (charge?.status === 'succeeded') return { kind: 'look', work: { kind, refId: charge.id } };
  return charge?.status === 'pending' && charge.hold === null
    ? { kind: 'wait', work: toWatch(charge) }
    : { kind: 'none' };
}

/** Tried again, ever later; in the end it is parked, and the owners are told. */
async function noteFailure(
  ctx: Context,
  { tx, work, told, error }: Reading & { error: unknown },
): Promise<void> {
  const { scope } = work;
  const lastError = String(error).slice(0, 1000);
  if (ctx.isAdvancing === true) {
    await postponeDueWork(tx, work, { dueMs: ctx.nowMs + ADVANCED_MS, lastError });
    return;
  }
  const tries = told.tries + 1;
  const laterMs = findLaterTryMs(tries);
  if (laterMs !== null) {
    if (!(await postponeDueWork(tx, work, { dueMs: ctx.nowMs + laterMs, failures: tries, lastError })))
      return;
    await updateProcessorEvent(tx, scope, { id: told.id, tries, lastError });
    return;
  }
  if (!(await finishDueWork(tx, work))) return;
  await updateProcessorEvent(tx, scope, { id: told.id, tries, lastError, status: 'parked' });
  const connection = await findProcessor(tx, scope, told.connectionId);
  const params = { name: connection?.name ?? '', type: told.type, eventId: told.eventId };
  const mail = { kind: 'processor_event_parked' as const, params, at: ctx.nowMs };
  await queueOwnerMails(tx, scope, [{ ...mail, key: `processor_event_parked:${told.id}:${ctx.nowMs}` }]);
}
