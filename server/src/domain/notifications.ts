/** What members are told of by mail, each as far as it wishes; the Owner of everything. */
import type { MailKind } from './mails/kinds.ts';

export const NOTIFICATIONS = [
  'disputes',
  'processors',
  'webhooks',
  'stock',
  'withdrawals',
  'workspace',
] as const;
export type Notification = (typeof NOTIFICATIONS)[number];

/** Which of them a mail to the people of a workspace belongs to; what is not named is the workspace's. */
const NOTIFICATION_OF: Partial<Record<MailKind, Notification>> = {
  webhook_blocked: 'webhooks',
  webhook_failing: 'webhooks',
  webhook_recovering: 'webhooks',
  webhook_disabled: 'webhooks',
  low_stock: 'stock',
  awaiting_stock: 'stock',
  dispute_opened: 'disputes',
  dispute_inquiry: 'disputes',
  dispute_excess: 'disputes',
  early_fraud_warning: 'disputes',
  charge_held: 'processors',
  processor_changed: 'processors',
  processor_broken: 'processors',
  processor_silent: 'processors',
  processor_event_parked: 'processors',
  processor_report: 'processors',
  processor_refund_returned: 'processors',
  processor_refund_lost: 'processors',
  processor_refund_failed: 'processors',
  withdrawal_waiting: 'withdrawals',
  notice_waiting: 'withdrawals',
};

export function toNotification(kind: MailKind): Notification {
  return NOTIFICATION_OF[kind] ?? 'workspace';
}
