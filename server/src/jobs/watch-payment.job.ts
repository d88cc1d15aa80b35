import { watchPayment } from '../flows/renewals/watch-payment.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a later payment of a subscription. */
export const watchPaymentJob: Job = watchPayment;
