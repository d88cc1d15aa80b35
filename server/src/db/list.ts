/** Keyset pages: the millionth row costs what the first one does, and no row is shown twice or skipped. */
import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from './database.ts';

/** The sort value and id of the last row that was shown. */
export interface Cursor {
  value: string | number;
  id: string;
}

/** Where a page begins: after a row (by sort value and id) or after a number of rows; or where it ends: before a row. */
export interface Page {
  take: number;
  skip: number;
  after: Cursor | null;
  before: Cursor | null;
  /** What its cursors are named after; missing = they tell by their value alone. */
  sortName?: string;
  /** Nobody asks how many rows there are in all. */
  isUncounted?: boolean;
}

export interface Sort {
  /** Columns, with their table where a query joins several. */
  by: string;
  id: string;
  direction: 'asc' | 'desc';
}

export const NEWEST_FIRST: Sort = { by: 'createdAt', id: 'id', direction: 'desc' };

/**
 * Orders by the sort's column and id and takes one row more than asked, which tells whether there is more. A page that
 * ends before a row comes backwards, nearest to that row first: `cutPage` turns it round.
 */
export function onPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: Page,
  sort: Sort = NEWEST_FIRST,
): SelectQueryBuilder<DB, TB, O> {
  const by = sql.ref(sort.by);
  const id = sql.ref(sort.id);
  const operator = sql.raw(toDirection(page, sort) === 'asc' ? '>' : '<');
  let paged = inPageOrder(query, page, sort).limit(page.take + 1);
  const row = page.before ?? page.after;
  if (row) paged = paged.where(sql<SqlBool>`(${by}, ${id}) ${operator} (${row.value}, ${row.id}::uuid)`);
  return page.skip > 0 ? paged.offset(page.skip) : paged;
}

/** Sizes of a page that most ask for. */
const USUAL_TAKES: ReadonlySet<number> = new Set([10, 20, 50, 100]);

/**
 * How many rows are read, for a list that is planned alike whatever its values are. The store plans a statement at every
 * call while a plan for any number of rows looks dearer than one for these: a usual number stands in the text itself.
 */
export function toLimit(rows: number): number | RawBuilder<number> {
  return USUAL_TAKES.has(rows - 1) ? sql.lit(rows) : rows;
}

/**
 * Whether a row is one of a page. Written as an array, the page is found once and before all else: `in` lets the
 * store find it anew for each row that it joins, which it takes for cheap while it knows a grown table as an empty one.
 */
export function isOnPage(id: string, page: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(id)} = any(array(${page}))`;
}

/** The order in which a page's rows are read; ties are broken by id. */
export function inPageOrder<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: Page,
  sort: Sort,
): SelectQueryBuilder<DB, TB, O> {
  const { by, id } = sort;
  const direction = toDirection(page, sort);
  return query.orderBy(sql.ref(by), direction).orderBy(sql.ref(id), direction);
}

function toDirection({ before }: Page, { direction }: Sort): Sort['direction'] {
  if (before === null) return direction;
  return direction === 'asc' ? 'desc' : 'asc';
}

/** Counts what a query finds; with a limit no further than one beyond it. */
export async function countRows<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  db: Db,
  limit: number | null,
): Promise<number> {
  const { count } = await countFound(db, query, limit === null ? null : limit + 1).executeTakeFirstOrThrow();
  return count;
}

/** The query that counts what another one finds, up to `limit` rows. */
export function countFound<DB, TB extends keyof DB, O>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
  limit: number | null,
) {
  const found = query.clearSelect().select(sql<number>`1`.as('one'));
  return db
    .selectFrom((limit === null ? found : found.limit(limit)).as('found'))
    .select((eb) => eb.fn.countAll<number>().as('count'));
}

/** Which rows a list shows: archived ones are left out unless asked for. */
export type Archived = 'without' | 'with' | 'only';

export function onlyArchived<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  archived: Archived,
  column = 'archivedAt',
): SelectQueryBuilder<DB, TB, O> {
  if (archived === 'with') return query;
  return query.where(
    sql<SqlBool>`${sql.ref(column)} is ${sql.raw(archived === 'only' ? 'not null' : 'null')}`,
  );
}

/** A `like` pattern that finds `term` anywhere, whatever signs it holds. */
export function containing(term: string): string {
  return `${endingWith(term)}%`;
}

/** One that finds `term` at the end. */
export function endingWith(term: string): string {
  return `%${term.replace(/[\\%_]/g, '\\$&')}`;
}

/** Whether words are an id, which is compared as one. */
export function isId(term: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(term);
}
