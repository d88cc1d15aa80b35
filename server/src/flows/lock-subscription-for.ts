/** The start of every operation on a subscription: locked, and in a state that allows what is asked. */
import type { Tx } from '../db/database.ts';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { canAct, type SubscriptionAction, type SubscriptionStatus } from '../domain/states/subscription.ts';
import { lockBilling } from '../resources/subscriptions/billing.queries.ts';

/** Refuses not_found, and subscription_state with the state in its words. */
export async function lockSubscriptionFor(
  tx: Tx,
  scope: Scope,
  id: string,
  action: SubscriptionAction,
): Promise<Row<'subscriptions'>> {
  const subscription = await lockBilling(tx, scope, id);
  if (!subscription) throw new Refusal('not_found');
  const status = subscription.status as SubscriptionStatus;
  if (!canAct(action, status)) {
    throw new Refusal('subscription_state', {
      message: `The subscription is ${status}: this is not possible.`,
    });
  }
  return subscription;
}
