/** Kinds of due work: what each refers to. The reference is an id of the row that the job looks at. */
export const JOB_KINDS = {
  /** A webhook delivery whose next attempt is due. Reference: the delivery. */
  deliver_webhook: 'webhook_deliveries',
  /** An unpaid order: a charge to be looked up, holds that lapse, the end of its time. Reference: the order. */
  watch_order: 'orders',
} as const;

export type JobKind = keyof typeof JOB_KINDS;

/** How long a claimed row stays with its worker. Longer than any job may take. */
export const LEASE_MS = 60_000;
