/**
 * Goes on with a checkout that was left, or has ended: a new session of the same cart begins with what was typed in the
 * other. Of what a buyer has begun it is never the other one itself: whoever began that with
 * somebody else's address would look on.
 */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { canStartAgain } from '../domain/checkout/session-path.ts';
import type { Session } from '../flows/checkout/open-checkout.ts';
import { openContext } from '../http/context.ts';
import type { RawQuery } from '../http/query.ts';
import { findSession } from '../resources/links/links.queries.ts';
import { findOrder } from '../resources/orders/orders.queries.ts';

const PARAMETER = 'svc-resume';
const TOKEN = /^[\w.-]{22,100}$/;

interface Cart {
  elementId: string | null;
  offerIds: readonly string[];
}

export interface Resumed extends Session {
  /** What the merchant prepared is gone on with itself, in time. */
  isStill: boolean;
}

/** The session that a link names: of this very cart, and not paid. */
export async function findResumed(
  service: Service,
  { query }: Pick<FastifyRequest, 'query'>,
  { scope, cart }: { scope: Scope; cart: Cart },
): Promise<Resumed | null> {
  const token = (query as RawQuery)[PARAMETER]?.at(-1) ?? '';
  const session = TOKEN.test(token) ? await findSession(service.db, token) : undefined;
  if (!session || session.workspaceId !== scope.workspaceId || session.testMode !== scope.testMode)
    return null;
  if (session.elementId !== cart.elementId || session.offerIds[0] !== cart.offerIds[0]) return null;
  const { orderId } = session;
  const order = orderId === null ? undefined : await findOrder(service.db, scope, orderId);
  if (order && order.paidAt !== null) return null;
  if (!session.byMerchant) return { ...session, isStill: false };
  const { nowMs } = await openContext(service, scope, { needsClock: true, isWrite: false });
  if (session.expiresAt > nowMs) return { ...session, isStill: true };
  return canStartAgain(session) ? { ...session, isStill: false } : null;
}

/** For the address that a link leads to; '' for none. */
export const toResumeQuery = (session: Session | null): string =>
  session === null ? '' : `?${PARAMETER}=${session.token}`;
