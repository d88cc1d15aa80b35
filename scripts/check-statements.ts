/**
 * Holds the statements that a run of the tests has noted (STATEMENTS_DIR, see server/test/support/note-statements.ts) to
 * the law of statements: fails on a breach that is not in the list of known ones, and tells of known ones that it did not
 * see. Those fail nothing: some statements are sent only where two meet, which not every run brings about.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { SCHEMA_FILE } from './check-schema.ts';
import { ROOT } from './source-files.ts';
import { EXCEPTIONS, KNOWN_BREACHES, type KnownBreaches } from './statements/known-breaches.ts';
import { findBreaches } from './statements/law.ts';
import { findSchemaBreaches, type Layout, readLayout } from './statements/layout.ts';

export interface Noted {
  text: string;
  /** Our files that were on the way to it, the nearest first. */
  files: string[];
}

/** Who builds, keeps and sends what others ask. */
const BETWEEN =
  /^src\/db\/(database|group-transaction|held-lock|kept-query|prepared-pool|sent-together|store-pool|store-way|transaction|watched-client|hosts\/.*)\.ts$/;
const TEST = /^test\/|\.test\.ts$/;

/** The breaches of what was noted, `<rule> <what>` by file of `server`. */
export function listBreaches(noted: readonly Noted[], layout: Layout): KnownBreaches {
  const found = new Map<string, Set<string>>();
  for (const { text, files } of noted) {
    const file = files.find((one) => !BETWEEN.test(one)) ?? files[0] ?? 'nobody';
    // What a test asks by itself is no statement of the service.
    if (TEST.test(file) || Object.keys(EXCEPTIONS).some((path) => file.startsWith(path))) continue;
    for (const { rule, what } of findBreaches(text, layout)) {
      found.set(file, (found.get(file) ?? new Set()).add(`${rule} ${what}`));
    }
  }
  return toList(found);
}

function toList(found: ReadonlyMap<string, ReadonlySet<string>>): KnownBreaches {
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([file, breaches]) => [file, [...breaches].sort()]));
}

/** What is not in the list, a line each. */
export function compareBreaches(found: KnownBreaches, known: KnownBreaches): string[] {
  return subtract(found, known).map(
    ([file, breach]) => `server/${file} breaks rule ${breach} (docs/decisions/0047)`,
  );
}

/** What is in the list and was not met, a line each. */
export function listUnseen(found: KnownBreaches, known: KnownBreaches): string[] {
  return subtract(known, found).map(
    ([file, breach]) =>
      `server/${file} was not seen to break rule ${breach}: mended, it leaves known-breaches.json`,
  );
}

function subtract(from: KnownBreaches, what: KnownBreaches): Array<[file: string, breach: string]> {
  return Object.entries(from).flatMap(([file, breaches]) =>
    breaches
      .filter((breach) => !what[file]?.includes(breach))
      .map((breach): [string, string] => [file, breach]),
  );
}

function readNoted(folder: string): Noted[] {
  const lines = readdirSync(folder).flatMap((name) =>
    readFileSync(`${folder}/${name}`, 'utf8').trim().split('\n'),
  );
  // Of a text that several processes have sent one line is kept, the same in every run.
  const byText = new Map(
    lines.sort().map((line) => {
      // Written by note-statements.ts.
      const noted = JSON.parse(line) as Noted;
      return [noted.text, noted];
    }),
  );
  return [...byText.values()];
}

function main(folder: string | undefined): void {
  if (!folder) throw new Error('STATEMENTS_DIR names no folder with the statements of a run of the tests');
  const schema = readFileSync(`${ROOT}/${SCHEMA_FILE}`, 'utf8');
  const layout = readLayout(schema);
  const noted = readNoted(folder);
  const found = {
    ...listBreaches(noted, layout),
    [SCHEMA_FILE.slice('server/'.length)]: findSchemaBreaches(schema, layout).map((what) => `5 ${what}`),
  };
  if (process.argv.includes('--list')) console.log(JSON.stringify(found, null, 2));
  const problems = compareBreaches(found, KNOWN_BREACHES);
  const unseen = listUnseen(found, KNOWN_BREACHES);
  for (const line of [...unseen, ...problems]) console.error(line);
  const known = Object.values(KNOWN_BREACHES).flat().length;
  console.log(
    `${noted.length} statements: ${known} known breaches of their law, ${unseen.length} not seen, ${problems.length} new`,
  );
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.env.STATEMENTS_DIR);
