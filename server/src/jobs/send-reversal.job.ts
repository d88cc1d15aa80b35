import { sendReversal } from '../flows/reverse-charge.ts';
import type { Job } from './worker.ts';

/** Reference: a reversed charge. */
export const sendReversalJob: Job = sendReversal;
