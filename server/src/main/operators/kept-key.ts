/** Whether the operator has said that the keys which seal secrets are kept elsewhere: no backup holds them. */
import type { Db } from '../../db/database.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Sealing } from '../../net/sealing.ts';
import { listKeptKeys, putKeptKeys } from '../../resources/installation/kept-keys.queries.ts';

/** True where nothing is sealed by a key of ours. */
export async function isKeyKept(db: Db, sealing: Sealing): Promise<boolean> {
  const kept = new Set(await listKeptKeys(db));
  return sealing.keyIds().every((id) => kept.has(id));
}

/** Answers how many keys there are. */
export async function confirmKept(db: Db, sealing: Sealing): Promise<number> {
  const ids = sealing.keyIds();
  await inTransaction(db, (tx) => putKeptKeys(tx, ids));
  return ids.length;
}
