/** A merchant's link into a portal where the browser runs no scripts: the button that does what our script does by itself. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { toAddressKey } from '../domain/client-address.ts';
import { Refusal } from '../domain/errors.ts';
import { toPortalPath } from '../domain/portal/portal-path.ts';
import { openMerchantLink } from '../flows/portal/merchant-sessions.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { createPortalCookies } from '../http/portal-cookies.ts';
import type { PagesOptions } from './send-page.ts';

type Asked = FastifyRequest<{ Params: { slug: string; link: string } }>;

export function registerPortalOpening(app: FastifyInstance, { service }: PagesOptions): void {
  for (const testMode of [false, true]) {
    const url = `/portal/:slug${testMode ? '/test' : ''}/open/:link`;
    app.post(url, { schema: { hide: true } }, async (request: Asked, reply) => {
      refuseCrossSite(request, service.config.publicUrl);
      const cookie = await open(service, request);
      if (cookie !== null) reply.header('set-cookie', cookie);
      return reply
        .header('cache-control', 'no-store')
        .redirect(toPortalPath({ slug: request.params.slug, testMode }), 303);
    });
  }
}

/** The session's cookie; null where the link is used, late or revoked: the portal then asks who it is. */
async function open(service: Service, { params, headers, ip, id }: Asked): Promise<string | null> {
  const visitor = {
    addressKey: toAddressKey(ip),
    userAgent: headers['user-agent'] ?? '',
    requestId: id,
    sessionId: null,
  };
  try {
    const { scope, token } = await openMerchantLink(service, { link: params.link, visitor });
    return createPortalCookies(service.config.publicUrl).writeSession(scope, token);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'code_invalid') return null;
    throw error;
  }
}
