import { sendRefundAgain } from '../flows/refunds/refund-payment.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a refund. */
export const sendRefundJob: Job = sendRefundAgain;
