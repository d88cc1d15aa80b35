/** The number of the subscription that a session is about. */
import type { Context } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { findSubscription } from '../resources/subscriptions/subscriptions.queries.ts';

export async function findNumber(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  id: string | null,
): Promise<string | null> {
  if (id === null) return null;
  return (await findSubscription(db, scope, id))?.number ?? null;
}
