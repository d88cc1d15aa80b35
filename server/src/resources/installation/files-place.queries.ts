/** Where the store says that its files lie: what a process believes of FILES_URL is held against it. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import { Refusal } from '../../domain/errors.ts';
import { type FilesPlace, toFilesUrl } from '../../domain/files-place.ts';

const NO_MOVE = { filesMovingTo: null, filesMovingFrom: null };

export interface FilesMove {
  from: string | null;
  to: string;
}

/** A URL; null = in DATA_DIR. */
export async function readFilesUrl(db: Db): Promise<string | null> {
  return (await db.selectFrom('installationState').select('filesUrl').executeTakeFirstOrThrow()).filesUrl;
}

/**
 * Called by whoever notes a file, in the same transaction. A switch waits for those that have asked before it, and
 * refuses those that ask afterwards: a file that was noted lies where the switch will look for it. Throws unavailable.
 */
export async function refuseMoved(tx: Tx, files: FilesPlace | null): Promise<void> {
  const { rows } = await sql<{ filesUrl: string | null }>`
    select files_url from installation_state for share`.execute(tx);
  const filesUrl = rows[0]?.filesUrl ?? null;
  if (filesUrl === toFilesUrl(files)) return;
  const internal = `the files of this store lie at ${filesUrl ?? 'DATA_DIR'}: start with FILES_URL as it is there`;
  throw new Refusal('unavailable', { internal });
}

/** Answers where the files lie. Those of a store that has none lie where FILES_URL says from now on. */
export async function settleFiles(db: Db, files: FilesPlace | null): Promise<string | null> {
  const own = toFilesUrl(files);
  return inTransaction(db, async (tx) => {
    const state = await tx
      .selectFrom('installationState')
      .select('filesUrl')
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (state.filesUrl === own || (await hasFiles(tx))) return state.filesUrl;
    await tx
      .updateTable('installationState')
      .set({ filesUrl: own, ...NO_MOVE })
      .execute();
    return own;
  });
}

/** Of a store that was empty, and is filled. */
export async function placeFiles(db: Db, files: FilesPlace | null): Promise<void> {
  const filesUrl = toFilesUrl(files);
  await inTransaction(db, (tx) => tx.updateTable('installationState').set({ filesUrl }).execute());
}

async function hasFiles(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from files) or exists (select from invoices where pdf_sha256 is not null) as found`.execute(
    tx,
  );
  return rows[0]?.found ?? false;
}

/** A move that may not be. */
export class MoveError extends Error {
  override name = 'MoveError';
}

/** Noted before the first file is copied, so that another run knows where from. Throws MoveError. */
export async function beginFilesMove(db: Db, to: string): Promise<FilesMove> {
  return inTransaction(db, async (tx) => {
    const { filesUrl, filesMovingTo, filesMovingFrom } = await tx
      .selectFrom('installationState')
      .select(['filesUrl', 'filesMovingTo', 'filesMovingFrom'])
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (filesMovingTo === to) return { from: filesMovingFrom, to };
    // Its last files may lie where it came from alone.
    if (filesMovingTo !== null && filesMovingTo === filesUrl)
      throw new MoveError(`The move to ${filesUrl} is not done with: run that again first.`);
    if (filesUrl === to) throw new MoveError(`The files lie at ${to} already.`);
    await tx.updateTable('installationState').set({ filesMovingTo: to, filesMovingFrom: filesUrl }).execute();
    return { from: filesUrl, to };
  });
}

/** From now on files are noted there alone; it waits for those who are about to note one. */
export async function switchFiles(db: Db, to: string): Promise<void> {
  await inTransaction(db, (tx) => tx.updateTable('installationState').set({ filesUrl: to }).execute());
}

export async function endFilesMove(db: Db): Promise<void> {
  await inTransaction(db, (tx) => tx.updateTable('installationState').set(NO_MOVE).execute());
}

export interface StoredName {
  workspaceId: string;
  testMode: boolean;
  id: string;
  /** Null = an upload of before hashes were noted. */
  sha256: string | null;
  sizeBytes: number;
}

export interface NamesPage {
  of: 'files' | 'documents';
  after: Pick<StoredName, 'workspaceId' | 'testMode' | 'id'> | null;
  limit: number;
}

/** Of all stores, in the order of their keys. An operator's question: of all workspaces. */
export async function listStoredNames(db: Db, { of, after, limit }: NamesPage): Promise<StoredName[]> {
  const beyond = after
    ? sql<SqlBool>`(workspace_id, test_mode, id) > (${after.workspaceId}::uuid, ${after.testMode}::boolean, ${after.id}::uuid)`
    : sql<SqlBool>`true`;
  const { rows } =
    of === 'files'
      ? await sql<StoredName>`
          select workspace_id, test_mode, id, sha256, size_bytes from files where ${beyond}
          order by workspace_id, test_mode, id limit ${limit}::int`.execute(db)
      : await sql<StoredName>`
          select workspace_id, test_mode, id, pdf_sha256 as sha256, pdf_size as size_bytes from invoices
          where pdf_sha256 is not null and ${beyond}
          order by workspace_id, test_mode, id limit ${limit}::int`.execute(db);
  return rows;
}

/** The hash of an upload of before they were noted. */
export async function noteHash(
  db: Db,
  { workspaceId, testMode, id, sha256 }: Omit<StoredName, 'sha256' | 'sizeBytes'> & { sha256: string },
): Promise<void> {
  await sql`
    update files set sha256 = ${sha256} where workspace_id = ${workspaceId}::uuid and test_mode = ${testMode}::boolean
      and id = ${id}::uuid and sha256 is null`.execute(db);
}
