import { collectWithNewCard } from '../flows/collect-now.ts';
import type { Job } from './worker.ts';

/** Reference: a subscription that owes and has a new card. */
export const collectOwedJob: Job = collectWithNewCard;
