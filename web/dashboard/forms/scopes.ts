/** What of a key pair's scopes a member may give: never more than they may do themselves in that store. */
import type { Access } from '../app/store.tsx';
import type { Field } from './types.ts';

export interface Giver {
  role: string;
  may(area: string, access?: Access): boolean;
}

/** Roles tell these apart; the scope of the wider word covers them. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  orders: ['refunds', 'corrections'],
  subscriptions: ['charges'],
};
/** Corrections and charges are never read. */
const READ_TOO: ReadonlySet<string> = new Set(['refunds']);

export function mayGive(scope: string, { role, may }: Giver): boolean {
  const [area = '', word = ''] = scope.split(':');
  if (area === 'store-export') return role === 'owner';
  // A tool does what the pair's other scopes say.
  if (area === 'mcp') return true;
  const access: Access = word === 'write' ? 'write' : 'read';
  const covered = (COVERS[area] ?? []).filter((one) => access === 'write' || READ_TOO.has(one));
  return [area, ...covered].every((one) => may(one, access));
}

export const mayGiveAll = ({ role }: Giver): boolean => role === 'owner' || role === 'admin';

/** Whether they may change or roll a pair that has these; null = all that needs no naming. */
export function mayTouch(scopes: unknown, giver: Giver): boolean {
  if (!Array.isArray(scopes)) return mayGiveAll(giver);
  return scopes.every((scope) => mayGive(String(scope), giver));
}

/** The fields of a key pair with the scopes alone that this member may give. */
export function narrowScopes(fields: readonly Field[], giver: Giver): Field[] {
  return fields.map((field) => {
    if (field.name !== 'scopes') return field;
    const options = (field.options ?? []).filter((scope) => mayGive(scope, giver));
    return { ...field, options, ...(mayGiveAll(giver) ? {} : { hint: 'keys.scopesNeeded' as const }) };
  });
}
