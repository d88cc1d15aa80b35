/** What of a store is kept for a time alone. All else of it is kept until its workspace is purged. */
export const KEPT_FOR_A_TIME = [
  'event_bodies',
  'events',
  'webhook_attempts',
  'mail_bodies',
  'mails',
  'audit_log',
] as const;

export type Kept = (typeof KEPT_FOR_A_TIME)[number];

/** Days of real time; 0 = for ever. */
export type RetentionDays = Readonly<Record<Kept, number>>;
