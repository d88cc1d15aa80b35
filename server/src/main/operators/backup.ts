/** `npm run backup -- --base | verify`: the backups of the embedded store, beside a running service too. */
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../../db/database.ts';
import { type BackupPlace, findBackups } from '../../db/embedded/backups/backup-place.ts';
import type { Base } from '../../db/embedded/backups/manifest.ts';
import { BackupUnderWay, takeBase } from '../../db/embedded/backups/take-base.ts';
import { verifyBackups } from '../../db/embedded/backups/verify-backups.ts';
import type { EmbeddedStore } from '../../db/embedded/store.ts';
import { migrate } from '../../db/migrate.ts';
import { findViolations } from '../../invariants/find-violations.ts';
import { EXIT } from '../exit-codes.ts';
import { endOnSignal, isInterrupted } from '../stop-signal.ts';
import { backUpToFile } from './back-up-to-file.ts';
import { answer, talk, tellFailure } from './manners.ts';
import { type OperatorStore, runOnStore, toExitCode, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage:
  npm run backup -- --base   a base backup into BACKUP_DIR, now
  npm run backup -- verify [--from DIR]
                             reads every byte of the backups, starts a copy and asks it for what must always hold`;
const NOT_IN_IT =
  'secrets.key (or SECRETS_KEY) is in no backup: keep it elsewhere. Without it what is sealed is lost.';

const OF_EMBEDDED = ['--base', 'verify', '--from'];

const STATEMENT_TIMEOUT_MS = 600_000;
const AGAIN_MS = 250;
const WAITED_MAX_MS = 3_600_000;

async function takeNow({ backups }: OperatorStore): Promise<void> {
  if (backups === null) throw new UsageError('BACKUP_DIR is not set, or the store is not the embedded one.');
  const { folder, manifest } = await takeInTurn(backups);
  const files = manifest.cluster.length + manifest.files.length;
  answer({ folder, files }, `Backed up in ${folder}: ${files} files.`);
  talk(NOT_IN_IT);
}

/** The one that the service takes by itself, as after its first start, is waited for: what is asked for is one of now. */
async function takeInTurn(backups: NonNullable<OperatorStore['backups']>): Promise<Base> {
  for (let waitedMs = 0; ; waitedMs += AGAIN_MS) {
    try {
      return await takeBase(backups);
    } catch (error) {
      if (!(error instanceof BackupUnderWay) || waitedMs >= WAITED_MAX_MS) throw error;
      if (waitedMs === 0) talk('Another base backup is being taken just now: waiting for its end.');
      await wait(AGAIN_MS);
    }
  }
}

async function verify(backups: BackupPlace): Promise<void> {
  const { bases, findings, reached } = await verifyBackups({ backups, ask: askCopy });
  // The copy is taken away by a signal, which ends the process.
  if (isInterrupted()) return;
  const isSound = findings.length === 0;
  const sound = `Sound: ${bases} base backup(s), and a copy as of ${reached} in which all holds.`;
  answer({ bases, findings, reached }, ...(isSound ? [sound] : findings));
  if (!isSound) process.exitCode = EXIT.found;
}

/** Those of another machine's store need no store here. */
async function verifyThere(from: string): Promise<void> {
  endOnSignal();
  try {
    await verify(await findBackups(from));
  } catch (error) {
    process.exitCode = toExitCode(error);
    tellFailure(error, process.exitCode);
  }
}

/** The backup of a release before is asked as it would start: on the newest schema. */
async function askCopy({ poolConfig }: EmbeddedStore): Promise<string[]> {
  await migrate(poolConfig);
  const limits = { maxConnections: 1, acquireTimeoutMs: 5_000, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const database = openDatabase({ ...poolConfig, ...limits });
  try {
    // Which settings the service runs with is not known here.
    const violations = await findViolations(database.db, { guard: null, isCopy: true });
    return violations.map(({ number, name }) => `invariant ${number} does not hold in the copy: ${name}`);
  } finally {
    await database.close();
  }
}

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  // Without a word of the embedded store's own backups it is the portable one.
  if (!args.some((word) => OF_EMBEDDED.includes(word))) return backUpToFile(args);
  const { values, positionals } = readFlags(USAGE, {
    allowPositionals: true,
    options: { base: { type: 'boolean', default: false }, from: { type: 'string' } },
  });
  const [verb, ...others] = positionals;
  const isVerify = verb === 'verify' && others.length === 0 && !values.base;
  if (isVerify && values.from !== undefined) return verifyThere(values.from);
  if (isVerify) {
    return runOnStore(async (_db, _config, { backups }) => {
      if (backups === null) throw new UsageError('BACKUP_DIR is not set: name the backups with --from DIR');
      await verify(backups.backups);
    });
  }
  if (values.base && positionals.length === 0) return runOnStore((_db, _config, store) => takeNow(store));
  process.exitCode = EXIT.usage;
  tellFailure(USAGE, EXIT.usage);
}

await run();
