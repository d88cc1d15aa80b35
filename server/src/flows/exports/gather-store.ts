/** All of a store as an archive holds it: rows and objects of one moment, and its files. */
import type { Context, Service } from '../../context.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type ArchiveAbout, type ArchiveHeader, HEADER } from '../../domain/exports/archive.ts';
import { toDocumentName, toUploadName } from '../../providers/files/file-store.ts';
import { EXPORTED_RESOURCES } from '../../resources/exports/exports.schema.ts';
import {
  describeWorkspaces,
  type KeptBytes,
  listKeptBytes,
  listStoreTables,
  readTable,
  readWholeTable,
  takeSnapshot,
} from '../../resources/exports/whole-store.queries.ts';
import type { ExportedLists } from './exported-list.ts';
import type { Parts } from './write-archive.ts';

/** Rows that are held in memory at once. */
export const LOT_ROWS = 500;
/** Of a list of the API, whose rows are large. */
const PAGE_ROWS = 100;

interface Gathering {
  parts: Parts;
  about: ArchiveAbout;
  lists: ExportedLists;
}

export async function gatherStore(
  ctx: Context,
  scope: Scope,
  { parts, about, lists }: Gathering,
): Promise<void> {
  const { withSecrets } = about;
  const kept = await inTransaction(ctx.db, async (tx) => {
    // A transaction may run again.
    parts.clear();
    await takeSnapshot(tx);
    const [workspace] = await describeWorkspaces(tx, scope.workspaceId);
    const mode = scope.testMode ? 'test' : 'live';
    await addHeader(parts, { ...about, mode, ...(workspace ? { workspace } : {}) });
    const { workspaceId } = scope;
    const reading = { lotRows: LOT_ROWS, withSecrets };
    await parts.addLines(
      'rows/workspaces.jsonl',
      readWholeTable(tx, { ...reading, name: 'workspaces', workspaceId }),
    );
    for (const table of await listStoreTables(tx))
      await parts.addLines(`rows/${table.name}.jsonl`, readTable(tx, scope, { ...reading, table }));
    for (const resource of EXPORTED_RESOURCES)
      await parts.addLines(`objects/${resource}.jsonl`, readList(ctx, scope, { tx, list: lists(resource) }));
    return listKeptBytes(tx, scope);
  });
  await addKeptBytes(ctx, scope, { parts, kept });
}

export async function addHeader(parts: Parts, header: ArchiveHeader): Promise<void> {
  await parts.addText(HEADER, `${JSON.stringify(header, null, 2)}\n`);
}

/** What of it is missing is left out: the manifest names what is there. `under` leads to the store's own. */
export async function addKeptBytes(
  { files }: Pick<Service, 'files'>,
  scope: Scope,
  { parts, kept, under = '' }: { parts: Parts; kept: KeptBytes; under?: string },
): Promise<void> {
  for (const { id, sha256 } of kept.files) {
    const name = toUploadName({ ...scope, id, sha256 });
    await parts.addFile(`files/${under}${id}`, (copy) => files.fetch(name, copy));
  }
  for (const { id, number, sha256 } of kept.documents) {
    const name = toDocumentName({ ...scope, id }, sha256);
    await parts.addFile(`documents/${under}${number}.pdf`, (copy) => files.fetch(name, copy));
  }
}

async function* readList(
  ctx: Context,
  scope: Scope,
  { tx, list }: { tx: Tx; list: ReturnType<ExportedLists> },
): AsyncGenerator<string[]> {
  const asked = { query: '', ids: null, take: PAGE_ROWS, withPayUrls: true };
  const db: Db = tx;
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof list.read>> = await list.read({ ...ctx, db }, scope, {
      ...asked,
      cursor,
    });
    yield page.rows.map((one) => JSON.stringify(one));
    cursor = page.cursor;
    if (cursor === null) return;
  }
}
