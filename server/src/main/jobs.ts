/** Every kind of due work and what is done for it. */

import type { Service } from '../context.ts';
import type { JobKind } from '../domain/due-work.ts';
import { remindBuyer } from '../flows/checkout/remind-buyer.ts';
import { watchOrder } from '../flows/checkout/watch-order.ts';
import { attendNotice } from '../flows/consumer/attend-notice.ts';
import { attendWithdrawal } from '../flows/consumer/attend-withdrawal.ts';
import { watchDispute } from '../flows/disputes/watch-dispute.ts';
import { collectWithNewCard } from '../flows/dunning/collect-with-new-card.ts';
import { warnOfCard } from '../flows/dunning/warn-of-card.ts';
import { watchMethod } from '../flows/dunning/watch-method.ts';
import { watchSetup } from '../flows/dunning/watch-setup.ts';
import type { ExportedLists } from '../flows/exports/exported-list.ts';
import { createExporter } from '../flows/exports/write-export.ts';
import { runImport } from '../flows/imports/run-import.ts';
import { sendMails } from '../flows/mails/send-mail.ts';
import { detachMethod } from '../flows/payments/detach-method.ts';
import { sendReversal } from '../flows/payments/reverse-charge.ts';
import { sendPortalCode } from '../flows/portal/send-code.ts';
import { sendEmailChange } from '../flows/portal/send-email-change.ts';
import { writeOwnExport } from '../flows/portal/write-own-export.ts';
import { readProcessorEvent } from '../flows/processors/read-event.ts';
import { followRefunds } from '../flows/refunds/follow-refunds.ts';
import { sendRefundAgain } from '../flows/refunds/refund-payment.ts';
import { advanceSubscriptions } from '../flows/renewals/advance-subscription.ts';
import { remindSubscription } from '../flows/renewals/remind-subscription.ts';
import { watchPayment } from '../flows/renewals/watch-payment.ts';
import { eraseUser } from '../flows/users/erase-user.ts';
import { createDeliverer } from '../flows/webhooks/deliver-webhook.ts';
import { reviewWebhookHealth } from '../flows/webhooks/review-webhook-health.ts';
import { byRow, byStore, type Job } from '../worker/job.ts';
import { collectingOften } from './collect-often.ts';

/** `lists`: what exports are written of. */
export function createJobs(service: Service, lists: ExportedLists): Record<JobKind, Job> {
  return {
    attend_notice: byRow(attendNotice),
    attend_withdrawal: byRow(attendWithdrawal),
    advance_subscription: byStore(advanceSubscriptions),
    collect_owed: byRow(collectWithNewCard),
    detach_method: byRow(detachMethod),
    deliver_webhook: { by: 'lane', run: createDeliverer(service) },
    erase_user: byRow(eraseUser),
    judge_webhook: byRow(reviewWebhookHealth),
    run_import: byRow(collectingOften(runImport)),
    read_processor_event: byRow(readProcessorEvent),
    remind_buyer: byRow(remindBuyer),
    remind_subscription: byRow(remindSubscription),
    send_mail: byStore(sendMails),
    send_portal_code: byRow(sendPortalCode),
    send_email_change: byRow(sendEmailChange),
    follow_refunds: byRow(followRefunds),
    send_refund: byRow(sendRefundAgain),
    send_reversal: byRow(sendReversal),
    warn_of_card: byRow(warnOfCard),
    watch_dispute: byRow(watchDispute),
    watch_method: byRow(watchMethod),
    watch_order: byRow(watchOrder),
    watch_payment: byRow(watchPayment),
    watch_setup: byRow(watchSetup),
    write_export: byRow(collectingOften(createExporter(lists))),
    write_own_export: byRow(writeOwnExport),
  };
}
