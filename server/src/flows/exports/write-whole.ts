/**
 * Exports that are archives: all of a store, from one snapshot of it, or all that it has of one user. What is cut is
 * begun anew: a snapshot ends with its process.
 */
import { access } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { LEASE_MS } from '../../domain/due-work.ts';
import { Refusal } from '../../domain/errors.ts';
import { toPath } from '../../providers/files/disk.ts';
import { renewDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { type ExportRow, findExport } from '../../resources/exports/exports.queries.ts';
import { EXPORTED_RESOURCES } from '../../resources/exports/exports.schema.ts';
import {
  describeWorkspace,
  findMigration,
  listDocumentsOf,
  listKeptBytes,
  listStoreTables,
  readTable,
  takeSnapshot,
} from '../../resources/exports/whole-store.queries.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { openInvoice } from '../accounting/open-invoice.ts';
import { gatherOwnData } from '../portal/gather-own-data.ts';
import type { ExportedLists } from './exported-list.ts';
import { type Parts, writeArchive } from './write-archive.ts';

const FORMAT = 'counterfoil-export';
const VERSION = 1;
/** Rows that are held in memory at once. */
const LOT_ROWS = 500;
/** Of a list of the API, whose rows are large. */
const PAGE_ROWS = 100;

export interface Written {
  rows: number;
  bytes: number;
}

/** Somebody has cancelled it, or another process has it in hand. */
class Unwanted extends Error {}

interface Writing {
  work: ClaimedWork;
  row: ExportRow;
  lists: ExportedLists;
}

/** Null = nobody wants it any more. */
export async function writeWhole(ctx: Context, writing: Writing): Promise<Written | null> {
  const { work, row } = writing;
  const watch = watchWanted(ctx, work);
  const counted = { rows: 0 };
  const target = toPath(ctx.config.dataDir, row);
  const migration = await findMigration(ctx.db);
  const about = { format: FORMAT, version: VERSION, kind: row.kind, migration, createdAt: row.createdAt };
  const gather = row.kind === 'store' ? gatherStore : gatherOneUser;
  try {
    const bytes = await writeArchive(target, { about, mtimeMs: row.createdAt }, (parts) =>
      gather(ctx, { ...writing, parts: counting(parts, { counted, check: watch.check }), about }),
    );
    return { rows: counted.rows, bytes };
  } catch (error) {
    if (error instanceof Unwanted) return null;
    throw error;
  } finally {
    watch.stop();
  }
}

/** It takes longer than a lease: who has it in hand says so now and then, and hears whether it is still wanted. */
function watchWanted(ctx: Context, work: ClaimedWork) {
  let isWanted = true;
  const look = async () => {
    const stands = await findExport(ctx.db, work.scope, work.refId);
    const renewed = await renewDueWork(ctx.db, work, LEASE_MS);
    isWanted = isWanted && renewed && stands?.outcome === null;
  };
  // What could not be asked is asked again at the next turn, well before the lease ends.
  const timer = setInterval(() => void look().catch(() => {}), LEASE_MS / 6);
  return {
    stop: () => clearInterval(timer),
    check: () => {
      if (!isWanted) throw new Unwanted();
    },
  };
}

function counting(parts: Parts, { counted, check }: { counted: { rows: number }; check: () => void }): Parts {
  async function* checked(lots: AsyncIterable<readonly string[]>) {
    for await (const lot of lots) {
      check();
      yield lot;
    }
  }
  return {
    async addLines(name, lots) {
      const rows = await parts.addLines(name, checked(lots));
      counted.rows += rows;
      return rows;
    },
    addText: parts.addText,
    clear() {
      counted.rows = 0;
      parts.clear();
    },
    addFile(name, place) {
      check();
      return parts.addFile(name, place);
    },
  };
}

type Gathering = Writing & { parts: Parts; about: object };

async function gatherStore(ctx: Context, { work: { scope }, lists, parts, about }: Gathering): Promise<void> {
  const kept = await inTransaction(ctx.db, async (tx) => {
    // A transaction may run again.
    parts.clear();
    await takeSnapshot(tx);
    const workspace = await describeWorkspace(tx, scope);
    const mode = scope.testMode ? 'test' : 'live';
    await parts.addText('header.json', `${JSON.stringify({ ...about, mode, workspace }, null, 2)}\n`);
    for (const table of await listStoreTables(tx))
      await parts.addLines(`rows/${table.name}.jsonl`, readTable(tx, scope, { table, lotRows: LOT_ROWS }));
    for (const resource of EXPORTED_RESOURCES)
      await parts.addLines(`objects/${resource}.jsonl`, readList(ctx, scope, { tx, list: lists(resource) }));
    return listKeptBytes(tx, scope);
  });
  const { dataDir } = ctx.config;
  for (const { id } of kept.files) await addKept(parts, `files/${id}`, toPath(dataDir, { ...scope, id }));
  await addDocuments(ctx, scope, { parts, documents: kept.documents });
}

async function* readList(
  ctx: Context,
  scope: Scope,
  { tx, list }: { tx: Tx; list: ReturnType<ExportedLists> },
): AsyncGenerator<string[]> {
  const asked = { query: '', ids: null, take: PAGE_ROWS, withPayUrls: true };
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof list.read>> = await list.read({ ...ctx, db: tx }, scope, {
      ...asked,
      cursor,
    });
    yield page.rows.map((one) => JSON.stringify(one));
    cursor = page.cursor;
    if (cursor === null) return;
  }
}

async function gatherOneUser(ctx: Context, { work: { scope }, row, parts }: Gathering): Promise<void> {
  const user = await findUser(ctx.db, scope, row.ids[0] ?? '');
  if (!user) throw new Refusal('not_found');
  const data = await gatherOwnData(ctx, scope, user);
  await parts.addText('user.json', `${JSON.stringify(data, null, 2)}\n`);
  // Those that nobody has opened yet are drawn now: they are theirs as much as the others.
  for (const { number, token } of await listDocumentsOf(ctx.db, scope, user.id))
    await parts.addFile(`documents/${number}.pdf`, (await openInvoice(ctx, token)).path);
}

async function addDocuments(
  ctx: Context,
  scope: Scope,
  { parts, documents }: { parts: Parts; documents: Array<{ id: string; number: string; sha256: string }> },
): Promise<void> {
  for (const { id, number, sha256 } of documents) {
    const place = await ctx.documents.find({ ...scope, id }, sha256);
    if (place !== null) await parts.addFile(`documents/${number}.pdf`, place);
  }
}

/** One that is not on this disk is left out: the manifest names what is there. */
async function addKept(parts: Parts, name: string, place: string): Promise<void> {
  const isThere = await access(place).then(
    () => true,
    () => false,
  );
  if (isThere) await parts.addFile(name, place);
}
