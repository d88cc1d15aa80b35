import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';

/**
 * Whether a method is still its user's, for as long as the transaction lasts: by the lock that is taken first, methods are
 * removed, and their users erased. Before any lock of a subscription.
 */
export async function holdMethod(
  tx: Tx,
  scope: Scope,
  { userId, methodId }: { userId: string; methodId: string },
): Promise<boolean> {
  await lockUser(tx, scope, userId);
  const method = await findPaymentMethod(tx, scope, methodId);
  return method?.userId === userId && method.kept;
}
