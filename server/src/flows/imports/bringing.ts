/** What a line is brought in with, and what of ours it becomes. */
import type { Tx } from '../../db/database.ts';
import type { ImportLine } from '../../domain/imports/lines.ts';
import type { NewRef } from '../../resources/imports/import-rows.queries.ts';
import type { ImportRow } from '../../resources/imports/imports.queries.ts';
import type { Looked, LookedBatch } from './look-at-lines.ts';

export interface BringingIn<L extends ImportLine = ImportLine> {
  tx: Tx;
  imported: ImportRow;
  line: L;
  looked: Looked;
  batch: LookedBatch;
}

/** What of ours a line has become; null = nothing, so that a later import looks at it anew. */
export type BroughtIn = Pick<NewRef, 'objectId' | 'objectVersion'> | null;
