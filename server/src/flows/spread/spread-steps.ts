/** What spreading a store consists of; each of them may run again, and goes on where it was. */
import type { Db } from '../../db/database.ts';
import { inOpenTransaction } from '../../db/open-transaction.ts';
import type { Place } from '../../domain/spread/layout.ts';
import { sumTable, type TableSum } from '../../resources/installation/moving.queries.ts';
import {
  analyse,
  type Definition,
  drop,
  emptyLocal,
  layFunctions,
  laySettings,
  layTable,
  listDefinitions,
  listPlainIndexes,
  make,
  noteStep,
  readStep,
  SPREAD,
} from '../../resources/installation/spread.queries.ts';
import { listLaid, listTables } from '../../resources/installation/spread-catalogue.queries.ts';
import type { SpreadPlan } from './plan-spread.ts';
import { SpreadError } from './spread-error.ts';

export interface Step {
  name: string;
  run: (db: Db, plan: SpreadPlan, tell: (line: string) => void) => Promise<void>;
}

export const STEPS: readonly Step[] = [
  { name: 'keys off', run: takeOff },
  { name: 'summed', run: sum },
  { name: 'laid out', run: layOut },
  { name: 'compared', run: compare },
  { name: 'emptied', run: empty },
  { name: 'keys on', run: putOn },
];

/** It is written meanwhile. */
const NOTES = 'installation_steps';

/** Noted and dropped at once, so that none is ever lost. */
async function takeOff(db: Db, { plain, gone }: SpreadPlan, tell: (line: string) => void): Promise<void> {
  const laid = await listLaid(db);
  const definitions = [...(await listDefinitions(db)), ...(await listPlainIndexes(db, plain))].filter(
    ({ table }) => !laid.has(table),
  );
  await inOpenTransaction(db, async (tx) => {
    const before = await readDefinitions(tx);
    const back = definitions.filter(({ kind, name }) => kind !== 'trigger' || !gone.includes(name));
    const all = new Map([...before, ...back].map((one) => [`${one.kind} ${one.table} ${one.name}`, one]));
    await noteStep(tx, SPREAD.definitions, JSON.stringify([...all.values()]));
    for (const definition of definitions) await drop(tx, definition);
  });
  tell(`${definitions.length} keys, triggers and indexes are off.`);
}

async function readDefinitions(db: Db): Promise<Definition[]> {
  return JSON.parse((await readStep(db, SPREAD.definitions)) ?? '[]');
}

async function sum(db: Db, { tables }: SpreadPlan, tell: (line: string) => void): Promise<void> {
  const sums: Record<string, TableSum> = {};
  for (const { name } of tables) if (name !== NOTES) sums[name] = await sumTable(db, name);
  await inOpenTransaction(db, (tx) => noteStep(tx, SPREAD.sums, JSON.stringify(sums)));
  tell(`${Object.values(sums).reduce((all, { rows }) => all + rows, 0)} rows are summed.`);
}

/** The first of a kind is what the others of its kind lie beside. */
async function layOut(db: Db, { tables }: SpreadPlan, tell: (line: string) => void): Promise<void> {
  const [refused] = await laySettings(db);
  if (refused !== undefined) throw new SpreadError(refused);
  await layFunctions(db);
  tell('Settings and functions are on each node.');
  const laid = await listLaid(db);
  const first = new Map<Place, string>([...laid].map(([name, place]) => [place, name]));
  for (const { name, place } of tables) {
    if (laid.has(name)) continue;
    await layTable(db, { name, place, beside: first.get(place) ?? null });
    if (!first.has(place)) first.set(place, name);
    tell(`${name} is laid out: ${place}.`);
  }
}

async function compare(db: Db, _plan: SpreadPlan, tell: (line: string) => void): Promise<void> {
  const sums: Record<string, TableSum> = JSON.parse((await readStep(db, SPREAD.sums)) ?? '{}');
  for (const [name, { rows, sum }] of Object.entries(sums)) {
    const now = await sumTable(db, name);
    if (now.rows !== rows || now.sum !== sum)
      throw new SpreadError(
        `${name} had ${rows} rows of sum ${sum}, and has ${now.rows} of ${now.sum}: the store stays closed for writes.`,
      );
  }
  tell('Counts and sums of all tables are equal.');
}

async function empty(db: Db, _plan: SpreadPlan, tell: (line: string) => void): Promise<void> {
  for (const { name } of await listTables(db)) {
    await emptyLocal(db, name);
    await analyse(db, name);
  }
  tell('What lay here before is gone.');
}

async function putOn(db: Db, _plan: SpreadPlan, tell: (line: string) => void): Promise<void> {
  const wanted = await readDefinitions(db);
  const there = new Set([
    ...(await listDefinitions(db)).map(({ name }) => name),
    ...(
      await listPlainIndexes(
        db,
        wanted.map(({ name }) => name),
      )
    ).map(({ name }) => name),
  ]);
  for (const definition of wanted) {
    if (there.has(definition.name)) continue;
    await inOpenTransaction(db, (tx) => make(tx, definition));
    tell(`${definition.kind} ${definition.name} of ${definition.table} is on.`);
  }
}
