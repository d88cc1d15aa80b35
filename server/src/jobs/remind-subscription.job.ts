import { remindSubscription } from '../flows/renewals/remind-subscription.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a subscription. */
export const remindSubscriptionJob: Job = remindSubscription;
