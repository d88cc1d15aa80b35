/** `npm run restore -- --from DIR [--at TIME] --to NEWDIR`: the embedded store, out of its backups, into a new folder. */
import { parseConfig } from '../../config.ts';
import { restoreBackup } from '../../db/embedded/backups/restore-backup.ts';
import { parseIsoMoment } from '../../domain/iso-moment.ts';
import { readEnvironment } from '../environment.ts';
import { EXIT } from '../exit-codes.ts';
import { endOnSignal, isInterrupted } from '../stop-signal.ts';
import { dressRestored } from './dress-restored.ts';
import { answer, tellFailure } from './manners.ts';
import { toExitCode } from './operator-store.ts';
import { readFlags } from './read-flags.ts';
import { restoreFromFile } from './restore-from-file.ts';

const EXAMPLE = '2026-11-22T00:00:51Z';
const USAGE = `Usage: npm run restore -- --from DIR [--at ${EXAMPLE}] --to NEWDIR
  --from  BACKUP_DIR, or one of the stores in it
  --at    the last moment that is to be in it, with its zone; without it all there is
  --to    a folder that is not there yet: the DATA_DIR of what is restored`;

interface Asked {
  from: string;
  to: string;
  atMs: number | null;
}

/** Or what is wrong with it. */
function readArguments(): Asked | string {
  const options = { from: { type: 'string' }, to: { type: 'string' }, at: { type: 'string' } } as const;
  const { values } = readFlags(USAGE, { options });
  if (!values.from || !values.to) return USAGE;
  const atMs = values.at === undefined ? null : parseIsoMoment(values.at);
  if (values.at !== undefined && atMs === null)
    return `--at must be a moment with its zone, such as ${EXAMPLE}, not "${values.at}"`;
  if (atMs !== null && atMs > Date.now()) return '--at is a moment that has not been yet.';
  return { from: values.from, to: values.to, atMs };
}

async function restoreCluster(): Promise<void> {
  const asked = readArguments();
  if (typeof asked === 'string') {
    process.exitCode = EXIT.usage;
    tellFailure(asked, EXIT.usage);
  } else {
    endOnSignal();
    try {
      const config = parseConfig(readEnvironment());
      const { reached, base, gap } = await restoreBackup({
        ...asked,
        prepare: (store, dataDir) => dressRestored(store.poolConfig, { ...config, dataDir }),
      });
      answer(
        { reached, base, gap, to: asked.to },
        `Restored as of ${reached} into ${asked.to} (base ${base}).`,
        `New key pairs of the first workspace are in ${asked.to}/credentials.json; the old ones go on.`,
        'It is held: start it with that DATA_DIR, and with the secrets.key or SECRETS_KEY of before; then npm run resume',
        ...(gap === null
          ? []
          : [
              `Not all of it: ${gap} of the log is missing or damaged, and what was written from there on is lost.`,
            ]),
      );
      if (gap !== null) process.exitCode = EXIT.found;
    } catch (error) {
      if (isInterrupted()) return;
      const exit = toExitCode(error);
      process.exitCode = exit === EXIT.bug ? EXIT.refused : exit;
      tellFailure(error, process.exitCode);
    }
  }
}

const args = process.argv.slice(2);
const isOfCluster = args.some((word) => /^--(from|to|at)(=|$)/.test(word));
await (isOfCluster ? restoreCluster() : restoreFromFile(args));
