/** The request that a user be erased. Times are ms on the workspace's clock. */

/** So long a user may take the request back. */
const TAKE_BACK_MS = 14 * 24 * 3_600_000;
/** A merchant who says nothing for so long has agreed. */
const SILENCE_MS = 30 * 24 * 3_600_000;

export interface UserDeletion {
  deletionRequestedAt: number | null;
  deletionAcceptedAt: number | null;
  erasedAt: number | null;
}

export const DELETION_STATUSES = ['requested', 'accepted', 'erased'] as const;

/** Null where nobody has asked for it. */
export function toDeletionStatus(deletion: UserDeletion): (typeof DELETION_STATUSES)[number] | null {
  if (deletion.erasedAt !== null) return 'erased';
  if (deletion.deletionAcceptedAt !== null) return 'accepted';
  return deletion.deletionRequestedAt === null ? null : 'requested';
}

/** When the user is erased if the request stands, agreed to or not; null where nobody has asked for it. */
export function toDeletionDueMs({ deletionRequestedAt, deletionAcceptedAt }: UserDeletion): number | null {
  if (deletionRequestedAt === null) return null;
  if (deletionAcceptedAt === null) return deletionRequestedAt + SILENCE_MS;
  return Math.max(deletionRequestedAt + TAKE_BACK_MS, deletionAcceptedAt);
}
