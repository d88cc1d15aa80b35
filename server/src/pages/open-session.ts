/** The door of a checkout's link: whoever holds it may see and pay this session, and nothing else. */
import type { Context, Service } from '../context.ts';
import type { Row } from '../db/schema.ts';
import { Refusal } from '../domain/errors.ts';
import { toScope } from '../flows/checkout/show-checkout.ts';
import { openContext } from '../http/context.ts';
import { findSession } from '../resources/checkouts/checkouts.queries.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface OpenedSession {
  ctx: Context;
  session: Row<'checkoutSessions'>;
}

/** The session of a link with its workspace's clock. Throws not_found. */
export async function openSession(
  service: Service,
  sessionId: string,
  isWrite: boolean,
): Promise<OpenedSession> {
  const session = UUID.test(sessionId) ? await findSession(service.db, sessionId) : undefined;
  if (!session) throw new Refusal('not_found');
  return { session, ctx: await openContext(service, toScope(session), { needsClock: true, isWrite }) };
}
