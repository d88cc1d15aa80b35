/** Pages that only a member may see: their address names the store, and the browser's session says who asks. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import type { Area } from '../domain/roles.ts';
import { type Authenticator, checkAccess } from '../http/authenticate.ts';

export interface MemberPages {
  service: Service;
  authenticator: Authenticator;
}

/** Throws session_required without a session, and as an operation of the area does for whoever may not read it. */
export async function identifyMember(
  { authenticator }: MemberPages,
  request: FastifyRequest,
  { scope, area }: { scope: Scope; area: Area },
): Promise<void> {
  const sent = request.arrival?.keys.session;
  if (!sent) throw new Refusal('session_required');
  const session = { ...sent, workspaceId: scope.workspaceId, mode: scope.testMode ? 'test' : 'live' };
  const keys = { publicKey: null, secretKey: null, session, digest: sent.tokenHash };
  const access = { area, mode: 'read' as const, needsSecret: true, ofWorkspace: false, inAnyState: false };
  const identity = await authenticator.identify(keys, { ofWorkspace: false, address: request.ip });
  checkAccess(identity, { ...access, membersOnly: true }, request.ip);
}
