/** A buyer asks to be forgotten, and may take that back as long as they are not. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { toDeletionDueMs } from '../../domain/user-deletion.ts';
import { deleteDueWork, insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import { hasRunningSubscription } from '../../resources/users/erasure.queries.ts';
import { lockUser, updateUser } from '../../resources/users/users.queries.ts';
import { acceptDeletion } from '../users/accept-deletion.ts';

interface Asked {
  tx: Tx;
  userId: string;
}

/** Asked again nothing changes. Throws subscription_running while one of theirs runs. */
export async function requestDeletion(
  ctx: Step,
  scope: Scope,
  { tx, userId, isAutomatic }: Asked & { isAutomatic: boolean },
): Promise<Row<'users'>> {
  if (isAutomatic) return acceptDeletion(ctx, scope, { tx, userId });
  const user = await lockUser(tx, scope, userId);
  if (!user) throw new Refusal('not_found');
  if (user.deletionRequestedAt !== null) return user;
  if (await hasRunningSubscription(tx, scope, userId)) throw new Refusal('subscription_running');
  const asked = await updateUser(tx, scope, { id: userId, deletionRequestedAt: ctx.nowMs });
  const dueMs = toDeletionDueMs(asked) ?? ctx.nowMs;
  await insertDueWork(tx, scope, [{ kind: 'erase_user', refId: userId, dueMs }]);
  return asked;
}

export async function takeBackDeletion(scope: Scope, { tx, userId }: Asked): Promise<Row<'users'>> {
  const user = await lockUser(tx, scope, userId);
  if (!user || user.erasedAt !== null) throw new Refusal('not_found');
  await deleteDueWork(tx, scope, 'erase_user', userId);
  return updateUser(tx, scope, { id: userId, deletionRequestedAt: null, deletionAcceptedAt: null });
}
