import { watchPayment } from '../flows/watch-payment.ts';
import type { Job } from './worker.ts';

/** Reference: a later payment of a subscription. */
export const watchPaymentJob: Job = watchPayment;
