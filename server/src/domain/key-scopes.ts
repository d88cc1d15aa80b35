/** What a key pair may do: all that needs no naming, or what its scopes name, an area each to be read or written. */
import { invalidField, Refusal } from './errors.ts';
import { AREAS, type Area, type Asked, mayDo, type Permissions, type Role } from './roles.ts';

/** Scopes that no area of the dashboard is called by: to drive the store by a tool, and to take all of it away. */
const BEYOND_AREAS = ['mcp', 'store-export'] as const;

/** In the words of the operations' areas. */
export const KEY_AREAS: readonly string[] = [...AREAS, ...BEYOND_AREAS].sort();

/** A pair without scopes lacks these: they are given by name alone. */
const BY_NAME: ReadonlySet<string> = new Set([
  'api-keys',
  'request-log',
  'members',
  'workspace',
  'audit-log',
  'mcp',
]);
const BY_NAME_LIVE: ReadonlySet<string> = new Set(['processors', 'store-export']);

/** Roles tell these apart; the scope of the wider word covers them. */
const COVERED_BY: Partial<Record<Area, Area>> = {
  refunds: 'orders',
  corrections: 'orders',
  charges: 'subscriptions',
};

const WORDS = ['read', 'write'];

/**
 * Each once, as given. A scope that fits no operation would make a pair that does less than its maker thinks, and says
 * nothing of it: it is refused.
 */
export function toScopes(scopes: readonly string[] | null): string[] | null {
  for (const scope of scopes ?? []) {
    const [area = '', word = '', ...rest] = scope.split(':');
    if (!KEY_AREAS.includes(area)) {
      throw invalidField('scopes', `names the area "${area}", which is none of ${KEY_AREAS.join(', ')}`);
    }
    if (!WORDS.includes(word) || rest.length > 0) {
      throw invalidField('scopes', `holds "${scope}": an area is followed by :read or :write`);
    }
  }
  return scopes && [...new Set(scopes)];
}

/** Whether a pair may do what an operation asks; null scopes = all that needs no naming. */
export function scopesAllow(scopes: readonly string[] | null, { area, access, testMode }: Asked): boolean {
  if (scopes === null) return !BY_NAME.has(area) && (testMode || !BY_NAME_LIVE.has(area));
  if (scopes.includes(`${area}:${access}`)) return true;
  const wider = COVERED_BY[area as Area];
  return wider !== undefined && scopes.includes(`${wider}:${access}`);
}

/** Names the scope, so that nobody has to look for the area that an operation belongs to. */
export function refuseScope({ area, access }: Pick<Asked, 'area' | 'access'>): Refusal {
  const message = `The API key does not allow this operation: its scopes lack ${area}:${access}.`;
  return new Refusal('insufficient_scope', { message });
}

/** Who makes, rolls or widens a pair: a member, or another pair. */
export type Maker =
  | { role: Role; permissions: Permissions | null }
  | { role: null; scopes: readonly string[] | null };

/** The first of the scopes that is beyond its maker's own permissions in that mode; null = none is. */
export function findScopeBeyond(
  maker: Maker,
  { scopes, testMode }: { scopes: readonly string[] | null; testMode: boolean },
): string | null {
  // All there is, but what is given by name.
  if (scopes === null) return mayGiveAll(maker) ? null : 'all';
  const beyond = scopes.find((scope) => !holds(maker, scope, testMode));
  return beyond ?? null;
}

/** All that a member may do in that mode and that need not be named; null = there is no bound to it. */
export function toScopesOf(
  maker: Extract<Maker, { permissions: unknown }>,
  testMode: boolean,
): string[] | null {
  if (mayGiveAll(maker)) return null;
  return AREAS.filter((area) => scopesAllow(null, { area, access: 'read', testMode }))
    .flatMap((area) => WORDS.map((word) => `${area}:${word}`))
    .filter((scope) => holds(maker, scope, testMode));
}

function mayGiveAll(maker: Maker): boolean {
  return maker.role === null ? maker.scopes === null : maker.role === 'owner' || maker.role === 'admin';
}

function holds(maker: Maker, scope: string, testMode: boolean): boolean {
  const [area = '', word = ''] = scope.split(':');
  const access = word === 'write' ? 'write' : 'read';
  // Corrections and charges are never read.
  const covered = AREAS.filter((one) => COVERED_BY[one] === area && (word === 'write' || one === 'refunds'));
  if (maker.role === null) return scopesAllow(maker.scopes, { area, access, testMode });
  if (area === 'store-export') return maker.role === 'owner';
  // A tool does what the pair's other scopes say.
  if (area === 'mcp') return true;
  const { role, permissions } = maker;
  return [area, ...covered].every((one) => mayDo(role, permissions, { area: one, access, testMode }));
}
