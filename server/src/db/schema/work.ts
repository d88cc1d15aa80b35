import type { Generated } from 'kysely';
import type { JobKind } from '../../domain/due-work.ts';
import type { Kept } from '../../domain/retention.ts';
import type { Defaulted, JsonDefault, Scoped } from './columns.ts';

export interface WorkTables {
  dueWork: DueWorkTable;
  retentionMarks: RetentionMarksTable;
  mails: MailsTable;
}

export interface DueWorkTable extends Scoped {
  kind: JobKind;
  refId: string;
  dueMs: number;
  dueRealMs: number;
  leaseUntilMs: number | null;
  lane: string | null;
  /** Rows of one queue go one after the other within their lane. */
  queue: string | null;
  /** The row's place among those of its queue that are due at one moment. */
  place: string | null;
  fence: Generated<number>;
  failures: Generated<number>;
  lastError: string | null;
}

export interface MailsTable extends Scoped {
  id: string;
  kind: string;
  key: string;
  recipient: string;
  language: string;
  params: JsonDefault<Record<string, unknown>>;
  eventId: string | null;
  orderId: string | null;
  paymentId: string | null;
  subscriptionId: string | null;
  status: Defaulted<'queued' | 'sent' | 'kept' | 'failed' | 'dropped'>;
  sender: string | null;
  replyTo: string | null;
  subject: string | null;
  /** What HTML and plain text are made of, packed; null = not written yet, or let go. */
  letter: string | null;
  /** Of mails that were written before letters were kept, as `plain`. */
  html: string | null;
  plain: string | null;
  attempts: Defaulted<number>;
  lastError: string | null;
  createdAt: number;
  sentAt: number | null;
  /** When its texts were let go. */
  expiredAt: number | null;
  /** One too many of those that anybody can cause: kept and not sent. */
  heldBack: Defaulted<boolean>;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
}

/** Where the history of a store begins. */
export interface RetentionMarksTable extends Scoped {
  kept: Kept;
  /** Of what happened up to then something may be gone. */
  untilMs: number;
  /** Real time: all that was written up to then has been looked at. */
  lookedRealMs: number;
}
