/** Who is signed in at the portal of a store, for what is open to everybody. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { refuseCrossSite } from './cross-site.ts';
import { createPortalCookies } from './portal-cookies.ts';
import { type FoundBuyer, findBuyer, loadPortal } from './portal-session.ts';

/** Null = nobody, as for a page of another site that asks with the browser's cookie. */
export async function findSignedIn(
  service: Service,
  request: FastifyRequest,
  scope: Scope,
): Promise<FoundBuyer | null> {
  const { publicUrl } = service.config;
  const { headers } = request;
  try {
    if (request.method !== 'GET' && headers.authorization === undefined) refuseCrossSite(request, publicUrl);
    const { store } = await loadPortal(service.db, scope);
    const named = store.slug + (scope.testMode ? '/test' : '');
    return await findBuyer(service, createPortalCookies(publicUrl), { ...headers, 'x-svc-store': named });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
