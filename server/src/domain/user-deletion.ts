/** The request that a user be erased. Times are ms on the workspace's clock. */

/** So long a user may take the request back. */
const TAKE_BACK_MS = 14 * 24 * 3_600_000;

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

/** When the user is erased if the request stands and is agreed to; null where nobody has asked for it. */
export function toDeletionDueMs({ deletionRequestedAt }: UserDeletion): number | null {
  return deletionRequestedAt === null ? null : deletionRequestedAt + TAKE_BACK_MS;
}
