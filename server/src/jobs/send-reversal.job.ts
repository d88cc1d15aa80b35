import { sendReversal } from '../flows/payments/reverse-charge.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a reversed charge. */
export const sendReversalJob: Job = sendReversal;
