import type { ColumnType } from 'kysely';

/** jsonb: read parsed, written as text (the driver would turn a bare array into a PostgreSQL array). */
export type Json<T> = ColumnType<T, string, string>;

/** The same, with a default of the column. */
export type JsonDefault<T> = ColumnType<T, string | undefined, string>;

/** A column whose value the store fills in when it is left out. */
export type Defaulted<T> = ColumnType<T, T | undefined, T>;

/** Whose row it is, which each key and index leads with. */
export interface Scoped {
  workspaceId: string;
  testMode: boolean;
}
