/** Pages of the rows behind a figure, newest first within each part. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope } from '../../db/scope.ts';
import type { Metric } from '../../domain/figures/metrics.ts';
import { ROWS, type RowObject, type RowsPart, type RowsWindow } from './rows.sql.ts';

/** After which row a page begins: its part, its moment and its key. */
export interface RowsCursor {
  part: number;
  at: number;
  key: string;
}

export interface FigureRow {
  cursor: RowsCursor;
  part: RowsPart['part'];
  object: RowObject;
  at: number;
  amount: bigint;
  /** Of the object, as the API names it: a subscription goes by its number. */
  id: string;
  number: string | null;
  userId: string;
}

/** One row more than asked for where there is more. */
export async function listRows(
  db: Db,
  window: RowsWindow,
  { metric, take, after }: { metric: Metric; take: number; after: RowsCursor | null },
): Promise<FigureRow[]> {
  const rows: FigureRow[] = [];
  for (const [index, part] of ROWS[metric].entries()) {
    if (after !== null && index < after.part) continue;
    if (rows.length > take) break;
    const from = after?.part === index ? after : null;
    rows.push(...(await listPart(db, window, { part, index, limit: take + 1 - rows.length, after: from })));
  }
  return rows;
}

interface PagePart {
  part: RowsPart;
  index: number;
  limit: number;
  after: RowsCursor | null;
}

async function listPart(db: Db, window: RowsWindow, { part, index, limit, after }: PagePart) {
  const { object } = part;
  // Each list is cut by itself, so that it is read along its index no further than the page goes.
  const lists = part.selects.map((select) => sql`(${select(window, { after, limit })})`);
  const { table, number } = OBJECTS[object];
  const user = object === 'user' ? sql.raw('o.id') : sql.raw('o.user_id');
  const { rows } = await sql<{
    at: number;
    key: string;
    id: string;
    number: string | null;
    amount: bigint;
    userId: string;
  }>`
    select page.at, page.key, page.amount, o.id, ${sql.raw(number)} as number, ${user} as user_id
    from (select * from (${sql.join(lists, sql` union all `)}) lists order by at desc, key desc limit ${limit}) page
    join ${sql.raw(table)} o on ${inScope(window.scope, 'o')} and o.id = page.ref
    order by page.at desc, page.key desc`.execute(db);
  return rows.map(({ key, id, ...row }) => ({
    ...row,
    ...{ object, part: part.part, cursor: { part: index, at: row.at, key } },
    id: object === 'subscription' ? (row.number ?? id) : id,
  }));
}

const OBJECTS: Readonly<Record<RowObject, { table: string; number: string }>> = {
  payment: { table: 'payments', number: 'o.number' },
  order: { table: 'orders', number: 'o.number' },
  subscription: { table: 'subscriptions', number: 'o.number' },
  user: { table: 'users', number: 'null::text' },
};
