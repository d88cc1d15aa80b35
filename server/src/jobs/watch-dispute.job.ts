import { watchDispute } from '../flows/disputes/watch-dispute.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a charge that its buyer's bank disputes. */
export const watchDisputeJob: Job = watchDispute;
