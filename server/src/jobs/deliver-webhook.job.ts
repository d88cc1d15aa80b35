import { deliverWebhook, deliverWebhooks } from '../flows/deliver-webhook.ts';
import type { BatchJob, Job } from './worker.ts';

/** Reference: a webhook delivery. */
export const deliverWebhookJob: Job = async (ctx, work) => {
  await deliverWebhook(ctx, work);
};

/** The same for many at once. */
export const deliverWebhooksJob: BatchJob = deliverWebhooks;
