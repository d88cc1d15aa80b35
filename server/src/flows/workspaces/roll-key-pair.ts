/** A new pair takes over; the old one keeps working for a while, so that nobody's shop stops. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { Refusal } from '../../domain/errors.ts';
import { lockKeyPair, updateKeyPair } from '../../resources/api-keys/api-keys.queries.ts';
import { issueKeyPair } from './issue-key-pair.ts';

export const ROLL_HOURS_MAX = 72;
const HOUR_MS = 3_600_000;

/** By its public key. Throws not_found, key_expired. */
export async function rollKeyPair(
  tx: Tx,
  ids: Ids,
  { publicKey, graceHours, nowMs }: { publicKey: string; graceHours: number; nowMs: number },
) {
  const old = await lockKeyPair(tx, publicKey);
  if (!old) throw new Refusal('not_found');
  return rollLocked(tx, ids, { old, graceHours, nowMs, createdBy: null });
}

/**
 * Same mode, name, scopes and narrowing as the old pair. Its grace may be cut short by rolling it again, and never
 * grows. Throws not_found of a revoked one, key_expired once it is over.
 */
export async function rollLocked(
  tx: Tx,
  ids: Ids,
  {
    old,
    graceHours,
    nowMs,
    createdBy,
  }: { old: Row<'apiKeys'>; graceHours: number; nowMs: number; createdBy: string | null },
) {
  if (old.revokedAt !== null) throw new Refusal('not_found');
  const endsAt = old.expiresAt ?? Number.POSITIVE_INFINITY;
  if (endsAt <= nowMs) throw new Refusal('key_expired');
  const { workspaceId, testMode, name, scopes, readRequiresSecret, amounts, ipAllowList, rolledAt } = old;
  // An end that was set is the new pair's too; of a rolled one it is but a grace.
  const expiresAt = rolledAt === null ? old.expiresAt : null;
  const narrowing = { scopes, readRequiresSecret, ipAllowList, expiresAt };
  const terms = { name, amounts, ...narrowing, createdBy, nowMs };
  const pair = await issueKeyPair(tx, { workspaceId, testMode }, { ids, terms });
  await updateKeyPair(tx, {
    workspaceId,
    id: old.id,
    expiresAt: Math.min(endsAt, nowMs + graceHours * HOUR_MS),
    rolledAt: rolledAt ?? nowMs,
  });
  return pair;
}
