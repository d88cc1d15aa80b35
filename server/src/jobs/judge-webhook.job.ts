import { judgeWebhook } from '../flows/webhooks/review-webhook-health.ts';
import type { Job } from '../worker/worker.ts';

/** Reference: a webhook with a streak of failures. */
export const judgeWebhookJob: Job = judgeWebhook;
