/** Whose a key is, and how long it holds. */

/** A key is its asker's: two who use the same text know nothing of each other. */
export interface AskedKey {
  asker: string;
  key: string;
}

/** How long a request may be at work under its key: longer than any lives, so that a replay meets a living one. */
export const KEY_LEASE_MS = 60_000;
export const KEY_RETENTION_MS = 24 * 3_600_000;
