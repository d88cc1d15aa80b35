/** Addresses of portals that were changed: they lead on to the new ones for a while. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { findFormerPortal, findPortalWorkspace } from '../resources/portal/portal-stores.queries.ts';

type Asked = Pick<FastifyRequest, 'url'> & { params: { slug: string } };

/** Throws not_found where nobody had the address lately. Capitals, as in an address that was typed, lead on, too. */
export async function findNewAddress({ db, realNowMs }: Service, { params, url }: Asked): Promise<string> {
  const slug = params.slug.toLowerCase();
  if (slug !== params.slug && (await findPortalWorkspace(db, slug))) return toMoved(url, slug);
  const former = await findFormerPortal(db, { slug, nowMs: realNowMs() });
  if (!former) throw new Refusal('not_found');
  return toMoved(url, former.slug);
}

/** The address asked for, at another portal. What was asked may write its letters as %4D. */
function toMoved(url: string, slug: string): string {
  return url.replace(/^\/portal\/[^/?]*/, `/portal/${slug}`);
}

/** What leads to the test mode of a portal, where `/test` was written with capitals; else null. */
export function findPlainTest(url: string): string | null {
  const plain = url.replace(/^(\/portal\/[^/?]*)\/test(?=[/?]|$)/i, '$1/test');
  return plain === url ? null : plain;
}
