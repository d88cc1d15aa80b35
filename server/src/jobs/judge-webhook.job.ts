import { judgeWebhook } from '../flows/judge-webhook.ts';
import type { Job } from './worker.ts';

/** Reference: a webhook with a streak of failures. */
export const judgeWebhookJob: Job = judgeWebhook;
