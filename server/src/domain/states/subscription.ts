import { Refusal } from '../errors.ts';
import type { Machine } from './machine.ts';

export type SubscriptionStatus =
  | 'incomplete'
  | 'incomplete_expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';

export const SUBSCRIPTION: Machine<SubscriptionStatus> = {
  name: 'subscription',
  initial: ['incomplete'],
  moves: {
    incomplete: ['active', 'trialing', 'incomplete_expired', 'canceled'],
    trialing: ['active', 'past_due', 'paused', 'canceled'],
    active: ['past_due', 'paused', 'canceled'],
    past_due: ['active', 'unpaid', 'canceled', 'paused'],
    unpaid: ['active', 'canceled'],
    paused: ['active', 'trialing', 'past_due', 'canceled'],
    incomplete_expired: [],
    canceled: [],
  },
};

export type SubscriptionAction =
  | 'update_items'
  | 'update_billing'
  | 'set_cancel_flag'
  | 'cancel_now'
  | 'charge'
  | 'pause'
  | 'resume'
  | 'end_trial';

const ALLOWED: Readonly<Record<SubscriptionAction, readonly SubscriptionStatus[]>> = {
  update_items: ['trialing', 'active'],
  update_billing: ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'],
  set_cancel_flag: ['trialing', 'active', 'past_due', 'paused'],
  cancel_now: ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'],
  charge: ['active'],
  pause: ['trialing', 'active', 'past_due'],
  resume: ['paused'],
  end_trial: ['trialing'],
};

/** What moves no money: all that is possible while a subscription that was imported waits to be activated. */
const WITHOUT_MONEY: ReadonlySet<SubscriptionAction> = new Set([
  'update_billing',
  'set_cancel_flag',
  'cancel_now',
]);

/** Whether a subscription in this status takes what is asked of it; if not the answer is a refusal. */
export function canAct(
  action: SubscriptionAction,
  status: SubscriptionStatus,
  waiting: boolean = false,
): boolean {
  return ALLOWED[action].includes(status) && (!waiting || WITHOUT_MONEY.has(action));
}

/** Throws subscription_state with the state in its words: whoever asked is to see what stands in the way. */
export function checkAction(
  action: SubscriptionAction,
  { status, waiting = false }: { status: SubscriptionStatus; waiting?: boolean },
): void {
  if (canAct(action, status, waiting)) return;
  throw new Refusal('subscription_state', {
    message: `The subscription is ${waiting ? 'imported and not activated' : status}: this is not possible.`,
  });
}
