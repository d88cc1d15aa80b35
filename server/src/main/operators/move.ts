/** `npm run move -- --to postgres://…`: the whole store into an empty server of the operator's own. */
import { type Config, ConfigError, parseConfig } from '../../config.ts';
import { type Db, openDatabase } from '../../db/database.ts';
import { moveStore, type Place, reopen } from '../../flows/moves/move-store.ts';
import { readEnvironment } from '../environment.ts';
import { createIds } from '../ids.ts';
import { beSure } from './be-sure.ts';
import { answer, talk } from './manners.ts';
import { type OperatorStore, runOnStore, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';
import { toToldUrl } from './tell-config.ts';

const USAGE = `Usage: npm run move -- --to postgres://user@host/database [--yes]
       npm run move -- --reopen [--to postgres://user@host/database] [--yes]
  --to      a database in which there is nothing: the store is closed, copied there, compared, and goes on there
  --reopen  the store goes on here, after a move that was killed
  --yes     does not ask`;
/** A large table is read and summed in one statement. */
const STATEMENT_TIMEOUT_MS = 6 * 3_600_000;

const LIMITS = { maxConnections: 2, acquireTimeoutMs: 5_000, statementTimeoutMs: STATEMENT_TIMEOUT_MS };

/** As DATABASE_URL would be read. */
function readTarget(to: string): string {
  try {
    const url = parseConfig({ ...readEnvironment(), DATABASE_URL: to }).databaseUrl;
    if (url === null) throw new UsageError(USAGE);
    return url;
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message.replace('DATABASE_URL', '--to'));
    throw error;
  }
}

async function withTarget<T>(url: string, run: (target: Place) => Promise<T>): Promise<T> {
  const connection = { connectionString: url };
  const database = openDatabase({ ...connection, ...LIMITS });
  try {
    return await run({ db: database.db, connection });
  } finally {
    await database.close();
  }
}

interface Asked {
  db: Db;
  config: Config;
  store: OperatorStore;
}

async function move({ db, config, store }: Asked, to: string): Promise<void> {
  const told = toToldUrl(to);
  const { rows, tables, isEnded } = await withTarget(to, (target) =>
    moveStore({
      ...{ source: { db, connection: store.connection }, target, to: told },
      ...{ isEmbedded: store.place !== null, nowMs: store.nowMs(), ids: createIds() },
      tell: talk,
    }),
  );
  answer(
    { to: told, rows, tables, isEnded },
    isEnded
      ? `The move to ${told} had been made but for its last step, which is made now.`
      : `Moved to ${told}: ${rows} rows of ${tables} tables, with equal counts and sums.`,
    'This store is closed for good. Start each process with DATABASE_URL set to that.',
    ...(config.secretsKeys.length === 0
      ? [
          `The key of what is sealed goes along: SECRETS_KEY_FILE=${config.dataDir}/secrets.key, or its text as SECRETS_KEY.`,
        ]
      : []),
    ...(config.files === null
      ? [`Uploads and PDFs stay in ${config.dataDir}. For several machines: npm run storage -- move --to URL`]
      : []),
  );
}

const { values, positionals } = readFlags(USAGE, {
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    reopen: { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
  },
});

function checkWords(): void {
  if (positionals.length > 0 || (values.to === undefined && !values.reopen)) throw new UsageError(USAGE);
  if (values.to !== undefined) readTarget(values.to);
}

await runOnStore(
  async (db, config, store) => {
    const to = values.to === undefined ? null : readTarget(values.to);
    const asked = { db, config, store };
    if (values.reopen) {
      await beSure('Let this store go on here, as if it had not been moved?', values);
      const source = { db, connection: store.connection };
      if (to === null) await reopen(source, null);
      else await withTarget(to, (target) => reopen(source, { target, to: toToldUrl(to) }));
      answer({ isOpen: true }, 'This store is open again.');
      return;
    }
    if (to === null) throw new UsageError(USAGE);
    await beSure(
      `Move this store to ${toToldUrl(to)}? It is closed meanwhile, and for good once all is there.`,
      values,
    );
    await move(asked, to);
  },
  { statementTimeoutMs: STATEMENT_TIMEOUT_MS, evenClosed: true, checkWords },
);
