/** A new pair takes over; the old one keeps working for a while, so that nobody's shop stops. */
import type { Ids } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import { Refusal } from '../../domain/errors.ts';
import { lockKeyPair, updateKeyPair } from '../../resources/api-keys/api-keys.queries.ts';
import { issueKeyPair } from './issue-key-pair.ts';

export const ROLL_HOURS_MAX = 72;
const HOUR_MS = 3_600_000;

/**
 * Same mode, name, scopes and narrowing as the old pair. Its grace may be cut short by rolling it again, and never
 * grows. Throws key_expired once it is over.
 */
export async function rollKeyPair(
  tx: Tx,
  ids: Ids,
  { publicKey, graceHours, nowMs }: { publicKey: string; graceHours: number; nowMs: number },
) {
  const old = await lockKeyPair(tx, publicKey);
  if (!old || old.revokedAt !== null) throw new Refusal('not_found');
  const endsAt = old.expiresAt ?? Number.POSITIVE_INFINITY;
  if (endsAt <= nowMs) throw new Refusal('key_expired');
  const { workspaceId, testMode, name, scopes, readRequiresSecret, amounts } = old;
  const terms = { name, scopes, readRequiresSecret, amounts, nowMs };
  const pair = await issueKeyPair(tx, { workspaceId, testMode }, { ids, terms });
  const expiresAt = Math.min(endsAt, nowMs + graceHours * HOUR_MS);
  await updateKeyPair(tx, { workspaceId, id: old.id, expiresAt });
  return pair;
}
