import { watchDispute } from '../flows/watch-dispute.ts';
import type { Job } from './worker.ts';

/** Reference: a charge that its buyer's bank disputes. */
export const watchDisputeJob: Job = watchDispute;
