/** Ways into the portal that a merchant opens for a buyer. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { createMerchantSession, revokeMerchantSession } from '../flows/portal/merchant-sessions.ts';
import { type Route, write } from '../http/route.ts';
import {
  CreatePortalSession,
  PortalSessionData,
  PortalSessionParams,
  toMerchantSession,
} from '../resources/portal/portal.schema.ts';
import { findSubscription } from '../resources/subscriptions/subscriptions.queries.ts';
import { findBuyer } from './find-buyer.ts';
import { getSubscriptionId } from './find-subscription.ts';

const create = write({
  method: 'POST',
  path: '/v0/portal-sessions/create',
  operationId: 'createPortalSession',
  answersSecret: true,
  tag: 'portal-sessions',
  summary: 'Open the portal for a buyer who is signed in to your own site',
  description:
    'Of `userId`, `internalId` and `email` exactly one. `url` opens once within 10 minutes, for a session of 60; ' +
    '`token` is a bearer for pages of your own. Neither lets the buyer change e-mail or password, take an export or be erased.',
  body: CreatePortalSession,
  data: PortalSessionData,
  errors: ['internal_id_ambiguous', 'archived', 'not_found'],
  example: { email: 'ada@example.com', flow: 'overview' },
  handler: async ({ ctx, tx, scope, body }) => {
    const user = await findBuyer(tx, scope, body);
    const { flow = 'overview', subscriptionId: named, afterFlow = 'portal' } = body;
    const { offerId = null, returnUrl = null, language = null } = body;
    const subscriptionId = named === undefined ? null : await getSubscriptionId(tx, scope, named);
    const asked = { flow, subscriptionId, offerId, returnUrl, afterFlow, language };
    const { session, url, token } = await createMerchantSession(ctx, scope, { tx, user, ...asked });
    const subscriptionNumber = await findNumber(tx, scope, subscriptionId);
    return { portalSession: toMerchantSession(session, { subscriptionNumber, url, token }) };
  },
});

async function findNumber(db: Db, scope: Scope, id: string | null): Promise<string | null> {
  return id === null ? null : ((await findSubscription(db, scope, id))?.number ?? null);
}

const revoke = write({
  method: 'PATCH',
  path: '/v0/portal-sessions/:portalSessionId/revoke',
  operationId: 'revokePortalSession',
  tag: 'portal-sessions',
  summary: 'End a session that you opened for a buyer',
  description: 'Its link, its bearer, and the browser that opened it. The same call again changes nothing.',
  params: PortalSessionParams,
  data: PortalSessionData,
  example: {},
  handler: async ({ ctx, tx, scope, params }) => {
    const row = await revokeMerchantSession(ctx, scope, { tx, id: params.portalSessionId });
    const subscriptionNumber = await findNumber(tx, scope, row.subscriptionId);
    return { portalSession: toMerchantSession(row, { subscriptionNumber, url: null, token: null }) };
  },
});

export const merchantSessionRoutes: Route[] = [create, revoke];
