/** Operations that ask whoever is signed in to prove it once more. */
import { findFreshUntil } from '../domain/accounts/session-life.ts';
import { Refusal } from '../domain/errors.ts';
import type { StandingSession } from '../resources/accounts/account-sessions.queries.ts';
import type { ProofRequest, Route } from './route.ts';

/** What of a request decides whether a fresh proof is asked for. */
interface Asking {
  needs: Route['needsFreshProof'];
  request: ProofRequest;
  nowMs: number;
}

/** Throws reauthentication_required unless the account has proved itself within the last minutes. */
export function requireFreshProof(session: StandingSession, { needs, request, nowMs }: Asking): void {
  if (!needs || (typeof needs === 'function' && !needs(request))) return;
  const hasNothing = !session.hasPassword && !session.hasSecondFactor;
  const provedAt = needs === 'unless first' && hasNothing ? session.createdAt : session.provedAt;
  if (findFreshUntil({ provedAt }, nowMs) === null) throw new Refusal('reauthentication_required');
}
