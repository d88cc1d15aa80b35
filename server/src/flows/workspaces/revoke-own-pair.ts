/** Whoever holds both keys of a pair may end it: a machine that signs out, or somebody who found them. */
import { timingSafeEqual } from 'node:crypto';
import type { Service } from '../../context.ts';
import { inTransaction } from '../../db/transaction.ts';
import { findKeyPair } from '../../resources/api-keys/api-keys.queries.ts';
import { hashSecret } from '../../resources/api-keys/key-pairs.ts';
import { insertAuditEntry } from '../../resources/audit-log/audit-log.queries.ts';
import { getClock } from '../../resources/workspaces/workspaces.queries.ts';
import { revokeKeyPair } from './edit-key-pair.ts';

interface Given {
  publicKey: string;
  secretKey: string;
  requestId: string;
}

/** Nothing happens where they are no pair, or one that has ended. */
export async function revokeOwnPair(
  { db, ids, realNowMs }: Pick<Service, 'db' | 'ids' | 'realNowMs'>,
  { publicKey, secretKey, requestId }: Given,
): Promise<void> {
  const pair = await findKeyPair(db, publicKey);
  if (!pair || pair.revokedAt !== null || !isSame(hashSecret(secretKey), pair.secretHash)) return;
  const { workspaceId, testMode, keyId } = pair;
  const scope = { workspaceId, testMode };
  const nowMs = realNowMs();
  await inTransaction(db, async (tx) => {
    const { before } = await revokeKeyPair(scope, { tx, id: keyId, nowMs });
    const { offsetMs } = testMode ? await getClock(tx, scope) : { offsetMs: 0 };
    await insertAuditEntry(tx, scope, {
      ...{ id: ids.next(nowMs), actor: `key:${keyId}`, operation: 'revokeApiKey', objectId: keyId },
      ...{ before: { name: before.name, revokedAt: before.revokedAt }, after: { revokedAt: nowMs } },
      ...{ requestId, createdAt: nowMs + offsetMs },
    });
  });
}

/** In a time that tells nothing. */
const isSame = (a: string, b: string) => timingSafeEqual(Buffer.from(a, 'hex'), Buffer.from(b, 'hex'));
