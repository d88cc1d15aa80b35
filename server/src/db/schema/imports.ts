import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';

export interface ImportTables {
  imports: ImportsTable;
  importRows: ImportRowsTable;
  importRefs: ImportRefsTable;
}

export interface ImportsTable extends Scoped {
  id: string;
  source: string;
  account: string | null;
  currency: string | null;
  status: Defaulted<'receiving' | 'planning' | 'planned' | 'committing' | 'committed' | 'failed'>;
  sha256: string | null;
  lineCount: Defaulted<number>;
  plannedKind: string | null;
  plannedLine: Defaulted<number>;
  plan: Json<unknown> | null;
  planHash: string | null;
  skipErrors: Defaulted<boolean>;
  rehearse: string | null;
  rehearsal: Json<unknown> | null;
  reason: string | null;
  maker: string;
  createdAt: number;
  /** Real ms. */
  createdRealMs: Defaulted<number>;
  committedAt: number | null;
}

export interface ImportRowsTable extends Scoped {
  importId: string;
  line: number;
  kind: string;
  ref: string | null;
  body: Json<unknown> | null;
  outcome: 'new' | 'changed' | 'same' | 'conflict' | 'refused' | null;
  decision: string | null;
  code: string | null;
  path: string | null;
  message: string | null;
  warnings: JsonDefault<unknown[]>;
  charges: JsonDefault<unknown[]>;
  priceChange: Json<unknown> | null;
  done: Defaulted<boolean>;
}

export interface ImportRefsTable extends Scoped {
  source: string;
  kind: string;
  ref: string;
  objectId: string;
  bodyHash: string;
  objectVersion: number;
  nextAt: number | null;
  nextTotal: bigint | null;
  importId: string;
}
