/**
 * A base backup of the embedded store, taken while it is used: its files as they are read, which the log that is
 * written meanwhile makes whole; and the uploads and documents beside it. It appears under its name once it is whole.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PRODUCT_VERSION } from '../../../domain/version.ts';
import type { Place } from '../place.ts';
import { hasCode } from '../platform.ts';
import { openSession, type Session } from '../session.ts';
import { type BackupPlace, readSegmentBytes } from './backup-place.ts';
import { copyTree } from './copy-files.ts';
import {
  type Base,
  type CopiedFile,
  listBases,
  type Manifest,
  removePartials,
  toPartial,
  writeManifest,
} from './manifest.ts';

export interface TakingBase {
  place: Place;
  backups: BackupPlace;
  durable: boolean;
}

/** Beside the two of the leases of a store. */
const BACKUP_LOCK = '(20303, 3)';
/** The server waits for the log that the backup needs to be archived, and not for ever. */
const ARCHIVED_WITHIN_MS = 300_000;
const QUERY_CANCELED = '57014';
const NO_ROOM = ['ENOSPC', 'EDQUOT'];
/** What no recovery reads: the log itself, what a server knows of its own life, and what it makes anew. */
const LEFT_OUT =
  /^(postmaster\.(pid|opts)|(standby|recovery)\.signal|pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.*|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/;
/** In DATA_DIR, beside the cluster. Its secrets.key, passwords and key pairs stay there. */
export const FOLDERS = ['files', 'invoices'];

/** One is enough, and what it leaves stands for both. */
export class BackupUnderWay extends Error {
  override name = 'BackupUnderWay';
  override message = 'another base backup is being taken just now';
}

/** Its operator can mend it. */
export class BackupFailed extends Error {
  override name = 'BackupFailed';
}

export async function takeBase(taking: TakingBase): Promise<Base> {
  const session = await openSession(taking.place, taking.durable, () => {});
  try {
    if (!(await lockBackups(session))) throw new BackupUnderWay();
    await removePartials(taking.backups.bases);
    return await copyUnderBackup(taking, session);
  } finally {
    // Ends the backup too, where it was not finished.
    await session.client.end();
  }
}

async function lockBackups({ client }: Session): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_lock${BACKUP_LOCK} as held`);
  return rows[0]?.held === true;
}

async function copyUnderBackup({ place, backups, durable }: TakingBase, session: Session): Promise<Base> {
  const { client } = session;
  const { rows } = await client.query<{ nowMs: string; system: string; postgres: string }>(
    `select floor(extract(epoch from clock_timestamp()) * 1000) as "nowMs",
       (select system_identifier::text from pg_control_system()) as system,
       current_setting('server_version') as postgres`,
  );
  const startedAt = new Date(Number(rows[0]?.nowMs)).toISOString();
  const folder = path.join(backups.bases, startedAt.replaceAll(/[-:.]/g, ''));
  const partial = toPartial(folder);
  const earlier = (await listBases(backups.bases)).at(-1) ?? null;
  await mkdir(path.join(partial, 'postgres'), { recursive: true, mode: 0o700 });
  try {
    const { rows: begun } = await client.query<{ segment: string }>(
      `select pg_walfile_name(pg_backup_start('counterfoil', fast => true)) as segment`,
    );
    const cluster = await copyTree({
      from: place.cluster,
      to: path.join(partial, 'postgres'),
      leavesOut: (below) => LEFT_OUT.test(below),
      durable,
    });
    const files = await copyFolders(place.dataDir, partial, earlier, durable);
    const ended = await endBackup(session);
    await writeFile(path.join(partial, 'postgres/backup_label'), ended.label, {
      mode: 0o600,
      flush: durable,
    });
    const manifest: Manifest = {
      product: PRODUCT_VERSION,
      postgres: rows[0]?.postgres ?? '',
      systemIdentifier: rows[0]?.system ?? '',
      startedAt,
      endedAt: new Date(Number(ended.nowMs)).toISOString(),
      segmentBytes: await readSegmentBytes(place.cluster),
      firstSegment: begun[0]?.segment ?? '',
      lastSegment: ended.segment,
      cluster: [...cluster, describeLabel(ended.label)],
      files,
    };
    await writeManifest(partial, manifest);
    await rename(partial, folder);
    return { folder, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!NO_ROOM.some((code) => hasCode(error, code))) throw error;
    const message = `BACKUP_DIR (${backups.root}) has no room for a base backup: make room there, or lower BACKUP_KEEP_DAYS`;
    throw new BackupFailed(message, { cause: error });
  }
}

function describeLabel(label: string): CopiedFile {
  const sha256 = createHash('sha256').update(label).digest('hex');
  return { path: 'backup_label', bytes: Buffer.byteLength(label), sha256 };
}

async function endBackup({ client }: Session): Promise<{ label: string; segment: string; nowMs: string }> {
  await client.query(`set statement_timeout = ${ARCHIVED_WITHIN_MS}`);
  try {
    const { rows } = await client.query<{ label: string; segment: string; nowMs: string }>(
      `select labelfile as label, pg_walfile_name(lsn) as segment,
         floor(extract(epoch from clock_timestamp()) * 1000) as "nowMs" from pg_backup_stop(true)`,
    );
    const [ended] = rows;
    if (!ended) throw new Error('the server did not say where the backup ended');
    return ended;
  } catch (cause) {
    if (!hasCode(cause, QUERY_CANCELED)) throw cause;
    throw new BackupFailed('the log that the backup needs is not archived: is there room in BACKUP_DIR?', {
      cause,
    });
  }
}

/** Written once and never changed, so that a backup shares them with the one before. */
async function copyFolders(
  dataDir: string,
  to: string,
  earlier: Base | null,
  durable: boolean,
): Promise<CopiedFile[]> {
  const copied: CopiedFile[] = [];
  for (const name of FOLDERS) {
    const from = path.join(dataDir, name);
    if (!existsSync(from)) continue;
    const before = (earlier?.manifest.files ?? []).filter((file) => file.path.startsWith(`${name}/`));
    const known = before.map((file): [string, CopiedFile] => [
      file.path.slice(name.length + 1),
      { ...file, path: file.path.slice(name.length + 1) },
    ]);
    const files = await copyTree({
      from,
      to: path.join(to, name),
      // Not under its own name yet.
      leavesOut: (below) => below.endsWith('.partial'),
      earlier: earlier && { folder: path.join(earlier.folder, name), files: new Map(known) },
      durable,
    });
    copied.push(...files.map((file) => ({ ...file, path: `${name}/${file.path}` })));
  }
  return copied;
}
