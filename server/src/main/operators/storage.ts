/** `npm run storage -- move --to URL`: uploads and PDFs from where they lie to a folder or a bucket, beside a running service. */
import { type Config, ConfigError, parseConfig } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { toFilesUrl } from '../../domain/files-place.ts';
import { listProcesses } from '../../resources/installation/processes.queries.ts';
import { readEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { answer, talk } from './manners.ts';
import { moveFiles } from './move-files.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage: npm run storage -- move --to URL [--leave-missing]
  --to             file:///shared/folder or s3://bucket/prefix?endpoint=https://host
  --leave-missing  switches although files are missing here and there`;

/** A place as FILES_URL would name it, by the credentials that are set. */
function readPlace(config: Config, url: string | null): Pick<Config, 'files' | 'dataDir'> {
  if (url === null) return { files: null, dataDir: config.dataDir };
  const { files } = parseConfig({ ...readEnvironment(), FILES_URL: url });
  return { files, dataDir: config.dataDir };
}

/** Throws UsageError: the place was given here, not in the environment. */
function readTarget(config: Config, to: string) {
  try {
    const target = readPlace(config, to);
    const url = toFilesUrl(target.files);
    if (url === null) throw new UsageError(USAGE);
    return { target, url };
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message.replace('FILES_URL', '--to'));
    throw error;
  }
}

async function move(
  db: Db,
  config: Config,
  { connection, to, leaveMissing }: Pick<OperatorStore, 'connection'> & { to: string; leaveMissing: boolean },
): Promise<void> {
  const { target, url } = readTarget(config, to);
  const { copied, verified, missing, isDone } = await moveFiles(
    { db, connection, dataDir: config.dataDir },
    {
      ...{ to: target, url, leaveMissing },
      from: (named) => readPlace(config, named),
      tell: talk,
    },
  );
  const copies = `${copied} files were copied, ${verified} were there; the hash of each is what its name says.`;
  const told = { url, copied, verified, missing, isDone };
  if (!isDone) {
    answer(told, copies);
    talk(
      `The move is not done: ${missing} files are neither here nor there. On several machines, run this on each, and then here again; where they are lost for good: --leave-missing.`,
    );
    process.exitCode = EXIT.found;
    return;
  }
  const others = (await listProcesses(db)).filter(({ filesUrl }) => filesUrl !== url);
  answer(
    { ...told, toStartAnew: others.map(({ id, role, host }) => ({ id, role, host })) },
    copies,
    `The files of this store lie at ${url} now. Start each process with FILES_URL=${url}`,
    ...others.map(({ id, role, host }) => `  still to be started anew: ${id}  ${role}  ${host}`),
    'What lay at the old place still does: take it away once all processes are started anew.',
  );
}

const { positionals, values } = readFlags(USAGE, {
  allowPositionals: true,
  options: { to: { type: 'string' }, 'leave-missing': { type: 'boolean', default: false } },
});

const { to, 'leave-missing': leaveMissing } = values;

function checkWords(): void {
  if (positionals.join(' ') !== 'move' || !to) throw new UsageError(USAGE);
  // What is wrong with the other settings is told as that.
  readTarget(parseConfig(readEnvironment()), to);
}

await runOnStore(
  async (db, config, { connection }) => {
    if (to) await move(db, config, { connection, to, leaveMissing });
  },
  { statementTimeoutMs: 600_000, checkWords },
);
