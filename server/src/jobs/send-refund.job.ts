import { sendRefundAgain } from '../flows/refund-payment.ts';
import type { Job } from './worker.ts';

/** Reference: a refund. */
export const sendRefundJob: Job = sendRefundAgain;
