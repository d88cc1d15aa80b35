/** What whoever asks may see beyond the operation itself: answers that are put together from several areas. */
import { Refusal } from '../domain/errors.ts';
import { refuseScope, scopesAllow } from '../domain/key-scopes.ts';
import { type Area, mayDo } from '../domain/roles.ts';
import type { Actor } from './authenticate.ts';

export function mayAccess({ member, pair, scope }: Actor, area: Area, access: 'read' | 'write'): boolean {
  const asked = { area, access, testMode: scope.testMode };
  if (member) return mayDo(member.role, member.permissions, asked);
  return pair !== null && scopesAllow(pair.scopes, asked);
}

/** Throws insufficient_permission for a member, insufficient_scope for a key pair. */
export function requireAccess(actor: Actor, area: Area, access: 'read' | 'write'): void {
  if (mayAccess(actor, area, access)) return;
  throw actor.member ? new Refusal('insufficient_permission') : refuseScope({ area, access });
}
