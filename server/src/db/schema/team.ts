import type { Permissions, Role } from '../../domain/roles.ts';
import type { Defaulted, Json } from './columns.ts';

export interface TeamTables {
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  workspaceTransfers: WorkspaceTransfersTable;
}

export interface MembershipsTable {
  workspaceId: string;
  id: string;
  accountId: string;
  role: Role;
  permissions: Json<Permissions | null> | null;
  notifications: Defaulted<string[]>;
  version: Defaulted<number>;
  createdAt: number;
}

export interface InvitationsTable {
  workspaceId: string;
  id: string;
  email: string;
  emailNormal: string;
  role: Exclude<Role, 'owner'>;
  permissions: Json<Permissions> | null;
  notifications: Defaulted<string[]>;
  invitedBy: string;
  mailedTokenHash: string;
  shownTokenHash: string;
  expiresAt: number;
  acceptedAt: number | null;
  revokedAt: number | null;
  createdAt: number;
}

export interface WorkspaceTransfersTable {
  workspaceId: string;
  memberId: string;
  /** The account of the Owner who offered it. */
  offeredBy: string;
  expiresAt: number;
  createdAt: number;
}
