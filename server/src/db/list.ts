/** Keyset pages: the millionth row costs what the first one does, and no row is shown twice or skipped. */
import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** The sort value and id of the last row that was shown. */
export interface Cursor {
  value: string | number;
  id: string;
}

/** Where a page begins: after a row (by sort value and id) or after a number of rows. */
export interface Page {
  take: number;
  skip: number;
  after: Cursor | null;
}

export interface Sort {
  /** Columns, with their table where a query joins several. */
  by: string;
  id: string;
  direction: 'asc' | 'desc';
}

export const NEWEST_FIRST: Sort = { by: 'createdAt', id: 'id', direction: 'desc' };

/** Orders by the sort's column and id and takes one row more than asked, which tells whether there is more. */
export function onPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  page: Page,
  sort: Sort = NEWEST_FIRST,
): SelectQueryBuilder<DB, TB, O> {
  const by = sql.ref(sort.by);
  const id = sql.ref(sort.id);
  const operator = sql.raw(sort.direction === 'asc' ? '>' : '<');
  let paged = inOrder(query, sort).limit(page.take + 1);
  if (page.after) {
    paged = paged.where(
      sql<SqlBool>`(${by}, ${id}) ${operator} (${page.after.value}, ${page.after.id}::uuid)`,
    );
  }
  return page.skip > 0 ? paged.offset(page.skip) : paged;
}

/** The list's order; ties are broken by id. */
export function inOrder<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { by, id, direction }: Sort,
): SelectQueryBuilder<DB, TB, O> {
  return query.orderBy(sql.ref(by), direction).orderBy(sql.ref(id), direction);
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
  return `%${term.replace(/[\\%_]/g, '\\$&')}%`;
}
