/** What a subscription takes as it stands: what it refuses is not offered. */
import { type Row, textOf } from '../api/objects.ts';

const TAKES = {
  changePlan: ['trialing', 'active'],
  setEnd: ['trialing', 'active', 'past_due', 'paused'],
  cancel: ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'],
  charge: ['active'],
  pause: ['trialing', 'active', 'past_due'],
  resume: ['paused'],
  endTrial: ['trialing'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type SubscriptionAct = keyof typeof TAKES;

/** What moves no money: all that one which was imported takes before it is activated. */
const BEFORE_ACTIVATION: ReadonlySet<SubscriptionAct> = new Set(['setEnd', 'cancel']);

export function canAct(act: SubscriptionAct, subscription: Row): boolean {
  const status = textOf(subscription, 'status');
  const isOpen = subscription.waiting !== true || BEFORE_ACTIVATION.has(act);
  return isOpen && TAKES[act].some((one) => one === status);
}

/** Of one that ends, waits or owes its last period nothing is taken at the interval's end. */
export const paysNext = (subscription: Row): boolean =>
  ['trialing', 'active', 'past_due'].includes(textOf(subscription, 'status')) &&
  subscription.cancelAtIntervalEnd !== true &&
  subscription.waiting !== true;
