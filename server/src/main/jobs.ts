/** Every kind of due work and what is done for it. */

import type { Service } from '../context.ts';
import type { JobKind } from '../domain/due-work.ts';
import { advanceSubscriptionsJob } from '../jobs/advance-subscription.job.ts';
import { collectOwedJob } from '../jobs/collect-owed.job.ts';
import { createDeliverWebhooksJob, deliverWebhookJob } from '../jobs/deliver-webhook.job.ts';
import { judgeWebhookJob } from '../jobs/judge-webhook.job.ts';
import { remindSubscriptionJob } from '../jobs/remind-subscription.job.ts';
import { sendMailsJob } from '../jobs/send-mail.job.ts';
import { sendRefundJob } from '../jobs/send-refund.job.ts';
import { sendReversalJob } from '../jobs/send-reversal.job.ts';
import { watchDisputeJob } from '../jobs/watch-dispute.job.ts';
import { watchOrderJob } from '../jobs/watch-order.job.ts';
import { watchPaymentJob } from '../jobs/watch-payment.job.ts';
import type { BatchJob, GroupJob, Job } from '../worker/worker.ts';

export const jobs: Partial<Record<JobKind, Job>> = {
  collect_owed: collectOwedJob,
  deliver_webhook: deliverWebhookJob,
  judge_webhook: judgeWebhookJob,
  remind_subscription: remindSubscriptionJob,
  send_refund: sendRefundJob,
  send_reversal: sendReversalJob,
  watch_dispute: watchDisputeJob,
  watch_order: watchOrderJob,
  watch_payment: watchPaymentJob,
};

/** Kinds whose rows are done in groups, by store. */
export const groupJobs: Partial<Record<JobKind, GroupJob>> = {
  advance_subscription: advanceSubscriptionsJob,
  send_mail: sendMailsJob,
};

/** Kinds whose rows lie in lanes: the worker runs them in batches. */
export function createLaneJobs(service: Service): Partial<Record<JobKind, BatchJob>> {
  return { deliver_webhook: createDeliverWebhooksJob(service) };
}
