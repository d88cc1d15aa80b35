import { advanceSubscriptions } from '../flows/renewals/advance-subscription.ts';
import type { GroupJob } from '../worker/worker.ts';

/** References: subscriptions of one store. */
export const advanceSubscriptionsJob: GroupJob = advanceSubscriptions;
