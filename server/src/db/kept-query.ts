/**
 * Queries that are built once. Building and compiling one costs more than sending it: where every request
 * passes, the SQL is kept, and only its values change.
 */
import type { Compilable, CompiledQuery } from 'kysely';
import type { Db } from './database.ts';
import { askCompiled } from './sent-together.ts';

/** Shapes that are kept of one query; long lists of rows, which are rare, are built each time. */
const SHAPES_MAX = 50;

/** Stands for a value while the query is built: of a member, or of a column of one of the `rows` or `parts`. */
class Slot {
  readonly key: string;
  /** The row's index or the part's name; null = a member of its own. */
  readonly place: number | string | null;

  constructor(key: string, place: number | string | null) {
    this.key = key;
    this.place = place;
  }
}

type Members = Record<string, unknown>;

/**
 * Keeps the query that `build` makes. `build` sees a stand-in for each value and must only put it into the
 * query: it cannot look at it. It runs once for each set of members that are given (an undefined one counts
 * as missing), and, where there is a member `rows`, for each number of rows. A member `parts` holds records by
 * name, for a query that writes to several tables whose columns have the same names. A member `fixed` holds what `build`
 * does look at: it runs for each of its values, so there are few.
 */
export function keepQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const kept = new Map<string, CompiledQuery<Row>>();
  return async (db, values) => {
    const given = values as Members;
    const shape = toShape(given);
    let query = kept.get(shape);
    if (!query) {
      // A slot goes where its value would: Kysely makes a parameter of either.
      query = build(db, toSlots(given) as Values).compile() as CompiledQuery<Row>;
      if (kept.size < SHAPES_MAX) kept.set(shape, query);
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Slot ? readSlot(given, parameter) : parameter,
    );
    return askCompiled<Row>(db, { ...query, parameters });
  };
}

function rowsOf({ rows }: Members): Members[] {
  // By the convention above: a list of records.
  return (rows ?? []) as Members[];
}

function partsOf({ parts }: Members): Record<string, Members> {
  // By the convention above: records by name.
  return (parts ?? {}) as Record<string, Members>;
}

function toShape(given: Members): string {
  let shape = '';
  for (const key in given) if (given[key] !== undefined) shape += `${key},`;
  if (given.fixed) shape += JSON.stringify(given.fixed);
  for (const row of rowsOf(given)) shape += `|${toShape(row)}`;
  const parts = partsOf(given);
  for (const name in parts) shape += `|${name}:${toShape(parts[name] ?? {})}`;
  return shape;
}

function toSlots(given: Members, place: number | string | null = null): Members {
  const keys = Object.keys(given).filter((key) => given[key] !== undefined);
  const slots: Members = Object.fromEntries(keys.map((key) => [key, new Slot(key, place)]));
  if (place !== null) return slots;
  if (given.fixed) slots.fixed = given.fixed;
  if (given.rows) slots.rows = rowsOf(given).map((one, index) => toSlots(one, index));
  if (given.parts) {
    const parts = Object.entries(partsOf(given));
    slots.parts = Object.fromEntries(parts.map(([name, part]) => [name, toSlots(part, name)]));
  }
  return slots;
}

function readSlot(given: Members, { key, place }: Slot): unknown {
  if (place === null) return given[key];
  return typeof place === 'number' ? rowsOf(given)[place]?.[key] : partsOf(given)[place]?.[key];
}
