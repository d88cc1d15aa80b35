/** What an archive says of itself: where an export or a backup is read again, this is held to. */

export const ARCHIVE_FORMAT = 'counterfoil-export';
export const ARCHIVE_VERSION = 1;
/** The last part: names and hashes of all others. */
export const MANIFEST = 'manifest.json';
export const HEADER = 'header.json';

export interface ArchivedMember {
  id: string;
  /** Of the account there; missing in files of before. */
  accountId: string;
  email: string;
  name: string;
  role: string;
  permissions: unknown;
  notifications: string[];
  createdAt: number;
}

export interface ArchivedWorkspace {
  id: string;
  name: string;
  state: string;
  portalSlug: string;
  createdAt: number;
  members: ArchivedMember[];
}

/** What stands in header and manifest alike. */
export interface ArchiveAbout {
  format: string;
  version: number;
  kind: 'store' | 'user' | 'backup';
  /** The newest migration that made the tables what they are. */
  migration: string;
  withSecrets: boolean;
  createdAt: number;
}

export interface ArchiveHeader extends ArchiveAbout {
  /** Of an export of a store; null = both. */
  mode: 'test' | 'live' | null;
  /** Of an export of a store. */
  workspace?: ArchivedWorkspace;
  /** Of a backup: all that there are. */
  workspaces?: ArchivedWorkspace[];
  /** Of a backup. */
  installation?: { epoch: number; isCopy: boolean };
}

export interface ArchivePart {
  name: string;
  rows: number | null;
  bytes: number;
  sha256: string;
}
