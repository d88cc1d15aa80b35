/**
 * The merchant agrees that a user is erased. Where nobody has asked for it on a page, the user has by letter: agreeing
 * makes the request, too. From the request on the user has two weeks to take it back.
 */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toDeletionDueMs } from '../../domain/user-deletion.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { hasRunningSubscription } from '../../resources/users/erasure.queries.ts';
import { lockUser, updateUser } from '../../resources/users/users.queries.ts';

/** Refuses not_found, and subscription_running while one of the user's runs. */
export async function acceptDeletion(
  ctx: Step,
  scope: Scope,
  { tx, userId }: { tx: Tx; userId: string },
): Promise<Row<'users'>> {
  const { nowMs } = ctx;
  const user = await lockUser(tx, scope, userId);
  if (!user) throw new Refusal('not_found');
  if (user.erasedAt !== null || user.deletionAcceptedAt !== null) return user;
  if (await hasRunningSubscription(tx, scope, userId)) throw new Refusal('subscription_running');
  const accepted = await updateUser(tx, scope, {
    id: userId,
    deletionRequestedAt: user.deletionRequestedAt ?? nowMs,
    deletionAcceptedAt: nowMs,
  });
  const dueMs = toDeletionDueMs(accepted) ?? nowMs;
  await insertDueWork(tx, scope, [{ kind: 'erase_user', refId: userId, dueMs }]);
  return accepted;
}
