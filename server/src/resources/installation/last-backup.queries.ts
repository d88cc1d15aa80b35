/** When a backup was last written as a file (real ms). */
import type { Db } from '../../db/database.ts';
import { toJson } from '../../db/scope.ts';
import { inTransaction } from '../../db/transaction.ts';

const NAME = 'last-backup';

export async function findLastBackup(db: Db): Promise<number | null> {
  const noted = await db
    .selectFrom('installationSettings')
    .select('body')
    .where('name', '=', NAME)
    .executeTakeFirst();
  // We wrote it ourselves.
  return (noted?.body as number | undefined) ?? null;
}

export async function noteBackup(db: Db, atMs: number): Promise<void> {
  const body = toJson(atMs);
  await inTransaction(db, (tx) =>
    tx
      .insertInto('installationSettings')
      .values({ name: NAME, body })
      .onConflict((oc) => oc.column('name').doUpdateSet({ body }))
      .execute(),
  );
}
