/** A page of another site may make a browser ask us with its cookie: what is written is written for our own pages alone. */
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/errors.ts';

/**
 * Throws cross_site_request unless the browser says that a page of ours asks. One that does not say it names the page's
 * origin, whose host must be the one that is asked, or the one that this service is reached by.
 */
export function refuseCrossSite({ headers, host }: FastifyRequest, publicUrl: string): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site === 'same-origin') return;
    throw new Refusal('cross_site_request');
  }
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) throw new Refusal('cross_site_request');
  const asking = new URL(origin).host;
  if (asking !== host && asking !== new URL(publicUrl).host) throw new Refusal('cross_site_request');
}
