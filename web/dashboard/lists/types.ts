/** What a list declares; how it looks and works is the same for all. */
import type { ReactNode } from 'react';
import type { Row } from '../api/objects.ts';
import type { Giver } from '../forms/scopes.ts';
import type { Locale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';

export interface CellTools {
  locale: Locale;
  zone: string;
  /** The store’s own, of sums that bear none; not everybody who draws a cell has such. */
  currency?: string;
}

export interface Column {
  id: string;
  label: TextKey;
  /** Amounts and counts stand at the end of their cell. */
  isEnd?: boolean;
  /** Only shown to those who ask for it. */
  isExtra?: boolean;
  draw(row: Row, tools: CellTools): ReactNode;
}

/** A parameter of the operation, word for word. */
export interface Filter {
  parameter: string;
  label: TextKey;
  kind: 'choice' | 'choices' | 'pick' | 'text' | 'day' | 'dayEnd' | 'money' | 'yes' | 'country';
  /** Of a choice: its values, and what their names begin with in the texts. `pick`: more than can stand in sight. */
  options?: readonly string[];
  names?: string;
  /** What a value is called, where that is no text of its own. */
  nameOf?(value: string, locale: Pick<Locale, 'tName'>): string;
}

/** What can be done with a row; a write is one call of the public API. */
export interface RowAction {
  id: string;
  label: TextKey;
  area: string;
  /** Whether it makes sense of this row, for whoever looks. */
  fits?(row: Row, by: Giver): boolean;
  isDanger?: boolean;
  /** Done at once, with many rows too. */
  call?(row: Row): { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };
  /** Takes it back within ten seconds. */
  undo?(row: Row): { method: 'POST' | 'PATCH' | 'DELETE'; path: string; body?: unknown };
  /** Asked in a dialog first: `lists/dialogs.tsx` knows it by this name. */
  dialog?: string;
  /** Of the test store alone, for whoever may write the same in live. */
  toLive?: boolean;
  /** A file of the row's: of many rows they come in one archive. */
  file?(row: Row): { url: string; name: string };
  /** What it is called for many rows, where that is something else. */
  bulkLabel?: TextKey;
  copies?(row: Row): string;
  opens?(row: Row): string;
}

export interface ListDeclaration {
  /** Also the key of its texts: `list.<name>`, `empty.<name>`. */
  name: string;
  /** What views and exports call it. */
  resource: string;
  /** What its rows are in `/v0/changes`. */
  object: string;
  area: string;
  /** `/v0/orders/list`; may hold what the screen fills in. */
  operation: string;
  /** Where the rows are in the answer. */
  rowsIn: string;
  /** The parameter that searches words. */
  search?: string;
  /** Laid under the address's query. */
  fixed?: Readonly<Record<string, string>>;
  columns: readonly Column[];
  filters: readonly Filter[];
  actions?: readonly RowAction[];
  /** What can be made here: a form by its name, which `forms/forms.ts` knows. */
  create?: { label: TextKey; area: string; form: string; onlyTest?: boolean };
  idOf?(row: Row): string;
  /** How a row is called: "Select <name>". */
  nameOf(row: Row): string;
  hrefOf?(row: Row): string | null;
}
