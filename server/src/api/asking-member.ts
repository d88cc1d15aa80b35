/** The member that asks: what people decide of people a key pair cannot. */
import { Refusal } from '../domain/errors.ts';
import type { Actor } from '../http/authenticate.ts';
import type { SessionActor } from '../http/sessions.ts';

/** Throws session_required for a key pair. */
export function askingMember({ member }: Pick<Actor, 'member'>): SessionActor {
  if (!member) throw new Refusal('session_required');
  return member;
}
