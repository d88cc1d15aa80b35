/**
 * What happened at a processor while nobody heard it. It is kept as what was told, and read with it: a page in a
 * transaction, and with the last one where the next reading begins. What was told moves nothing of that: a single
 * notification after days without any says nothing of those days.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Books, Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { READ_AGAIN_MS, toReadingStart } from '../../domain/processors/reading.ts';
import type { NotificationsPage } from '../../providers/payment/notification.ts';
import type { PaymentProvider } from '../../providers/payment/payment-provider.ts';
import { findProcessor, listProcessors } from '../../resources/processors/processors.queries.ts';
import { noteReading } from '../../resources/processors/reading.queries.ts';
import { bringForwardWaiting } from '../../resources/processors/waiting-work.queries.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';
import { openProvider } from '../payments/provider-of.ts';
import { adoptRestored } from './adopt-restored.ts';
import { keepNotifications } from './take-notification.ts';

type Service = Omit<Context, 'nowMs'>;
type Processor = Row<'processors'>;

/** One that gave no answer is asked again after this, whoever waits for it. */
const FAILED_FOR_MS = 10_000;
/** Of one reading: a month of the busiest account. */
const PAGES_MAX = 100_000;
/** A page that had no answer is asked for again, so that one lost answer of many does not lose the whole reading. */
const PAGE_TRIES_MAX = 6;
const PAGE_PAUSE_MS = 100;

/** Reads to the end, or not at all. Answers whether it came there; true where there is nothing to read. */
export async function readConnection(service: Service, scope: Scope, row: Processor): Promise<boolean> {
  const provider = openOwn(service, scope, row);
  if (provider === 'foreign') return false;
  if (!provider?.listNotifications) return true;
  // Of one that was given up nothing is read before its account is connected again.
  if (row.status === 'retired' && row.credentials === null) return false;
  const begunAt = service.realNowMs();
  const sinceMs = toReadingStart(row.readFrom, begunAt);
  let after: string | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await readPage(provider.listNotifications, { sinceMs, after });
    if (page.kind === 'no_answer') return false;
    await keepPage(service, scope, { connectionId: row.id, page, begunAt });
    if (page.next === null) return true;
    after = page.next;
  }
  return false;
}

/** Of one that is sealed by a key of other processes alone nothing is read here, and those beside it are read all the same. */
function openOwn(service: Service, scope: Scope, row: Processor): PaymentProvider | null | 'foreign' {
  try {
    return openProvider(service, scope, row);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'processor_unreachable') return 'foreign';
    throw error;
  }
}

type ListNotifications = NonNullable<PaymentProvider['listNotifications']>;

/** Of one that answers nothing at all the first page is enough to know. */
async function readPage(
  list: ListNotifications,
  asked: Parameters<ListNotifications>[0],
): Promise<NotificationsPage> {
  for (let tries = 1; ; tries += 1) {
    const page = await list(asked);
    if (page.kind !== 'no_answer' || asked.after === null || tries >= PAGE_TRIES_MAX) return page;
    await wait(PAGE_PAUSE_MS * tries);
  }
}

interface KeepingPage {
  connectionId: string;
  page: Extract<NotificationsPage, { kind: 'page' }>;
  begunAt: number;
}

async function keepPage(
  service: Service,
  scope: Scope,
  { connectionId, page, begunAt }: KeepingPage,
): Promise<void> {
  const { notifications, next } = page;
  const { offsetMs } = await getClock(service.db, scope);
  const ctx = { ...service, nowMs: service.realNowMs() + offsetMs };
  const added = await inTransaction(service.db, async (tx) => {
    if (next === null) {
      const { processId } = service;
      const times = { begunAt, endedAt: service.realNowMs(), readFrom: begunAt - READ_AGAIN_MS };
      await noteReading(tx, scope, { connectionId, processId, ...times });
    }
    return keepNotifications(ctx, scope, { tx, connectionId, notifications, wasRead: true });
  });
  if (added > 0) service.nudgeWorker(scope);
}

export interface ReadingBooks extends Books {
  /** Those that gave no answer once more; what has waited for them goes on. */
  retry(): Promise<void>;
}

/** `service` is asked for at the first reading: it is built around the books. */
export function createBooks(service: () => Service): ReadingBooks {
  const done = new Set<string>();
  const failed = new Map<string, { scope: Scope; atMs: number }>();
  const running = new Map<string, Promise<boolean>>();

  async function run(scope: Scope, row: Processor): Promise<boolean> {
    const { id } = row;
    try {
      const isRead = await readConnection(service(), scope, row);
      // What a restored store has lost is found with it.
      if (isRead) await adoptRestored(service(), scope, row);
      if (isRead) {
        done.add(id);
        failed.delete(id);
      } else failed.set(id, { scope, atMs: performance.now() });
      return isRead;
    } catch (error) {
      failed.set(id, { scope, atMs: performance.now() });
      service().log.warn({ err: error }, 'what happened at a processor could not be read');
      return false;
    }
  }

  /** Whoever comes meanwhile waits for the one that runs. */
  function readRow(scope: Scope, row: Processor): Promise<boolean> {
    const { id } = row;
    const reading = running.get(id) ?? run(scope, row).finally(() => running.delete(id));
    running.set(id, reading);
    return reading;
  }

  const hasJustFailed = (id: string) =>
    performance.now() - (failed.get(id)?.atMs ?? Number.NEGATIVE_INFINITY) < FAILED_FOR_MS;

  async function readAgain(scope: Scope, id: string): Promise<boolean> {
    const row = await findProcessor(service().db, scope, id);
    return row ? readRow(scope, row) : false;
  }

  return {
    isRead: (connectionId) => connectionId === null || done.has(connectionId),
    async read(scope, id) {
      if (done.has(id)) return true;
      return hasJustFailed(id) ? false : readAgain(scope, id);
    },
    async readStore(scope, { anew } = { anew: false }) {
      const rows = await listProcessors(service().db, scope);
      const isDone = ({ id, adoptFrom }: Processor) => done.has(id) && adoptFrom === null;
      const unread = rows.filter((row) => anew || !(isDone(row) || hasJustFailed(row.id)));
      // Where it cannot be read now, what was read before lets nobody be charged either.
      if (anew) for (const { id } of unread) done.delete(id);
      await Promise.all(unread.map((row) => readRow(scope, row)));
    },
    async retry() {
      for (const [connectionId, { scope }] of failed) {
        // The store may have been emptied, and the connection gone with its workspace.
        if (!(await findProcessor(service().db, scope, connectionId))) failed.delete(connectionId);
        else if (await readAgain(scope, connectionId)) await goOn(service(), scope, connectionId);
      }
    },
  };
}

/** What has waited for the books of a connection is due now. */
async function goOn(service: Service, scope: Scope, connectionId: string): Promise<void> {
  const { offsetMs } = await getClock(service.db, scope);
  const nowMs = service.realNowMs() + offsetMs;
  await inTransaction(service.db, (tx) => bringForwardWaiting(tx, scope, { connectionId, nowMs }));
  service.nudgeWorker(scope);
}
