/** Reads what happened at processors where nobody tells it, or nobody told it any more; by real time. */
import type { Context } from '../../context.ts';
import type { Row } from '../../db/schema.ts';
import { claimToRead, listReadable, listSilent } from '../../resources/processors/reading.queries.ts';
import { listOpenStores } from '../../resources/workspaces/open-stores.queries.ts';
import { noteHealth } from './change-health.ts';
import { readConnection } from './read-books.ts';

type Service = Omit<Context, 'nowMs'>;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIMES = { toldMs: 24 * HOUR_MS, untoldMs: 5 * MINUTE_MS, openMs: 10_000 };
/** A charge that was settled so long ago should have been told of. */
const SILENT_AFTER_MS = 10 * MINUTE_MS;
/** Of those that are older nobody says anything any more. */
const SILENT_WITHIN_MS = 24 * HOUR_MS;
/** Read side by side. */
const TOGETHER = 4;

/** Those whose turn it is. Answers how many were read. */
export async function readDue(service: Service): Promise<number> {
  const stores = await listOpenStores(service.db);
  return readAll(service, await claimToRead(service.db, { ...TIMES, ...stores }));
}

/** All of them, once, so that nothing has to wait for it later. */
export async function readFirst(service: Service): Promise<void> {
  const rows = await listReadable(service.db, await listOpenStores(service.db));
  await forEachOf(rows, ({ workspaceId, testMode, id }) => service.books.read({ workspaceId, testMode }, id));
}

/** What nobody has told of is read at once, and the owners hear of it. Answers how many are silent. */
export async function findSilent(service: Service): Promise<number> {
  const times = { afterMs: SILENT_AFTER_MS, withinMs: SILENT_WITHIN_MS };
  const stores = await listOpenStores(service.db);
  const rows = await listSilent(service.db, { ...times, ...stores });
  for (const { workspaceId, testMode, id } of rows) {
    const change = { to: 'silent' as const, reason: 'nothing_told', from: ['ok', 'degraded'] as const };
    await noteHealth(service, { workspaceId, testMode }, { id, ...change });
  }
  await readAll(service, rows);
  return rows.length;
}

async function readAll(service: Service, rows: ReadonlyArray<Row<'processors'>>): Promise<number> {
  let count = 0;
  await forEachOf(rows, async (row) => {
    const { workspaceId, testMode } = row;
    if (await readConnection(service, { workspaceId, testMode }, row)) count += 1;
  });
  return count;
}

async function forEachOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  const next = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: TOGETHER }, next));
}
