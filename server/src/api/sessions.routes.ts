/** Where an account is signed in. */

import { isLiving } from '../domain/accounts/session-life.ts';
import { notFound } from '../domain/errors.ts';
import { revokeOtherSessions, revokeSession } from '../flows/accounts/sign-out.ts';
import { ofAccount, type Route } from '../http/route.ts';
import { listSessions } from '../resources/accounts/account-sessions.queries.ts';
import {
  IdInPath,
  RevokedData,
  SessionList,
  toListedSession,
} from '../resources/accounts/accounts.schema.ts';
import { contextOf } from './account-answers.ts';

const list = ofAccount({
  method: 'GET',
  path: '/v0/sessions/list',
  operationId: 'listSessions',
  tag: 'sessions',
  summary: 'List where you are signed in',
  data: SessionList,
  handler: async ({ service, session, nowMs }) => {
    const rows = await listSessions(service.db, session.accountId);
    const living = rows.filter((row) => isLiving(row, nowMs));
    return { sessions: living.map((row) => toListedSession(row, session.sessionId)) };
  },
});

const revoke = ofAccount({
  method: 'DELETE',
  path: '/v0/sessions/:id/revoke',
  operationId: 'revokeSession',
  tag: 'sessions',
  summary: 'End a session',
  description: 'It is over in every process within 5 seconds.',
  params: IdInPath,
  data: RevokedData,
  handler: async (request) => {
    const { params, session, client, forget } = request;
    const ending = { accountId: session.accountId, sessionId: params.id, visitor: client };
    if (!(await revokeSession(contextOf(request), ending))) throw notFound('session', params.id);
    forget(session.accountId);
    return { revoked: 1 };
  },
});

const revokeOthers = ofAccount({
  method: 'DELETE',
  path: '/v0/sessions/revokeOthers',
  operationId: 'revokeOtherSessions',
  tag: 'sessions',
  summary: 'End all sessions but this one',
  data: RevokedData,
  handler: async (request) => {
    const { session, client, forget } = request;
    const { accountId, sessionId } = session;
    const revoked = await revokeOtherSessions(contextOf(request), { accountId, sessionId, visitor: client });
    forget(accountId);
    return { revoked };
  },
});

export const sessionsRoutes: Route[] = [list, revokeOthers, revoke];
