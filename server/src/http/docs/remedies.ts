/** Why each refusal comes, and what ends it: the pages of codes. A code without a line of its own has that of its status. */
import type { ErrorCode } from '../../domain/errors.ts';

/** Cause and remedy. */
export const REMEDIES: Readonly<Partial<Record<ErrorCode, readonly [string, string]>>> = {};

export function toPlainRemedy(status: number): string {
  if (status === 401) return 'Send what lets you in, as the message says, and try again.';
  if (status === 403) return 'Ask with keys, or as a member, that may do this.';
  if (status === 404) return 'Look at the id or number, and at the store and mode that the keys belong to.';
  if (status === 409) return 'Read the object as it is now, and decide by its state what to do.';
  if (status === 429) return 'Wait as long as `retry-after` says, in seconds, and send it again.';
  if (status >= 500) return 'Send it again with the same `Idempotency-Key`, after a pause that grows.';
  return 'Mend the request at the place that `details` names, and send it again.';
}
