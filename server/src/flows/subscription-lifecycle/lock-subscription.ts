/** The start of every operation on a subscription: locked, and in a state that allows what is asked. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { checkAction, type SubscriptionAction } from '../../domain/states/subscription.ts';
import { lockBilling } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { refuseMovedClock } from './refuse-moved-clock.ts';

/** The idempotency key of a request, which stands for the subscription that it changes. */
export interface OperationClaim {
  /** Set when a request with this key has made its change and died before it answered. */
  resumeId: string | null;
  /** Before the state is asked for: a second request with the key is to meet the key, and not what the first did. */
  begin: (tx: Tx, subscriptionId: string) => Promise<void>;
}

export interface Operation {
  tx: Tx;
  id: string;
  action: SubscriptionAction;
}

/** Refuses not_found, subscription_state with the state in its words, and clock_advancing. */
export async function lockSubscriptionFor(
  ctx: Pick<Step, 'clockFence'>,
  scope: Scope,
  { tx, id, action }: Operation,
): Promise<Row<'subscriptions'>> {
  const subscription = await lockBilling(tx, scope, id);
  if (!subscription) throw new Refusal('not_found');
  await refuseMovedClock(ctx, scope, tx);
  checkAction(action, subscription);
  return subscription;
}
