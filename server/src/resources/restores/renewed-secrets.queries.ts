/** SQL of new secrets for what was restored without. */
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** Pairs that let anybody in. */
export async function listLivingPairs(
  db: Db,
  scope: Scope,
  nowMs: number,
): Promise<Array<Pick<Row<'apiKeys'>, 'id' | 'publicKey'>>> {
  return db
    .selectFrom('apiKeys')
    .select(['id', 'publicKey'])
    .where(inScope(scope))
    .where('revokedAt', 'is', null)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', nowMs)]))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function setPairSecret(
  tx: Tx,
  scope: Scope,
  { id, ...secret }: Pick<Row<'apiKeys'>, 'id' | 'secretHash' | 'secretLast4'>,
): Promise<void> {
  await tx.updateTable('apiKeys').set(secret).where(inScope(scope)).where('id', '=', id).execute();
}

/** Webhooks that are told of events. */
export async function listLivingWebhooks(
  db: Db,
  scope: Scope,
): Promise<Array<Pick<Row<'webhooks'>, 'id' | 'url'>>> {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url'])
    .where(inScope(scope))
    .where('deletedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function setWebhookSecret(
  tx: Tx,
  scope: Scope,
  { id, secret }: { id: string; secret: string },
): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ secret, previousSecret: null, previousSecretUntil: null })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}
