/** A buyer gets a copy of all that the store has of them: one JSON, kept for a week. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';
import { EXPORT_MS } from '../../domain/portal/session-life.ts';
import { finishDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import type { ClaimedWork } from '../../resources/due-work/due-work.sql.ts';
import {
  endOwnExport,
  findOwnExport,
  type OwnExportRow,
  replaceOwnExport,
} from '../../resources/portal/own-exports.queries.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { gatherOwnData } from './gather-own-data.ts';

/** What fails so often will not come to an end by itself. */
const FAILURES_MAX = 5;
const compress = promisify(gzip);

/** One that is being written is written to its end; asked for after that there is a new one. */
export async function requestOwnExport(
  ctx: Step,
  scope: Scope,
  { tx, userId }: { tx: Tx; userId: string },
): Promise<OwnExportRow> {
  const nowMs = ctx.realNowMs();
  const before = await findOwnExport(tx, scope, { userId });
  if (before && before.content === null && !before.failed && before.endsAt > nowMs) return before;
  const id = ctx.ids.next(nowMs);
  const row = await replaceOwnExport(tx, scope, { userId, id, createdAt: nowMs, endsAt: nowMs + EXPORT_MS });
  await insertDueWork(tx, scope, [{ kind: 'write_own_export', refId: id, dueMs: ctx.nowMs }]);
  return row;
}

/** Reference of the work: the copy. */
export async function writeOwnExport(ctx: Context, work: ClaimedWork): Promise<void> {
  const { scope, refId: id } = work;
  const row = await findOwnExport(ctx.db, scope, { id });
  const user = row && (await findUser(ctx.db, scope, row.userId));
  let content: Buffer | null = null;
  try {
    if (user) content = await compress(JSON.stringify(await gatherOwnData(ctx, scope, user), null, 2));
  } catch (error) {
    if (work.failures + 1 < FAILURES_MAX) throw error;
    ctx.log.warn({ err: error, exportId: id }, 'the copy of what is kept of a buyer was given up');
  }
  await inTransaction(ctx.db, async (tx) => {
    if (await finishDueWork(tx, work)) await endOwnExport(tx, scope, { id, content });
  });
}
