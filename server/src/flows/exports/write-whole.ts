/**
 * Exports that are archives: all of a store, from one snapshot of it, or all that it has of one user. What is cut is
 * begun anew: a snapshot ends with its process.
 */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { LEASE_MS } from '../../domain/due-work.ts';
import { Refusal } from '../../domain/errors.ts';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, type ArchiveAbout } from '../../domain/exports/archive.ts';
import { createSealer } from '../../providers/files/age.ts';
import { toPath } from '../../providers/files/disk.ts';
import { renewDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import { type ExportRow, findExport } from '../../resources/exports/exports.queries.ts';
import { findMigration, listDocumentsOf } from '../../resources/exports/whole-store.queries.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { openInvoice } from '../accounting/open-invoice.ts';
import { gatherOwnData } from '../portal/gather-own-data.ts';
import { chooseStore } from './choose-store.ts';
import type { ExportedLists } from './exported-list.ts';
import { gatherStore } from './gather-store.ts';
import { type Parts, writeArchive } from './write-archive.ts';

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
  const about: ArchiveAbout = {
    ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, kind: row.kind === 'user' ? 'user' : 'store' },
    ...{ migration, withSecrets: row.withSecrets, createdAt: row.createdAt },
  };
  const { recipients } = row;
  const seal = recipients.length > 0 ? await createSealer({ recipients, passphrase: null }) : null;
  try {
    const from = await chooseStore(ctx, work, row);
    // Unpacked on a machine without a test clock: tar warns of files from the future.
    const mtimeMs = ctx.realNowMs();
    const bytes = await writeArchive(target, { about, mtimeMs, seal }, (all) => {
      const parts = counting(all, { counted, check: watch.check });
      if (row.kind !== 'store') return gatherOneUser(ctx, { ...writing, parts });
      return gatherStore(from, work.scope, { parts, about, lists: writing.lists });
    });
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
    addFile(name, fetch) {
      check();
      return parts.addFile(name, fetch);
    },
  };
}

async function gatherOneUser(
  ctx: Context,
  { work: { scope }, row, parts }: Writing & { parts: Parts },
): Promise<void> {
  const user = await findUser(ctx.db, scope, row.ids[0] ?? '');
  if (!user) throw new Refusal('not_found');
  const data = await gatherOwnData(ctx, scope, user);
  await parts.addText('user.json', `${JSON.stringify(data, null, 2)}\n`);
  // Those that nobody has opened yet are drawn now: they are theirs as much as the others.
  for (const { number, token } of await listDocumentsOf(ctx.db, scope, user.id))
    await addDocument(ctx, { parts, number, token });
}

async function addDocument(
  ctx: Context,
  { parts, number, token }: { parts: Parts; number: string; token: string },
): Promise<void> {
  const document = await openInvoice(ctx, token);
  await parts.addFile(`documents/${number}.pdf`, async (copy) => {
    await pipeline(await document.open(), createWriteStream(copy, { mode: 0o600 }));
    return copy;
  });
}
