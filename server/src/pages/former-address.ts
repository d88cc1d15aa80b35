/** Addresses of portals that were changed: they lead on to the new ones for a while. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { findFormerPortal } from '../resources/portal/portal-stores.queries.ts';

type Asked = Pick<FastifyRequest, 'url'> & { params: { slug: string } };

/** Throws not_found where nobody had the address lately. */
export async function findNewAddress({ db, realNowMs }: Service, { params, url }: Asked): Promise<string> {
  const { slug } = params;
  const former = await findFormerPortal(db, { slug, nowMs: realNowMs() });
  if (!former) throw new Refusal('not_found');
  return url.replace(`/portal/${slug}`, `/portal/${former.slug}`);
}
