import type { Defaulted, Scoped } from './columns.ts';

export interface ViewTables {
  notes: NotesTable;
  views: ViewsTable;
  exports: ExportsTable;
}

export interface NotesTable extends Scoped {
  id: string;
  object: 'order' | 'payment' | 'subscription' | 'user';
  objectId: string;
  text: string;
  /** As audit rows name who asks. */
  author: string;
  createdAt: number;
}

export interface ViewsTable extends Scoped {
  id: string;
  owner: string;
  resource: string;
  name: string;
  /** As in the address of the page. */
  query: string;
  columns: Defaulted<string[]>;
  shared: Defaulted<boolean>;
  createdAt: number;
  updatedAt: number;
}

export interface ExportsTable extends Scoped {
  id: string;
  kind: 'list' | 'store' | 'user';
  /** The list; of an archive its kind. */
  resource: string;
  /** As in the address of the list. */
  query: string;
  /** Rows of it alone; none = all. Of an export of a user, the user. */
  ids: string[];
  /** Paths of the rows' fields, as the file's columns stand in order; none = whole rows. */
  columns: string[];
  format: 'csv' | 'ndjson' | 'tar.gz';
  /** As audit rows name who asks. */
  maker: string;
  withPayUrls: boolean;
  /** Of an archive of a store. */
  withSecrets: Defaulted<boolean>;
  /** Of age: who alone reads the file; none = whoever has it. */
  recipients: Defaulted<string[]>;
  rows: Defaulted<number>;
  /** Null until the rows have been counted. */
  rowsExpected: number | null;
  bytes: Defaulted<number>;
  /** The list's own, of the page that comes next. */
  cursor: string | null;
  outcome: 'done' | 'failed' | 'canceled' | null;
  /** Why it failed. */
  reason: string | null;
  createdAt: number;
  endedAt: number | null;
  /** Real time: files on disk do not wait for a test clock. */
  expiresRealMs: number;
  /** Its bytes are on disk, or may be. */
  hasFile: Defaulted<boolean>;
}
