/**
 * What a processor tells by itself. It is a hint to look and never a fact: of what it says only the names of the things
 * it is about are read, and what has become of them is asked for.
 */

export interface RawNotification {
  /** As it came, byte for byte: that is what was signed. */
  body: Uint8Array;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of all places that the connection is told at: the current one, and the one before it while that is heard. */
  secrets: readonly string[];
  realNowMs: number;
}

/** What it may be about, in our words. */
export type NotedKind = 'charge' | 'refund' | 'dispute' | 'method';

export interface NotedObject {
  kind: NotedKind;
  /** As the processor names it. */
  processorId: string;
  /**
   * What took the money that it is about; null where it is that itself, or the processor does not say. Of a method: its
   * mandate, where that has changed.
   */
  ofCharge: string | null;
  /** Our own id that was given along when it was made; null for what others made. */
  ownId: string | null;
}

export interface Notification {
  /** The processor's name of what it told, the same however often it tells it. */
  id: string;
  type: string;
  /** Real ms. */
  happenedAtMs: number;
  object: NotedObject;
}

export type NotificationReading =
  /** Nobody who knows a secret has signed it, or not now. */
  | { kind: 'unsigned' }
  /** Rightly signed, and nothing that we look after. */
  | { kind: 'ignored' }
  | { kind: 'noted'; notification: Notification }
  /** Whoever has to be asked about the signature has not answered: it is to be told again. */
  | { kind: 'no_answer' };

export interface NotificationsAsk {
  /** Real ms: what happened before is left out. */
  sinceMs: number;
  /** The word of the page before; null = the first. */
  after: string | null;
}

/** What a processor has told since, or would have, page by page. */
export type NotificationsPage =
  | {
      kind: 'page';
      notifications: readonly Notification[];
      /** Of the next page; null = this was the last. */
      next: string | null;
    }
  | { kind: 'no_answer' };
