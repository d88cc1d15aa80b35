/** Who has proved to be somebody at a checkout that stands by itself: their cards may be offered there. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import type { Session } from '../flows/checkout/open-checkout.ts';
import { findOpener } from '../flows/checkout/open-prepared.ts';
import { toScope } from '../flows/checkout/show-checkout.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { findSignedIn } from '../http/signed-in-buyer.ts';
import { askedByFrame } from './framing.ts';
import { readLinkCookie } from './link-cookie.ts';

/**
 * The user's id: of the browser that opened a merchant's checkout for them first, or of who is signed in at the portal.
 * Null = nobody; also in a frame, and where another site's page asks.
 */
export async function findKnownBuyer(
  service: Service,
  request: FastifyRequest,
  session: Session,
): Promise<string | null> {
  const { cookie, 'sec-fetch-dest': shownAs } = request.headers;
  if (cookie === undefined || shownAs === 'iframe' || askedByFrame(request)) return null;
  const opener = findOpener(session, readLinkCookie(request, 'opener'));
  if (opener !== null) return isOurs(request, service.config.publicUrl) ? opener : null;
  const buyer = await findSignedIn(service, request, toScope(session));
  return buyer?.user.id ?? null;
}

/** What is written is written for our own pages alone. */
function isOurs(request: FastifyRequest, publicUrl: string): boolean {
  if (request.method === 'GET') return true;
  try {
    refuseCrossSite(request, publicUrl);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
