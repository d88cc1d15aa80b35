/** What an export knows of a list: the door that answers it lends it, so that a file has the rows that the list has. */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import type { Row } from '../../domain/exports/cells.ts';
import type { Column } from '../../domain/exports/columns.ts';
import type { ExportedResource } from '../../resources/exports/exports.schema.ts';

export interface PageAsked {
  /** As in the address of the list. */
  query: string;
  /** Instead of what the query says of them; null = it stands. */
  ids: readonly string[] | null;
  cursor: string | null;
  take: number;
  withPayUrls: boolean;
}

export interface ExportedList {
  columns: readonly Column[];
  /** Whether the list itself can be asked for rows by their ids, and for how many. */
  idsMax: number;
  /** A page of the list's own answer. Throws what the list refuses. */
  read(ctx: Context, scope: Scope, asked: PageAsked): Promise<{ rows: Row[]; cursor: string | null }>;
  /** How many rows there are; null where the list does not count them. */
  count(ctx: Context, scope: Scope, asked: Pick<PageAsked, 'query'>): Promise<number | null>;
}

export type ExportedLists = (resource: ExportedResource) => ExportedList;
