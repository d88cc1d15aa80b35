/** Kinds of due work: what each refers to. The reference is an id of the row that the job looks at. */
export const JOB_KINDS = {
  /** A webhook delivery whose next attempt is due. Reference: the delivery. */
  deliver_webhook: 'webhook_deliveries',
  /** A webhook whose streak of failures is to be looked at. Reference: the webhook. */
  judge_webhook: 'webhooks',
  /** An unpaid order: a charge to be looked up, holds that lapse, the end of its time. Reference: the order. */
  watch_order: 'orders',
  /** A subscription whose next moment has come: a renewal, a retry, an end, a resumption. Reference: the subscription. */
  advance_subscription: 'subscriptions',
  /** A later payment of a subscription whose charge is to be looked up. Reference: the payment. */
  watch_payment: 'payments',
  /** A method that is taken for 0, and that nobody has settled. Reference: the setup. */
  watch_setup: 'method_setups',
  /** What a subscription owes is to be charged by its new card, at once. Reference: the subscription. */
  collect_owed: 'subscriptions',
  /** A card that renewals are charged to, and that expires. Reference: the method. */
  warn_of_card: 'payment_methods',
  /** A kept method that its processor has told of. Reference: what it told. */
  watch_method: 'processor_events',
  /** A kept method that is removed here, and is to be let go of where it is kept. Reference: the method. */
  detach_method: 'payment_methods',
  /** A refund whose outcome is not known. Reference: the refund. */
  send_refund: 'refunds',
  /** What was given back of a charge where it was taken. Reference: the charge. */
  follow_refunds: 'charges',
  /** Money for a closed payment, on its way back. Reference: the charge. */
  send_reversal: 'charges',
  /** A charge that its buyer's bank disputes. Reference: the charge. */
  watch_dispute: 'charges',
  /** A processor has told of something: its look is to be brought forward. Reference: what it told. */
  read_processor_event: 'processor_events',
  /** A subscription whose buyer is told of a payment that comes. Reference: the subscription. */
  remind_subscription: 'subscriptions',
  /** A purchase that was begun and perhaps not finished. Reference: the session of its checkout. */
  remind_buyer: 'checkout_sessions',
  /** A user whose deletion was asked for. Reference: the user. */
  erase_user: 'users',
  /** Somebody wants to be let into the portal: whoever has the mailbox is told a code. Reference: what was asked. */
  send_portal_code: 'portal_codes',
  /** A buyer wants another e-mail: a code goes to the new mailbox, a note to the old. Reference: the change. */
  send_email_change: 'portal_email_changes',
  /** A copy of all that is kept of a buyer. Reference: the copy. */
  write_own_export: 'portal_exports',
  /** A withdrawal: its effect, and warnings while it is open. Reference: the withdrawal. */
  attend_withdrawal: 'withdrawals',
  /** A cancellation notice: an end that was asked for later, and warnings. Reference: the notice. */
  attend_notice: 'cancellation_notices',
  /** A queued mail: to be written, and sent where there is a mail server. Reference: the mail. */
  send_mail: 'mails',
  /** A file of a list that is not written to its end. Reference: the export. */
  write_export: 'exports',
  /** An import that is to be planned, or brought in. Reference: the import. */
  run_import: 'imports',
} as const;

export type JobKind = keyof typeof JOB_KINDS;

/**
 * Kinds that nobody writes any more: what is left of them is deleted. A kind that stands neither here nor above is
 * another version's, which runs beside this one: it is never touched.
 */
export const RETIRED_KINDS: readonly string[] = [];

/**
 * Work whose time is spent outside and that nothing of the business waits for: in an advance of the test clock
 * it runs beside the business, one chain per row.
 */
export const SIDE_KINDS: ReadonlySet<string> = new Set([
  'deliver_webhook',
  'judge_webhook',
  'send_mail',
  'write_export',
  'write_own_export',
]);

/** How long a claimed row stays with its worker. Longer than any job may take. */
export const LEASE_MS = 60_000;
