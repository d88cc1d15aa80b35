/**
 * What a member of a workspace may do: each role reads or writes each area of the API, or neither. An area is what one
 * part of the dashboard and of a key pair's scopes is called; every operation belongs to one, or to none at all.
 */

export const ROLES = ['owner', 'admin', 'manager', 'support', 'developer', 'custom'] as const;
export type Role = (typeof ROLES)[number];

export const LEVELS = ['none', 'read', 'write'] as const;
export type Level = (typeof LEVELS)[number];

/** Owner, Admin, Manager, Support, Developer in live mode, Developer in test mode: write, read or neither. */
const TABLE = {
  products: 'wwwrrw',
  offers: 'wwwrrw',
  'offer-keys': 'wwwrrw',
  discounts: 'wwwrrw',
  elements: 'wwwrrw',
  'custom-fields': 'wwwrrw',
  files: 'wwwrrw',
  orders: 'wwwwrw',
  payments: 'wwwwrw',
  refunds: 'wwwwrw',
  subscriptions: 'wwwwrw',
  users: 'wwwwrw',
  'checkout-sessions': 'wwww-w',
  'portal-sessions': 'wwww-w',
  withdrawals: 'wwwwrw',
  corrections: 'www--w',
  charges: 'www--w',
  processors: 'wwr-rw',
  imports: 'ww---w',
  invoices: 'rrrrrr',
  tax: 'rrrrrr',
  ledger: 'rrr--r',
  reports: 'rrr--r',
  exports: 'www--w',
  mails: 'wwww-w',
  webhooks: 'wwr-ww',
  events: 'wwrrww',
  settings: 'wwrrrw',
  'test-clock': 'wwwr-w',
  'api-keys': 'ww--ww',
  'request-log': 'rr--rr',
  // Of the Owner's row, of a transfer and of closing the operations themselves look at the role.
  members: 'wwrrrr',
  workspace: 'wwrrrr',
  'audit-log': 'rr----',
} as const;

export type Area = keyof typeof TABLE;
/** Of a Custom member: what is missing is none. */
export type Permissions = Partial<Record<Area, Level>>;

// The keys of a literal are its type's.
export const AREAS = Object.keys(TABLE) as Area[];

/** Who may change members may become anything, so that no Custom member is ever given these. */
const NEVER_CUSTOM: ReadonlySet<Area> = new Set(['members', 'workspace', 'audit-log']);

/** What a Custom member may be given. */
export const CUSTOM_AREAS: readonly Area[] = AREAS.filter((area) => !NEVER_CUSTOM.has(area));

const COLUMNS: Record<Exclude<Role, 'custom'>, { live: number; test: number }> = {
  owner: { live: 0, test: 0 },
  admin: { live: 1, test: 1 },
  manager: { live: 2, test: 2 },
  support: { live: 3, test: 3 },
  developer: { live: 4, test: 5 },
};
const LETTERS: Readonly<Record<string, Level>> = { w: 'write', r: 'read', '-': 'none' };

/** Tags that are called otherwise than their area. */
const AREAS_OF_TAGS: Readonly<Record<string, Area>> = {
  variants: 'products',
  plans: 'products',
  'test-purchases': 'orders',
  listeners: 'webhooks',
  'cancellation-notices': 'withdrawals',
  disputes: 'refunds',
  invitations: 'members',
};

/** Operations of no area: everybody's, cut to what the asker may read, or not of a workspace at all. */
const TAGS_WITHOUT_AREA: ReadonlySet<string> = new Set([
  'account',
  'changes',
  'device-requests',
  'installation',
  'notes',
  'oauth',
  'password-reset',
  'portal',
  'search',
  'session',
  'sessions',
  'timeline',
  'views',
  'whoami',
  'workspaces',
]);

/** Single operations that belong elsewhere than their tag; null = everybody's. A path's parameter is any segment. */
const EXCEPTIONS: ReadonlyArray<[RegExp, Area | null]> = [
  [/^POST \/v0\/orders\/[^/]+\/refunds$/, 'refunds'],
  [/^PATCH \/v0\/orders\/[^/]+\/update$/, 'corrections'],
  [/^POST \/v0\/payments\/[^/]+\/receive$/, 'corrections'],
  [/^POST \/v0\/charges\/[^/]+\/(accept|return)$/, 'corrections'],
  [/^POST \/v0\/refunds\/[^/]+\/settle$/, 'corrections'],
  [/^POST \/v0\/subscriptions\/(create|[^/]+\/charge)$/, 'charges'],
  [/^POST \/v0\/orders\/[^/]+\/(reset-downloads|reveal-keys)$/, 'orders'],
  [/^GET \/v0\/tax\/(summary|thresholds)$/, 'reports'],
  [/^POST \/v0\/members\/leave$/, null],
  [/^POST \/v0\/invitations\/(open|accept)$/, null],
  [/^POST \/v0\/workspace\/transfer\/accept$/, null],
];

export interface Operation {
  method: string;
  /** As the description or the router writes it. */
  path: string;
  tag: string;
}

/** The area of an operation; null = it asks for none, undefined = nobody has said. */
export function areaOf({ method, path, tag }: Operation): Area | null | undefined {
  const exception = EXCEPTIONS.find(([pattern]) => pattern.test(`${method.toUpperCase()} ${path}`));
  if (exception) return exception[1];
  if (TAGS_WITHOUT_AREA.has(tag)) return null;
  return AREAS_OF_TAGS[tag] ?? AREAS.find((area) => area === tag);
}

/** What a member may do in an area of one mode. */
export interface Asked {
  area: string;
  access: 'read' | 'write';
  testMode: boolean;
}

/** `permissions` are a Custom member's, and null of everybody else. Of an unknown area nobody has anything. */
export function mayDo(
  role: Role,
  permissions: Permissions | null,
  { area, access, testMode }: Asked,
): boolean {
  const known = AREAS.find((one) => one === area);
  if (known === undefined) return false;
  const level = toLevel(role, permissions, { area: known, testMode });
  return level === 'write' || level === access;
}

/** All that a member may do in a mode. */
export function toPermissionSet(
  role: Role,
  permissions: Permissions | null,
  testMode: boolean,
): Record<Area, Level> {
  const levels = AREAS.map((area) => [area, toLevel(role, permissions, { area, testMode })]);
  // Each area has its level.
  return Object.fromEntries(levels) as Record<Area, Level>;
}

/** The first area that no Custom member may have so; null = all of it may be given. */
export function findBeyondCustom(permissions: Readonly<Record<string, unknown>>): string | null {
  const beyond = Object.entries(permissions).find(([name, level]) => {
    const area = CUSTOM_AREAS.find((one) => one === name);
    if (area === undefined || !LEVELS.some((known) => known === level)) return true;
    return level === 'write' && readTable(area, 0) !== 'write';
  });
  return beyond?.[0] ?? null;
}

function toLevel(
  role: Role,
  permissions: Permissions | null,
  { area, testMode }: { area: Area; testMode: boolean },
): Level {
  if (role !== 'custom') return readTable(area, COLUMNS[role][testMode ? 'test' : 'live']);
  if (NEVER_CUSTOM.has(area)) return 'none';
  const given = permissions?.[area] ?? 'none';
  // What nobody may write, no grant makes writable.
  return LEVELS[Math.min(LEVELS.indexOf(given), LEVELS.indexOf(readTable(area, 0)))] ?? 'none';
}

function readTable(area: Area, column: number): Level {
  return LETTERS[TABLE[area][column] ?? ''] ?? 'none';
}
