/** A backup as a file: all workspaces with their secrets and what is the installation's, beside a running service. */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { isAlive } from '../../db/embedded/postmaster.ts';
import { toPlaceUrl } from '../../domain/files-place.ts';
import { removeUnfinished } from '../../flows/exports/write-archive.ts';
import { writeBackup } from '../../flows/exports/write-backup.ts';
import { findClosed } from '../../flows/moves/closed-store.ts';
import { noteBackup } from '../../resources/installation/last-backup.queries.ts';
import { openFiles } from '../open-files.ts';
import { openSealing } from '../sealed-secrets.ts';
import { askSealer } from './age-keys.ts';
import { isKeyKept } from './kept-key.ts';
import { answer, talk } from './manners.ts';
import { runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage: npm run backup -- [--out FILE] [--recipient age1… …] [--passphrase]
       npm run backup -- --base | verify [--from DIR]   of the embedded store, in BACKUP_DIR
  --out         the file, which must not be there yet; missing = one of this moment in this folder
  --recipient   only who has the identity of it reads the file; several may be given
  --passphrase  instead of recipients: asked for, or the first line of the input`;

/** A part of a large store may take long; nobody waits for it. */
const STATEMENT_TIMEOUT_MS = 600_000;

const NOT_SEALED =
  'WARNING: the file is not encrypted, and holds every secret that is not sealed: give --recipient or --passphrase, or keep it where nobody reads it.';
const NO_KEY =
  'SECRETS_KEY (or secrets.key) is in no backup: without it processors and authenticator apps are lost. Keep it elsewhere, then say so: npm run keys -- confirm-kept';

const toElsewhere = (url: string) =>
  `Uploads and PDFs are not in the file: they lie at ${url}, and are backed up there.`;

interface Wanted {
  out?: string;
  recipient: string[];
  passphrase: boolean;
}

/** `npm run backup [-- --out FILE …]`. */
export async function backUpToFile(args: string[]): Promise<void> {
  const { values } = readFlags(USAGE, {
    args,
    options: {
      out: { type: 'string' },
      recipient: { type: 'string', multiple: true, default: [] },
      passphrase: { type: 'boolean', default: false },
    },
  });
  await runOnStore((db, config, store) => run(db, config, { ...values, nowMs: store.nowMs() }), {
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    evenClosed: true,
    checkWords: () => checkWords(values),
  });
}

function checkWords({ passphrase, recipient, out }: Wanted): void {
  if (passphrase && recipient.length > 0) throw new UsageError(USAGE);
  if (out !== undefined) checkPlace(path.resolve(out));
}

function checkPlace(target: string): void {
  if (existsSync(target)) throw new UsageError(`${target} is there already: it is not written over.`);
  const folder = path.dirname(target);
  if (!existsSync(folder))
    throw new UsageError(`${folder} is not there: make it first, or name another --out.`);
}

async function run(db: Db, config: Config, { nowMs, ...values }: Wanted & { nowMs: number }): Promise<void> {
  const target = path.resolve(values.out ?? toName(nowMs));
  checkPlace(target);
  const seal = await askSealer({ recipients: values.recipient, withPassphrase: values.passphrase });
  await removeLeft(config.dataDir);
  const files = await openFiles(config);
  const written = await writeBackup({ db, config, files }, { target, seal, nowMs });
  // One that is of a store that has moved on is no backup of what goes on.
  if ((await findClosed(db)) === null) await noteBackup(db, nowMs);
  const { workspaces, rows, bytes } = written;
  answer(
    { file: target, workspaces, rows, bytes },
    `${target}: ${workspaces} workspace(s), ${rows} rows, ${bytes} bytes.`,
  );
  if (config.files !== null) talk(toElsewhere(toPlaceUrl(config.files)));
  if (seal === null) talk(NOT_SEALED);
  if (!(await isKeyKept(db, openSealing(config)))) talk(NO_KEY);
}

function toName(nowMs: number): string {
  return `counterfoil-${new Date(nowMs).toISOString().replace(/[:.]/g, '-')}.tar.gz`;
}

/** What killed ones have left. */
async function removeLeft(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  for (const name of names) {
    const pid = /^backup-(\d+)\.parts$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeUnfinished(path.join(dataDir, name));
  }
}
