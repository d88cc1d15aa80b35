import type { Defaulted, Scoped } from './columns.ts';

export interface PortalTables {
  portalSessions: PortalSessionsTable;
  portalCodes: PortalCodesTable;
  portalFailures: PortalFailuresTable;
  portalGuards: PortalGuardsTable;
  portalFormerSlugs: PortalFormerSlugsTable;
  portalEmailChanges: PortalEmailChangesTable;
  portalExports: PortalExportsTable;
}

/** Times here are real. */
export interface PortalSessionsTable extends Scoped {
  id: string;
  userId: string;
  /** Null until a merchant's link was opened. */
  tokenHash: string | null;
  /** Of a merchant's session. */
  bearerHash: Defaulted<string | null>;
  linkHash: Defaulted<string | null>;
  method: 'code' | 'password' | 'merchant';
  provedAt: number;
  userAgent: string;
  flow: Defaulted<string | null>;
  subscriptionId: Defaulted<string | null>;
  offerId: Defaulted<string | null>;
  returnUrl: Defaulted<string | null>;
  afterFlow: Defaulted<string | null>;
  language: Defaulted<string | null>;
  openUntil: Defaulted<number | null>;
  openedAt: Defaulted<number | null>;
  createdAt: number;
  usedAt: number;
  endsAt: number;
  revokedAt: Defaulted<number | null>;
}

export interface PortalCodesTable extends Scoped {
  id: string;
  /** What was typed; null once its mail is on its way. */
  asked: string | null;
  askedAs: 'email' | 'purchase';
  mailboxHash: string;
  browserHash: string;
  userId: Defaulted<string | null>;
  language: string;
  path: string | null;
  tries: Defaulted<number>;
  createdAt: number;
  endsAt: number;
}

export interface PortalFailuresTable extends Scoped {
  /** Minutes since 1970. */
  minute: number;
  failures: number;
}

export interface PortalGuardsTable extends Scoped {
  since: number;
}

export interface PortalFormerSlugsTable {
  workspaceId: string;
  slug: string;
  endsAt: number;
}

export interface PortalEmailChangesTable extends Scoped {
  id: string;
  userId: string;
  oldEmail: string;
  newEmail: string;
  language: string;
  tries: Defaulted<number>;
  createdAt: number;
  codeEndsAt: number;
  changedAt: Defaulted<number | null>;
  stoppedAt: Defaulted<number | null>;
  endsAt: number;
}

export interface PortalExportsTable extends Scoped {
  userId: string;
  id: string;
  /** Compressed by gzip; null until it is written. */
  content: Defaulted<Buffer | null>;
  failed: Defaulted<boolean>;
  createdAt: number;
  endsAt: number;
}
