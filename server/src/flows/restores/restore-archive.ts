/**
 * A file becomes workspaces again: whole and proved, or nothing at all. What a restore that was killed or refused has
 * left is taken away by the next.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type pg from 'pg';
import type { Service } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { tryLock } from '../../db/held-lock.ts';
import { dropSchema, endMaking, findMaking, makeAnew, markMaking } from '../../db/make-anew.ts';
import { MIGRATION_LOCK, migrate, readMigrations } from '../../db/migrate.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction, violatedKey } from '../../db/transaction.ts';
import type { ArchiveHeader } from '../../domain/exports/archive.ts';
import { BACKED_UP } from '../../domain/exports/left-out.ts';
import { toFilesUrl } from '../../domain/files-place.ts';
import type { Sealer } from '../../providers/files/age.ts';
import { listAccounts } from '../../resources/accounts/accounts.queries.ts';
import { findMigration } from '../../resources/exports/whole-store.queries.ts';
import { placeFiles, settleFiles } from '../../resources/installation/files-place.queries.ts';
import { proveLedger } from '../../resources/ledger/ledger.queries.ts';
import {
  countStanding,
  findWorkspaces,
  goLive,
  listLeftovers,
  narrowTo,
  setInstallation,
} from '../../resources/restores/restores.queries.ts';
import { purgeWorkspace } from '../../resources/workspaces/empty-store.queries.ts';
import { type Admitted, admitMembers, refuseOwners } from './admit-members.ts';
import { type Archive, readArchive } from './read-archive.ts';
import { type RenewedSecret, renewSecrets } from './renew-secrets.ts';
import { removeWorkspaceBytes, restoreBytes } from './restore-bytes.ts';
import { RestoreError } from './restore-error.ts';
import { type Restoring, restoreRows } from './restore-rows.ts';

/** Any number that no other lock of ours uses. */
const RESTORE_LOCK = 7_301_955;
/** The first whose schema knows a workspace that is being restored. */
const FIRST_MIGRATION = '0144_restoring';
/** Who belongs to a workspace is found anew among those who are known here. */
const OF_MEMBERS = ['memberships', 'workspace_transfers'];

export type RestoreService = Pick<Service, 'db' | 'config' | 'files' | 'ids'> & {
  connection: pg.ClientConfig;
};

export interface RestoreOptions {
  askKeys: () => Promise<Sealer>;
  nowMs: number;
  /** Who owns what comes from a workspace of another installation; null = whom the file names. */
  ownerEmail: string | null;
  /** For a store that is thrown away: nobody is invited and nothing held. */
  isThrownAway: boolean;
  /** What does not hold of the rows, a line each. */
  findBroken: (db: Db) => Promise<string[]>;
  /** Told what is done. */
  tell: (line: string) => void;
  /** Where migrations lie; missing = ours. */
  folder?: string;
}

export interface Restored extends Admitted {
  header: ArchiveHeader;
  workspaces: Array<{ id: string; name: string }>;
  rows: number;
  files: number;
  renewed: RenewedSecret[];
}

/** Throws RestoreError; nothing was restored then. */
export async function restoreArchive(
  service: RestoreService,
  file: string,
  options: RestoreOptions,
): Promise<Restored> {
  const lock = await tryLock(service.connection, RESTORE_LOCK);
  if (!lock) throw new RestoreError('Another restore is under way in this store.');
  const folder = path.join(service.config.dataDir, 'restore.parts');
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const archive = await readArchive(file, { folder, askKeys: options.askKeys });
    options.tell('Every part of the file has the sum that its manifest names.');
    return await restore(service, archive, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await lock.release();
  }
}

async function restore(
  service: RestoreService,
  archive: Archive,
  options: RestoreOptions,
): Promise<Restored> {
  const { header } = archive;
  await refuseUnknown(header, options);
  const workspaces = workspacesOf(header);
  if (workspaces.length === 0) throw new RestoreError('There is no workspace in the file.');
  const isEmpty = await prepare(service, { header, ids: workspaces.map(({ id }) => id), options });
  const modes = header.mode === null ? [false, true] : [header.mode === 'test'];
  const scopes = workspaces.flatMap(({ id }) => modes.map((testMode) => ({ workspaceId: id, testMode })));
  // Of an installation its accounts come along; a workspace alone finds its people here.
  const isWhole = isEmpty && header.kind === 'backup';
  const shared = BACKED_UP.filter((name) => name !== 'workspaces');
  const restoring = {
    ...{ archive, workspaceIds: workspaces.map(({ id }) => id) },
    leftOut: new Set(isWhole ? [] : [...shared, ...OF_MEMBERS]),
  };
  try {
    const rows = await fillIn(service, { restoring, isEmpty, options });
    if (isEmpty) {
      await migrate(service.connection, options.folder ? { folder: options.folder } : {});
      await placeFiles(service.db, service.config.files);
    }
    const files = await restoreBytes(service, { archive, scopes });
    options.tell(`${rows} rows and ${files} files are in.`);
    await refuseBroken(service.db, { scopes, isEmpty, options });
    const made = await finish(service, { archive, scopes, isWhole, options });
    if (isEmpty) await endMaking(service.connection);
    return { ...made, header, rows, files, workspaces: workspaces.map(({ id, name }) => ({ id, name })) };
  } catch (error) {
    // What is left when this fails, too, is taken away by the next.
    await removeLeftovers(service, isEmpty).catch(() => {});
    const key = violatedKey(error);
    if (key === null) throw error;
    throw new RestoreError(`Something of the file is here already (${key}): nothing was restored.`, {
      cause: error,
    });
  }
}

const workspacesOf = ({ workspaces, workspace }: ArchiveHeader) =>
  workspaces ?? (workspace ? [workspace] : []);

async function refuseUnknown({ migration }: ArchiveHeader, { folder }: RestoreOptions): Promise<void> {
  const known = await readMigrations(folder);
  if (migration < FIRST_MIGRATION)
    throw new RestoreError(`The file is of migration ${migration}, from before files could be restored.`);
  if (!known.some(({ name }) => name === migration))
    throw new RestoreError(
      `The file is of migration ${migration}, which is newer: restore it by that release.`,
    );
}

interface Preparing {
  header: ArchiveHeader;
  ids: readonly string[];
  options: RestoreOptions;
}

/** Answers whether the installation is filled as a whole. Throws RestoreError. */
async function prepare(service: RestoreService, { header, ids, options }: Preparing): Promise<boolean> {
  const making = await findMaking(service.connection);
  if (making) await removeLeftovers(service, making.isMarked);
  const isEmpty = !making || making.isMarked || (await countStanding(service.db)) === 0;
  if (isEmpty) {
    // There are no accounts: those of a backup come along, and nobody else can be named.
    if (header.kind !== 'backup') await refuseOwners(null, options, workspacesOf(header));
    const { migration: until } = header;
    const isMigrated = making?.isMarked === false && (await findMigration(service.db)) === until;
    if (isMigrated) {
      await markMaking(service.connection);
      return true;
    }
    await makeAnew(service.connection, { until, ...(options.folder ? { folder: options.folder } : {}) });
    return true;
  }
  const migration = await findMigration(service.db);
  if (migration !== header.migration)
    throw new RestoreError(
      `The file is of migration ${header.migration} and the store of ${migration}: bring the file there first, by upgrade-file.`,
    );
  const [there] = await findWorkspaces(service.db, ids);
  if (there) throw new RestoreError(`The workspace ${there.id} is here already: nothing was restored.`);
  const place = await settleFiles(service.db, service.config.files);
  if (place !== toFilesUrl(service.config.files))
    throw new RestoreError(
      `The files of this store lie in ${place ?? 'DATA_DIR'}: set FILES_URL as it is there.`,
    );
  await refuseOwners(service.db, options, workspacesOf(header));
  return false;
}

/** Of one that was to fill the installation as a whole nothing at all stays. */
async function removeLeftovers({ db, config, connection }: RestoreService, isWhole: boolean): Promise<void> {
  for (const id of await listLeftovers(db)) {
    if (!isWhole) await inTransaction(db, (tx) => purgeWorkspace(tx, id));
    await removeWorkspaceBytes(config, id);
  }
  if (isWhole) await dropSchema(connection);
}

interface Filling {
  restoring: Restoring;
  isEmpty: boolean;
  options: RestoreOptions;
}

async function fillIn(service: RestoreService, { restoring, isEmpty }: Filling): Promise<number> {
  if (!isEmpty) return restoreRows(service.db, restoring);
  // A service that is started meanwhile would bring the schema further on.
  const migrations = await tryLock(service.connection, MIGRATION_LOCK);
  const { migration, installation } = restoring.archive.header;
  try {
    const isOurs = migrations && (await findMigration(service.db)) === migration;
    if (!isOurs || (await countStanding(service.db)) > 0)
      throw new RestoreError('A service was started on this store meanwhile: stop it, and restore again.');
    const rows = await restoreRows(service.db, restoring);
    if (installation) await inTransaction(service.db, (tx) => setInstallation(tx, installation));
    return rows;
  } finally {
    await migrations?.release();
  }
}

interface Checking {
  scopes: readonly Scope[];
  isEmpty: boolean;
  options: RestoreOptions;
}

/** Ends a transaction whose views nobody needs any more. */
class Checked extends Error {}

async function refuseBroken(db: Db, { scopes, isEmpty, options }: Checking): Promise<void> {
  const broken: string[] = [];
  await inTransaction(db, async (tx) => {
    broken.length = 0;
    if (!isEmpty) await narrowTo(tx, [...new Set(scopes.map(({ workspaceId }) => workspaceId))]);
    broken.push(...(await options.findBroken(tx)));
    for (const scope of scopes) {
      const { differences } = await proveLedger(tx, scope);
      if (differences.length > 0) broken.push(`the ledger of ${scope.workspaceId} differs from its sales`);
    }
    throw new Checked();
  }).catch((error: unknown) => {
    if (!(error instanceof Checked)) throw error;
  });
  if (broken.length > 0)
    throw new RestoreError(`Nothing was restored, since of the file ${broken.join('; ')}.`);
  options.tell('All that must hold holds, and the proof of the ledger is empty.');
}

interface Finishing {
  archive: Archive;
  scopes: readonly Scope[];
  isWhole: boolean;
  options: RestoreOptions;
}

/** One transaction makes them what they were. */
async function finish(
  { db, ids, config }: RestoreService,
  { archive: { header }, scopes, isWhole, options }: Finishing,
): Promise<Admitted & { renewed: RenewedSecret[] }> {
  const { nowMs, ownerEmail, isThrownAway } = options;
  const workspaces = workspacesOf(header);
  return inTransaction(db, async (tx) => {
    const states = new Map(workspaces.map(({ id, state }) => [id, state]));
    await goLive(tx, { states, heldSince: isThrownAway ? null : nowMs });
    const admitting = { tx, ids, publicUrl: config.publicUrl, nowMs, ownerEmail, isThrownAway };
    const admitted = isWhole
      ? { bound: (await listAccounts(tx)).map(({ email }) => email), invited: [], made: [] }
      : await admitMembers(admitting, workspaces);
    const renewed = header.withSecrets ? [] : await renewSecrets(tx, ids, { scopes, nowMs });
    return { ...admitted, renewed };
  });
}
