import { deliverWebhook } from '../flows/deliver-webhook.ts';
import type { Job } from './worker.ts';

/** Reference: a webhook delivery. */
export const deliverWebhookJob: Job = deliverWebhook;
