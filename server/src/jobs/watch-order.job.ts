import { watchOrder } from '../flows/watch-order.ts';
import type { Job } from './worker.ts';

/** Reference: an unpaid order. */
export const watchOrderJob: Job = watchOrder;
