/** Who is in at the portal, and the way out. */
import { IDLE_MS } from '../domain/portal/session-life.ts';
import { buyerRead, buyerWrite } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { PortalDevicesData, toDevice } from '../resources/portal/devices.schema.ts';
import {
  BuyerSessionData,
  NothingData,
  SignOutPortal,
  toBuyerSession,
} from '../resources/portal/portal.schema.ts';
import {
  listSessionsOf,
  revokePortalSession,
  revokeSessionsOf,
} from '../resources/portal/portal-sessions.queries.ts';
import { findNumber } from './find-number.ts';

const get = buyerRead({
  method: 'GET',
  path: '/v0/portal/session',
  operationId: 'getPortalSession',
  tag: 'portal',
  summary: 'Get the session of this buyer',
  data: BuyerSessionData,
  handler: async ({ ctx, scope, buyer }) => {
    const subscriptionNumber = await findNumber(ctx, scope, buyer.session.subscriptionId);
    return { session: toBuyerSession({ ...buyer, subscriptionNumber, nowMs: ctx.realNowMs() }) };
  },
});

const devices = buyerRead({
  method: 'GET',
  path: '/v0/portal/devices/list',
  operationId: 'listPortalDevices',
  tag: 'portal',
  summary: 'List where this buyer is signed in',
  data: PortalDevicesData,
  handler: async ({ ctx, db, scope, buyer }) => {
    const { id: userId } = buyer.user;
    const rows = await listSessionsOf(db, scope, { userId, nowMs: ctx.realNowMs(), idleMs: IDLE_MS });
    return { devices: rows.map((row) => toDevice(row, buyer.session.id)) };
  },
});

const signOut = buyerWrite({
  method: 'POST',
  path: '/v0/portal/sign-out',
  operationId: 'signOutOfPortal',
  tag: 'portal',
  summary: 'Sign out',
  description: 'With `everywhere` all sessions of this buyer end.',
  body: SignOutPortal,
  data: NothingData,
  example: { everywhere: true },
  handler: async ({ ctx, tx, scope, body, buyer, client }) => {
    const nowMs = ctx.realNowMs();
    const { id, userId } = buyer.session;
    if (body.everywhere) await revokeSessionsOf(tx, scope, { userId, exceptId: null, nowMs });
    else await revokePortalSession(tx, scope, { id, nowMs });
    client.keepSession(scope, null);
    return {};
  },
});

export const portalSessionRoutes: Route[] = [get, devices, signOut];
