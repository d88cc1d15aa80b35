/** Lists: `skip` and `take`, a keyset `cursor` in both directions, the number of matches, archived rows. */
import { Type } from 'typebox';
import type { Archived, Cursor, Page } from '../db/list.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { Nullable, StringEnum } from './shapes.ts';

export const TAKE_DEFAULT = 20;
export const TAKE_MAX = 100;

/**
 * Beside a query of our own: so many rows as an export reads at once, which are not counted. A name that no request can
 * say.
 */
export const ROWS_OF_EXPORT = Symbol('rows of an export');

/** Query parameters of a list. `take` above 100 is served as 100. */
export const pageQuery = {
  skip: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  take: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  cursor: Type.Optional(Type.String({ maxLength: 500 })),
};

/** Fields beside the rows in a list's answer. */
export const pageAnswer = {
  count: Nullable(Type.Integer({ description: 'Number of matches; null where it was not asked for.' })),
  cursor: Nullable(
    Type.String({ description: 'Pass it back as `cursor` for the next page; null at the end.' }),
  ),
  previousCursor: Nullable(
    Type.String({
      description: 'The `cursor` of the page before this one; null at the start.',
    }),
  ),
  hasMore: Type.Boolean(),
};

export interface PageQuery {
  skip?: number;
  take?: number;
  cursor?: string;
  /** Of lists that sort by more than the moment of creation. */
  orderBy?: string;
  [ROWS_OF_EXPORT]?: number;
}

export function toPage(query: PageQuery, takeDefault = TAKE_DEFAULT): Page {
  const { take = takeDefault, skip = 0, cursor, orderBy } = query;
  const rows = query[ROWS_OF_EXPORT];
  const size = { take: rows ?? Math.min(take, TAKE_MAX), isUncounted: rows !== undefined };
  const sortName = toSortName(orderBy);
  const page = { ...size, skip, after: null, before: null, ...(sortName && { sortName }) };
  if (cursor === undefined) return page;
  const { isBefore, ...row } = decodeCursor(
    cursor,
    orderBy === 'orderNumber' ? 'string' : 'number',
    sortName,
  );
  return { ...page, [isBefore ? 'before' : 'after']: row };
}

/** Of the usual sort a cursor is a moment, of numbers a text: those of all others bear the name of theirs. */
function toSortName(orderBy: string | undefined): string | undefined {
  return orderBy === 'createdAt' || orderBy === 'orderNumber' ? undefined : orderBy;
}

export interface PageOf<T> {
  rows: T[];
  /** What an answer says of the page. */
  page: { cursor: string | null; previousCursor: string | null; hasMore: boolean };
}

/**
 * Cuts the extra row that tells whether there is more, and turns a page round that was read backwards. `cursorOf` gives
 * the row's sort value and id.
 */
export function cutPage<T>(rows: T[], page: Page, cursorOf: (row: T) => Cursor): PageOf<T> {
  const isLonger = rows.length > page.take;
  const shown = isLonger ? rows.slice(0, page.take) : [...rows];
  if (page.before) shown.reverse();
  const [first] = shown;
  const last = shown.at(-1);
  // A page that ends before a row has that row behind it.
  const hasMore = page.before ? last !== undefined : isLonger;
  const { sortName } = page;
  const isStart = page.before ? !isLonger : page.after === null && page.skip === 0;
  return {
    rows: shown,
    page: {
      cursor: hasMore && last ? encodeCursor({ ...cursorOf(last), sortName }) : null,
      previousCursor:
        !isStart && first ? encodeCursor({ ...cursorOf(first), isBefore: true, sortName }) : null,
      hasMore,
    },
  };
}

/** Beyond so many a long list does not count its matches by itself. */
const COUNT_MAX = 10_000;

/**
 * The number of matches of a list that may be long: exact on its first page up to 10,000, and wherever it was asked
 * for; else null. `count` counts up to a limit and one more, or with null to the end.
 */
export async function countMatches(
  { page, shown, returnCount }: { page: Page; shown: PageOf<unknown>; returnCount: boolean | undefined },
  count: (limit: number | null) => Promise<number>,
): Promise<number | null> {
  if (page.isUncounted) return null;
  const isFirst = page.after === null && page.before === null && page.skip === 0;
  if (isFirst && !shown.page.hasMore) return shown.rows.length;
  if (returnCount) return count(null);
  if (!isFirst) return null;
  const counted = await count(COUNT_MAX);
  return counted > COUNT_MAX ? null : counted;
}

/** A filter by status, in both of its spellings. */
export function statusQuery<const T extends readonly string[]>(words: T) {
  const list = Type.Optional(Type.Array(StringEnum(words), { maxItems: 100 }));
  return { statuses: list, status: list };
}

/** What both spellings name together; undefined where neither was given. */
export function toStatuses<T extends string>({ statuses, status }: StatusFilter<T>): T[] | undefined {
  return statuses || status ? [...(statuses ?? []), ...(status ?? [])] : undefined;
}

interface StatusFilter<T extends string = string> {
  statuses?: T[];
  status?: T[];
}

/** A place in a list: after a row, or before one. */
export interface PlacedCursor extends Cursor {
  isBefore?: boolean;
  /** Of a page in that order; missing = by moment of creation, or by number. */
  sortName?: string | undefined;
}

const BEFORE = 'before';
const AFTER = 'after';

export function encodeCursor({ value, id, isBefore, sortName }: PlacedCursor): string {
  const place = isBefore ? BEFORE : AFTER;
  const rest = sortName === undefined ? (isBefore ? [BEFORE] : []) : [place, sortName];
  return Buffer.from(JSON.stringify([value, id, ...rest])).toString('base64url');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A cursor of another sort order is refused: its value cannot be compared with this list's column. */
export function decodeCursor(text: string, valueType: 'number' | 'string', sortName?: string): PlacedCursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parsed) && isOfSort(parsed.slice(2), sortName)) {
      const [value, id] = parsed as unknown[];
      const isBefore = parsed[2] === BEFORE;
      const known = typeof value === 'string' ? !value.includes('\u0000') : Number.isSafeInteger(value);
      if (known && typeof value === valueType && typeof id === 'string' && UUID.test(id))
        return { value: value as string | number, id, ...(isBefore ? { isBefore } : {}) };
    }
  } catch {
    // Not ours: answered like any other invalid value.
  }
  throw invalidField('cursor', 'is not a cursor of this list');
}

/** What stands behind value and id: where the page lies, and the name of its order where that has one. */
function isOfSort(rest: unknown[], sortName: string | undefined): boolean {
  if (sortName === undefined) return rest.length === 0 || (rest.length === 1 && rest[0] === BEFORE);
  return rest.length === 2 && (rest[0] === BEFORE || rest[0] === AFTER) && rest[1] === sortName;
}

interface ArchiveFilter extends StatusFilter {
  archived?: boolean;
  withArchived?: boolean;
}

/**
 * `archived=true`, or `archived` among the statuses, gives only archived rows; `withArchived=true` all. The public key
 * alone sees none: it may not ask for them, and `withArchived` brings it nothing. Throws secret_key_required.
 */
export function toArchived(query: ArchiveFilter, withSecret: boolean): Archived {
  const isAsked = query.archived || toStatuses(query)?.includes('archived');
  if (isAsked && !withSecret) throw new Refusal('secret_key_required');
  if (isAsked) return 'only';
  return query.withArchived && withSecret ? 'with' : 'without';
}

/** The statuses of a list of what may be a draft: of those the public key alone sees none. Throws secret_key_required. */
export function toShownStatuses<T extends string>(
  query: StatusFilter<T>,
  { withSecret, published }: { withSecret: boolean; published: readonly NoInfer<T>[] },
): T[] | undefined {
  const statuses = toStatuses(query);
  if (withSecret) return statuses;
  if (statuses?.some((status) => status === 'DRAFT')) throw new Refusal('secret_key_required');
  return statuses ?? [...published];
}

/** Whether somebody who has the public key alone may be shown the row. */
export function isShown(
  row: { archivedAt?: number | null; deletedAt?: number | null; status?: string },
  withSecret: boolean,
): boolean {
  if (withSecret) return true;
  return (row.archivedAt ?? row.deletedAt ?? null) === null && row.status !== 'DRAFT';
}
