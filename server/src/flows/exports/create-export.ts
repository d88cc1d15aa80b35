/** An export is asked for: what it will hold is fixed, and a job begins to write it. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { type Column, spreadFields } from '../../domain/exports/columns.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  type ExportRow,
  expireOldest,
  insertExport,
  listFieldKeys,
  lockRunningCount,
} from '../../resources/exports/exports.queries.ts';

/** Under way at once, of one store: each holds a slot of the worker now and then, and room on the disk. */
const RUNNING_MAX = 3;
/** Files of a store that wait to be fetched. */
const KEPT_MAX = 20;
const KEPT_MS = 7 * 24 * 3_600_000;

export interface WantedExport {
  kind: ExportRow['kind'];
  /** The list; of an archive its kind. */
  resource: string;
  query: string;
  ids: readonly string[];
  /** Undefined = all that there are. */
  columns: readonly string[] | undefined;
  format: ExportRow['format'];
  maker: string;
  withPayUrls: boolean;
  withSecrets?: boolean;
  /** Of age, checked; none = whoever has the file reads it. */
  recipients?: readonly string[];
}

/** Throws invalid_input for a column that the list does not have, and export_limit_reached. */
export async function createExport(
  ctx: Step,
  scope: Scope,
  { tx, wanted, listed }: { tx: Tx; wanted: WantedExport; listed: readonly Column[] },
): Promise<ExportRow> {
  if ((await lockRunningCount(tx, scope)) >= RUNNING_MAX) throw new Refusal('export_limit_reached');
  const columns = await toPaths(tx, scope, { wanted, listed });
  await expireOldest(tx, scope, KEPT_MAX - 1);
  const id = ctx.ids.next(ctx.nowMs);
  const row = await insertExport(tx, scope, {
    ...wanted,
    id,
    ids: [...new Set(wanted.ids)],
    recipients: [...new Set(wanted.recipients)],
    columns,
    createdAt: ctx.nowMs,
    expiresRealMs: ctx.realNowMs() + KEPT_MS,
  });
  await insertDueWork(tx, scope, [{ kind: 'write_export', refId: id, dueMs: ctx.nowMs }]);
  return row;
}

/** Noted with the export: a question that is asked from tomorrow on adds no column in the midst of a file. */
async function toPaths(
  tx: Tx,
  scope: Scope,
  { wanted: { columns, format }, listed }: { wanted: WantedExport; listed: readonly Column[] },
): Promise<string[]> {
  if (format === 'ndjson') {
    if (columns !== undefined) throw invalidField('columns', 'are of a CSV: NDJSON holds whole rows');
    return [];
  }
  const keys = listed.some(({ kind }) => kind === 'fields') ? await listFieldKeys(tx, scope) : [];
  const known = spreadFields(listed, keys).map(({ path }) => path);
  const unknown = columns?.findIndex((path) => !known.includes(path)) ?? -1;
  if (unknown >= 0) throw invalidField(`columns.${unknown}`, 'is no path of a row of this list');
  return columns === undefined || columns.length === 0 ? known : [...new Set(columns)];
}
