/** Every kind of due work and what is done for it. */

import type { Service } from '../context.ts';
import type { JobKind } from '../domain/due-work.ts';
import { watchOrder } from '../flows/checkout/watch-order.ts';
import { watchDispute } from '../flows/disputes/watch-dispute.ts';
import { collectWithNewCard } from '../flows/dunning/collect-with-new-card.ts';
import { sendMails } from '../flows/mails/send-mail.ts';
import { sendReversal } from '../flows/payments/reverse-charge.ts';
import { sendRefundAgain } from '../flows/refunds/refund-payment.ts';
import { advanceSubscriptions } from '../flows/renewals/advance-subscription.ts';
import { remindSubscription } from '../flows/renewals/remind-subscription.ts';
import { watchPayment } from '../flows/renewals/watch-payment.ts';
import { eraseUser } from '../flows/users/erase-user.ts';
import { createDeliverer, deliverWebhook } from '../flows/webhooks/deliver-webhook.ts';
import { judgeWebhook } from '../flows/webhooks/review-webhook-health.ts';
import type { BatchJob, GroupJob, Job } from '../worker/worker.ts';

export const jobs: Partial<Record<JobKind, Job>> = {
  collect_owed: collectWithNewCard,
  deliver_webhook: async (ctx, work) => {
    await deliverWebhook(ctx, work);
  },
  erase_user: eraseUser,
  judge_webhook: judgeWebhook,
  remind_subscription: remindSubscription,
  send_refund: sendRefundAgain,
  send_reversal: sendReversal,
  watch_dispute: watchDispute,
  watch_order: watchOrder,
  watch_payment: watchPayment,
};

/** Kinds whose rows are done in groups, by store. */
export const groupJobs: Partial<Record<JobKind, GroupJob>> = {
  advance_subscription: advanceSubscriptions,
  send_mail: sendMails,
};

/** Kinds whose rows lie in lanes: the worker runs them in batches. */
export function createLaneJobs(service: Service): Partial<Record<JobKind, BatchJob>> {
  return { deliver_webhook: createDeliverer(service) };
}
