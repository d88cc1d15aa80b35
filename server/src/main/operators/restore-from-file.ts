/** Workspaces of an export or a backup, out of a file into an empty store or beside others. */
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { requireReadable } from '../../flows/restores/read-archive.ts';
import { type Restored, restoreArchive } from '../../flows/restores/restore-archive.ts';
import { createIds } from '../ids.ts';
import { openFiles } from '../open-files.ts';
import { countUnopened, openSealing } from '../sealed-secrets.ts';
import { askOpener } from './age-keys.ts';
import { beSure } from './be-sure.ts';
import { findBroken } from './find-broken.ts';
import { answer, talk, tellFailure } from './manners.ts';
import { type OperatorStore, runOnStore, toExitCode, UsageError } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const USAGE = `Usage: npm run restore -- FILE [--identity FILE] [--owner EMAIL] [--yes]
       npm run restore -- --from DIR [--at TIME] --to NEWDIR   of the embedded store, out of BACKUP_DIR
  --identity  of age, for a file that was sealed for recipients; missing = a passphrase is asked for
  --owner     the account that owns what is restored, instead of whom the file names
  --yes       does not ask`;

const STATEMENT_TIMEOUT_MS = 3_600_000;

interface Wanted {
  file: string;
  identity?: string;
  owner?: string;
}

/** `npm run restore -- FILE`. */
export async function restoreFromFile(args: string[]): Promise<void> {
  const { positionals, values } = readFlags(USAGE, {
    args,
    allowPositionals: true,
    wordsMax: 1,
    options: {
      identity: { type: 'string' },
      owner: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
  const file = await nameFile(positionals);
  if (file === null) return;
  const run = async (db: Db, config: Config, store: OperatorStore) => {
    await beSure(`Restore ${file} into this store?`, values);
    await restore(db, config, { ...values, file, store });
  };
  await runOnStore(run, { statementTimeoutMs: STATEMENT_TIMEOUT_MS, withoutStore: 'made' });
}

/** Null = told what is wrong with it: before a store is opened, or made, and before anybody is asked. */
async function nameFile([file]: readonly string[]): Promise<string | null> {
  try {
    if (file === undefined) throw new UsageError(USAGE);
    await requireReadable(file);
    return file;
  } catch (error) {
    process.exitCode = toExitCode(error);
    tellFailure(error, process.exitCode);
    return null;
  }
}

async function restore(
  db: Db,
  config: Config,
  { file, identity, owner, store: { connection, nowMs } }: Wanted & { store: OperatorStore },
): Promise<void> {
  const files = await openFiles(config);
  const service = { db, config, files, connection, ids: createIds() };
  const restored = await restoreArchive(service, file, {
    askKeys: () => askOpener(identity ?? null),
    nowMs: nowMs(),
    ownerEmail: owner ?? null,
    isThrownAway: false,
    findBroken: (tx) => findBroken(tx, null),
    tell: talk,
  });
  print(restored);
  for (const { noun, count } of await countUnopened(db, openSealing(config)))
    talk(
      `No key here opens the secrets of ${count} of ${noun}: give the SECRETS_KEY (or secrets.key) of then back before the start.`,
    );
}

function print({ header, workspaces, rows, files, invited, made, renewed }: Restored): void {
  const moment = new Date(header.createdAt).toISOString();
  const alone = header.workspace ? ` --workspace ${header.workspace.id}` : '';
  const held = [
    'Live stores are held: nothing goes out of them until you say what this is.',
    // A copy for tries is so as a whole: not of one workspace, beside which others may sell.
    `  npm run resume -- --same | --restored${alone || ' | --copy'}`,
  ];
  answer(
    { asOf: moment, rows, files, workspaces, made, invited, renewed },
    `Restored as of ${moment}: ${rows} rows and ${files} files.`,
    ...workspaces.map(({ id, name }) => `  ${id}  ${name}`),
    ...made.map((email) => `Its owner gets in by: npm run accounts -- link ${email}`),
    ...invited.map(({ email, url }) => `Invited: ${email}  ${url}`),
    ...renewed.map(({ mode, of, secret }) => `New secret (${mode}) of ${of}: ${secret}`),
    ...(renewed.length > 0 ? ['The file holds no secrets: these new ones are shown only now.'] : []),
    ...(header.mode === 'test' ? [] : held),
  );
}
