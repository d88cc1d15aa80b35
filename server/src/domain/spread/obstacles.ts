/** What in a schema keeps its tables from being spread, and what changes with it. */
import { type Place, TENANT } from './layout.ts';

export interface UniqueIndex {
  table: string;
  name: string;
  columns: readonly string[];
  /** Of a primary key, a unique or an excluding constraint; null = of an index alone. */
  constraint: 'primary' | 'unique' | 'excluding' | null;
}

export interface ForeignKey {
  table: string;
  name: string;
  columns: readonly string[];
  target: string;
  /** When its target goes, or changes its key. */
  sets: 'null' | 'default' | null;
}

/** One that does something once a row is written. */
export interface AfterTrigger {
  table: string;
  name: string;
}

export interface SchemaFacts {
  places: ReadonlyMap<string, Place>;
  indexes: readonly UniqueIndex[];
  keys: readonly ForeignKey[];
  triggers: readonly AfterTrigger[];
}

export interface Findings {
  obstacles: string[];
  notes: string[];
  /** Unique indexes that become plain ones. */
  plain: string[];
  /** Triggers that do not come back. */
  gone: string[];
}

/** What they do the service does, too; they are of stores that code of before may write to. */
const DONE_BY_SERVICE: readonly string[] = ['stores_note_files'];

/** Tokens of links have 74 random bits or more: where they are spread, those are what keeps them apart. */
const OF_LINKS = /_by_link$/;

export function findObstacles({ places, indexes, keys, triggers }: SchemaFacts): Findings {
  const isDistributed = (table: string) => places.get(table) === 'distributed';
  const apart = indexes.filter(({ table, columns }) => isDistributed(table) && !columns.includes(TENANT));
  const plain = apart.filter(({ name, constraint }) => constraint === null && OF_LINKS.test(name));
  const excluding = indexes.filter(
    ({ table, constraint }) => constraint === 'excluding' && places.get(table) !== 'reference',
  );
  const wide = triggers.filter(({ table }) => places.get(table) === 'reference');
  const gone = wide.filter(({ name }) => DONE_BY_SERVICE.includes(name));
  return {
    obstacles: [
      ...apart
        .filter((index) => !plain.includes(index) && !excluding.includes(index))
        .map(({ table, name }) => `${table}: ${name} is unique without ${TENANT}`),
      ...excluding.map(({ table, name }) => `${table}: ${name} excludes rows by more than equality`),
      ...keys.flatMap((key) => {
        const reason = findOfKey(key, places);
        return reason === null ? [] : [`${key.table}: ${key.name} ${reason}`];
      }),
      ...wide
        .filter(({ name }) => !DONE_BY_SERVICE.includes(name))
        .map(({ table, name }) => `${table}: ${name} would do on each node what is to be done once`),
    ],
    notes: [
      ...plain.map(({ table, name }) => `${table}: ${name} becomes a plain index`),
      ...gone.map(({ table, name }) => `${table}: ${name} goes: the service does what it did`),
    ],
    plain: plain.map(({ name }) => name),
    gone: gone.map(({ name }) => name),
  };
}

function findOfKey(
  { table, columns, target, sets }: ForeignKey,
  places: ReadonlyMap<string, Place>,
): string | null {
  const [from, to] = [places.get(table) ?? 'reference', places.get(target) ?? 'reference'];
  // The whole table lies on each node: whatever points to it finds it.
  if (to === 'reference')
    return sets !== null && from === 'distributed' && columns.includes(TENANT) ? toSets(sets) : null;
  if (from !== to) return `points from a ${from} table to ${target}, which is ${to}`;
  if (from === 'distributed' && !columns.includes(TENANT)) return `does not hold ${TENANT}`;
  return sets !== null && columns.includes(TENANT) ? toSets(sets) : null;
}

function toSets(sets: 'null' | 'default'): string {
  return `sets ${sets} and holds ${TENANT}`;
}
