/** The way out for mails. A refusal is an outcome, not an error: it is what the next step is decided by. */

export interface OutgoingMail {
  /** The same on every try of one mail, by which a mailbox tells a mail that comes twice. */
  messageId: string;
  from: { name: string; address: string };
  to: string;
  replyTo: string | null;
  subject: string;
  html: string;
  plain: string;
  /** When it was queued, on the workspace's clock (ms). */
  dateMs: number;
  /** Where one POST ends mails of the kind to this address. Missing or null = nobody can do without them. */
  stopUrl?: string | null;
}

export type MailOutcome =
  | { kind: 'sent' }
  /** The server will not take this mail, however often it is tried. */
  | { kind: 'refused'; detail: string }
  /** No connection, no answer or not now: to be tried again. `code` says which, by a word that stays: ESOCKET, EAUTH. */
  | { kind: 'failed'; detail: string; code?: string };

export interface MailProvider {
  /** Never throws, and answers within `timeoutMs`. */
  send(mail: OutgoingMail, options: { timeoutMs: number }): Promise<MailOutcome>;
  close(): Promise<void>;
}
