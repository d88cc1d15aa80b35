import { remindSubscription } from '../flows/remind-subscription.ts';
import type { Job } from './worker.ts';

/** Reference: a subscription. */
export const remindSubscriptionJob: Job = remindSubscription;
