/** An import was received whole: a job begins to plan it. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { type ImportRow, lockRunningImports, updateImport } from '../../resources/imports/imports.queries.ts';
import type { ReceivedImport } from './receive-lines.ts';

/** Under way at once, of one store. */
const RUNNING_MAX = 3;

/** Throws invalid_input and import_limit_reached. */
export async function createImport(
  ctx: Step,
  scope: Scope,
  { tx, id, maker, received }: { tx: Tx; id: string; maker: string; received: ReceivedImport },
): Promise<ImportRow> {
  // A request without a body never reaches the intake.
  if (!received.lineCount) throw invalidField('body', 'must not be empty');
  if ((await lockRunningImports(tx, scope)) >= RUNNING_MAX) throw new Refusal('import_limit_reached');
  const { sha256, currency, lineCount } = received;
  await insertDueWork(tx, scope, [{ kind: 'run_import', refId: id, dueMs: ctx.nowMs }]);
  return updateImport(tx, scope, {
    ...{ id, maker, sha256, currency, lineCount },
    ...{ status: 'planning', createdAt: ctx.nowMs },
  });
}
