/** Noted on due work that waits until a connection is well again, or no longer paused. */
export const AWAITS_PROCESSOR = 'waits for its processor';
