import { watchOrder } from '../flows/checkout/watch-order.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: an unpaid order. */
export const watchOrderJob: Job = watchOrder;
