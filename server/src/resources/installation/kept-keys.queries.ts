/** Ids of keys that the operator keeps elsewhere, too: of the keys themselves nothing is here. */
import type { Db, Tx } from '../../db/database.ts';
import { toJson } from '../../db/scope.ts';

const NAME = 'kept-keys';

export async function listKeptKeys(db: Db): Promise<string[]> {
  const kept = await db
    .selectFrom('installationSettings')
    .select('body')
    .where('name', '=', NAME)
    .executeTakeFirst();
  // We wrote it ourselves.
  return (kept?.body as string[] | undefined) ?? [];
}

export async function putKeptKeys(tx: Tx, ids: readonly string[]): Promise<void> {
  const body = toJson(ids);
  await tx
    .insertInto('installationSettings')
    .values({ name: NAME, body })
    .onConflict((oc) => oc.column('name').doUpdateSet({ body }))
    .execute();
}
