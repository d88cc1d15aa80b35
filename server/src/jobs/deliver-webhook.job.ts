import { createDeliverer, deliverWebhook } from '../flows/webhooks/deliver-webhook.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a webhook delivery. */
export const deliverWebhookJob: Job = async (ctx, work) => {
  await deliverWebhook(ctx, work);
};

/** The same for many at once. */
export const createDeliverWebhooksJob = createDeliverer;
