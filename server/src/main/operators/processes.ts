/** `npm run processes`: the processes that live over the store, as each said of itself within the last half minute. */
import type { Db } from '../../db/database.ts';
import { listProcesses, type SeenProcess } from '../../resources/installation/processes.queries.ts';
import { talk } from './manners.ts';
import { runOnStore } from './operator-store.ts';
import { readFlags } from './read-flags.ts';

const COLUMNS = ['id', 'role', 'version', 'host', 'pool', 'files', 'since', 'seen'] as const;

type Told = Record<(typeof COLUMNS)[number], string | number>;

function tell({ startedAt, seenAt, filesUrl, ...rest }: SeenProcess): Told {
  return {
    ...rest,
    files: filesUrl ?? 'DATA_DIR',
    since: new Date(startedAt).toISOString(),
    seen: new Date(seenAt).toISOString(),
  };
}

function printTable(rows: Told[]): void {
  const heads = Object.fromEntries(COLUMNS.map((name) => [name, name.toUpperCase()])) as Told;
  const lines = [heads, ...rows];
  const widths = COLUMNS.map((name) => Math.max(...lines.map((row) => String(row[name]).length)));
  for (const row of lines)
    console.log(
      COLUMNS.map((name, at) => String(row[name]).padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

const { values } = readFlags('Usage: npm run processes [-- --json]', {
  options: { json: { type: 'boolean', default: false } },
});

async function run(db: Db): Promise<void> {
  const rows = (await listProcesses(db)).map(tell);
  if (values.json) for (const row of rows) console.log(JSON.stringify(row));
  else if (rows.length > 0) printTable(rows);
  if (rows.length === 0) talk('No process lives over this store.');
}

await runOnStore(run, { evenClosed: true });
