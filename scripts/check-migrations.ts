/**
 * A migration that has landed is never edited again: stores that ran it would never see the change, and refuse what
 * the code then asks of them. The hash of each is kept in a file of its own.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hash, type Migration, readMigrations } from '../server/src/db/migrate.ts';
import { ROOT } from './source-files.ts';

const FOLDER = 'server/src/db/migrations';
export const HASHES_FILE = 'server/src/db/migrations.sha256';

export async function checkMigrations(): Promise<string[]> {
  return findEdited(await readMigrations(`${ROOT}/${FOLDER}`), readHashes());
}

/** Answers what is wrong: migrations that differ from what was recorded, that have gone, or that are not recorded. */
export function findEdited(
  migrations: readonly Migration[],
  recorded: ReadonlyMap<string, string>,
): string[] {
  const names = new Set(migrations.map(({ name }) => name));
  const gone = [...recorded.keys()].filter((name) => !names.has(name));
  return [
    ...migrations.flatMap(({ name, text }) => {
      const sha256 = recorded.get(name);
      if (sha256 === undefined) return [`${FOLDER}/${name}.sql is not in ${HASHES_FILE}: run npm run docs`];
      if (sha256 === hash(text)) return [];
      const way = `write a new one, or, if it has never been merged, remove its line from ${HASHES_FILE}`;
      return [`${FOLDER}/${name}.sql was edited, and stores that have run it would never know: ${way}`];
    }),
    ...gone.map((name) => `${FOLDER}/${name}.sql is gone, and stores that have run it would not start`),
  ];
}

/** Adds what is new; what is there stays, whatever the files say. */
export async function recordMigrations(): Promise<void> {
  const recorded = readHashes();
  for (const { name, text } of await readMigrations(`${ROOT}/${FOLDER}`)) {
    if (!recorded.has(name)) recorded.set(name, hash(text));
  }
  const lines = [...recorded]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, sha256]) => `${sha256}  ${name}.sql\n`);
  writeFileSync(`${ROOT}/${HASHES_FILE}`, lines.join(''));
}

function readHashes(): Map<string, string> {
  const file = `${ROOT}/${HASHES_FILE}`;
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return new Map(
    lines.map((line): [string, string] => {
      const [sha256 = '', name = ''] = line.split('  ');
      return [name.replace(/\.sql$/, ''), sha256];
    }),
  );
}
