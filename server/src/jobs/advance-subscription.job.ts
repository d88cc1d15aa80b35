import { advanceSubscription } from '../flows/advance-subscription.ts';
import type { Job } from './worker.ts';

/** Reference: a subscription. */
export const advanceSubscriptionJob: Job = advanceSubscription;
