import { advanceSubscriptions } from '../flows/advance-subscription.ts';
import type { GroupJob } from './worker.ts';

/** References: subscriptions of one store. */
export const advanceSubscriptionsJob: GroupJob = advanceSubscriptions;
