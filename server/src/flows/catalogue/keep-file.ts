/** Keeping uploaded files. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField } from '../../domain/errors.ts';
import { insertFile } from '../../resources/files/files.queries.ts';
import { refuseMoved } from '../../resources/installation/files-place.queries.ts';

/** What an upload amounts to: all of it decides whether two are the same request. */
export interface ReceivedFile {
  fileName: string;
  contentType: string;
  purpose: 'picture' | 'download';
  sizeBytes: number;
  sha256: string;
  blurHash: string | null;
}

export async function keepFile(
  ctx: Step,
  scope: Scope,
  { tx, id, received }: { tx: Tx; id: string; received: ReceivedFile },
): Promise<Row<'files'>> {
  // A request without a body never reaches the intake.
  if (!received.sizeBytes) throw invalidField('body', 'must not be empty');
  await refuseMoved(tx, ctx.config.files);
  return insertFile(tx, scope, { ...received, id, createdAt: ctx.nowMs, usedAt: null });
}
