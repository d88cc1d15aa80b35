import { collectWithNewCard } from '../flows/dunning/collect-with-new-card.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a subscription that owes and has a new card. */
export const collectOwedJob: Job = collectWithNewCard;
