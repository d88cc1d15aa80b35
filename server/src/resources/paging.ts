/** Paging form A of contract.md: `skip`/`take`, and a keyset `cursor` on every list. */
import { Type } from 'typebox';
import type { Archived, Cursor, Page } from '../db/list.ts';
import { invalidField } from '../domain/errors.ts';
import { Nullable } from './shapes.ts';

export const TAKE_DEFAULT = 20;
export const TAKE_MAX = 100;

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
  hasMore: Type.Boolean(),
};

export interface PageQuery {
  skip?: number;
  take?: number;
  cursor?: string;
  /** Of lists that sort by more than the moment of creation. */
  orderBy?: string;
}

export function toPage(query: PageQuery, takeDefault = TAKE_DEFAULT): Page {
  return {
    take: Math.min(query.take ?? takeDefault, TAKE_MAX),
    skip: query.skip ?? 0,
    after:
      query.cursor === undefined
        ? null
        : decodeCursor(query.cursor, query.orderBy === 'orderNumber' ? 'string' : 'number'),
  };
}

export interface PageOf<T> {
  rows: T[];
  cursor: string | null;
  hasMore: boolean;
}

/** Cuts the extra row that tells whether there is more. `cursorOf` gives the row's sort value and id. */
export function cutPage<T>(rows: T[], page: Page, cursorOf: (row: T) => Cursor): PageOf<T> {
  const hasMore = rows.length > page.take;
  const shown = hasMore ? rows.slice(0, page.take) : rows;
  const last = shown[shown.length - 1];
  return { rows: shown, hasMore, cursor: hasMore && last ? encodeCursor(cursorOf(last)) : null };
}

export function encodeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.value, cursor.id])).toString('base64url');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A cursor of another sort order is refused: its value can not be compared with this list's column. */
export function decodeCursor(text: string, valueType: 'number' | 'string'): Cursor {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (Array.isArray(parsed) && parsed.length === 2) {
      const [value, id] = parsed as unknown[];
      const known = typeof value === 'string' ? !value.includes('\u0000') : Number.isSafeInteger(value);
      if (known && typeof value === valueType && typeof id === 'string' && UUID.test(id))
        return { value: value as string | number, id };
    }
  } catch {
    // Not ours: answered like any other invalid value.
  }
  throw invalidField('cursor', 'is not a cursor of this list');
}

/** `archived=true`, or `archived` among the statuses, gives only archived rows; `withArchived=true` all. */
export function toArchived(query: {
  archived?: boolean;
  withArchived?: boolean;
  statuses?: string[];
}): Archived {
  if (query.archived || query.statuses?.includes('archived')) return 'only';
  return query.withArchived ? 'with' : 'without';
}
