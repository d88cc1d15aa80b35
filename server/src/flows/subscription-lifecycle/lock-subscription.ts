/** The start of every operation on a subscription: locked, and in a state that allows what is asked. */
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { canAct, type SubscriptionAction } from '../../domain/states/subscription.ts';
import { lockBilling } from '../../resources/subscriptions/locked-subscription.queries.ts';

/** The idempotency key of a request, which stands for the subscription that it changes. */
export interface OperationClaim {
  /** Set when a request with this key has made its change and died before it answered. */
  resumeId: string | null;
  /** Before the state is asked for: a second request with the key is to meet the key, and not what the first did. */
  begin: (tx: Tx, subscriptionId: string) => Promise<void>;
}

/** Refuses not_found, and subscription_state with the state in its words. */
export async function lockSubscriptionFor(
  tx: Tx,
  scope: Scope,
  id: string,
  action: SubscriptionAction,
): Promise<Row<'subscriptions'>> {
  const subscription = await lockBilling(tx, scope, id);
  if (!subscription) throw new Refusal('not_found');
  const { status, waiting } = subscription;
  if (!canAct(action, status, waiting)) {
    throw new Refusal('subscription_state', {
      message: `The subscription is ${waiting ? 'imported and not activated' : status}: this is not possible.`,
    });
  }
  return subscription;
}
