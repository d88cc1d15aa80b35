/**
 * A migration that has landed is never edited again: stores that ran it would never see the change, and refuse what
 * the code then asks of them. The hash of each is kept in a file of its own.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { hash, type Migration, readMigrations } from '../server/src/db/migrate.ts';
import { readManner } from '../server/src/db/migration-steps.ts';
import { ROOT } from './source-files.ts';

const FOLDER = 'server/src/db/migrations';
export const HASHES_FILE = 'server/src/db/migrations.sha256';

/** Those before it were written when nothing read what they are. */
const FIRST_DECLARED = '0200';

export async function checkMigrations(): Promise<string[]> {
  const migrations = await readMigrations(`${ROOT}/${FOLDER}`);
  const declared = migrations.filter(({ name }) => name >= FIRST_DECLARED);
  return [...findEdited(migrations, readHashes()), ...declared.flatMap(findBreaches)];
}

const DECLARED = /^-- (Expand(, outside of a transaction|, step by step)?\.|Contract \d+\.\d+\.\d+\.)/;
/** What code of the release before does not survive, or waits for while it sells. */
const BREACHES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bdrop\s+(?!not\s+null\b|index\s+concurrently\b)/i, 'drops something'],
  [/\brename\b/i, 'renames something'],
  [/\balter\s+(column\s+)?\w+\s+(set\s+data\s+)?type\b/i, 'changes a type'],
  [/\bset\s+not\s+null\b/i, 'forbids null where it was allowed'],
  [/\badd\s+column\b(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i, 'adds a column that must be given'],
  [
    /\badd\s+column\b[^,;]*\bdefault\b[^,;]*\w\s*\(/i,
    'adds a column whose default every row is written anew for',
  ],
  [/\badd\s+column\b[^;]*\bgenerated\b[^;]*\bstored\b/i, 'adds a column that every row is written anew for'],
  [/\block\s+table\b|\bset\s+(local\s+)?lock_timeout\b/i, 'waits for tables in its own way'],
  [/\bvacuum\s+full\b|^\s*cluster\b|\breindex\b(?!\s+(index|table)\s+concurrently)/im, 'writes a table anew'],
];
/** What reads a whole table, which stands still meanwhile, unless it is `not valid` at first. */
const CONSTRAINT = /\balter\s+table\s+(?:only\s+)?(\w+)([^;]*)/gi;
const WHOLE = /\badd\s+constraint\s+\w+\s+(?:check|foreign\s+key)\b|\badd\s+(?:check|foreign\s+key)\b/i;
const AT_ONCE = /\badd\s+(?:constraint\s+\w+\s+)?(?:unique|primary\s+key|exclude)\b(?!\s+using\s+index)/i;

/** Whether a migration says which of the two it is, and one that adds takes nothing away and holds nobody up. */
export function findBreaches({ name, text }: Migration): string[] {
  const file = `${FOLDER}/${name}.sql`;
  if (!DECLARED.test(text)) return [`${file} must begin with "-- Expand." or "-- Contract 1.2.3."`];
  if (text.startsWith('-- Contract')) return [];
  const code = text.replaceAll(/--.*$/gm, '');
  const told = BREACHES.filter(([breach]) => breach.test(code)).map(([, what]) => what);
  const made = new Set([...code.matchAll(/\bcreate\s+table\s+(\w+)/gi)].map(([, table]) => table));
  const indexed = [...code.matchAll(/\bcreate\s+(?:unique\s+)?index\s+(?!concurrently)[^;]*?\bon\s+(\w+)/gi)];
  if (indexed.some(([, table]) => !made.has(table))) told.push('builds an index that writers wait for');
  for (const [, table = '', rest = ''] of code.matchAll(CONSTRAINT)) {
    if (made.has(table)) continue;
    if (WHOLE.test(rest) && !/\bnot\s+valid\b/i.test(rest)) told.push('reads a whole table for a constraint');
    if (AT_ONCE.test(rest)) told.push('builds an index that writers wait for');
    // In the transaction that adds it, it would be read under that lock.
    if (/\bvalidate\s+constraint\b/i.test(rest) && readManner(text).way !== 'outside')
      told.push('validates while others wait');
  }
  return told.map((what) => `${file} says that it expands, and ${what}`);
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
