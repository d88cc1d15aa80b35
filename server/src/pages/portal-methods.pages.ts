/** What the portal's page of payment methods asks while one is added, and the stops on the way to a bank and back. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context, Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { toMethodsPath } from '../domain/portal/portal-path.ts';
import { findSetupAction } from '../flows/dunning/take-method.ts';
import { confirmAdding, showAdding } from '../flows/portal/add-method.ts';
import { openContext } from '../http/context.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { createPortalCookies } from '../http/portal-cookies.ts';
import { type FoundBuyer, findBuyer } from '../http/portal-session.ts';

type Asked = FastifyRequest<{ Params: { slug: string } }>;
interface Opened {
  ctx: Context;
  buyer: FoundBuyer;
}

const BASES = [
  { base: '/portal/:slug/payment-methods', mode: '' },
  { base: '/portal/:slug/test/payment-methods', mode: '/test' },
];
const hidden = { schema: { hide: true } };

/** For the session of this browser alone. Throws session_required. */
async function open(service: Service, request: Asked, mode: string, isWrite: boolean): Promise<Opened> {
  const cookies = createPortalCookies(service.config.publicUrl);
  const { cookie } = request.headers;
  const buyer = await findBuyer(service, cookies, { cookie, 'x-svc-store': request.params.slug + mode });
  return { ctx: await openContext(service, buyer.scope, { needsClock: true, isWrite }), buyer };
}

export function registerPortalMethodRoutes(app: FastifyInstance, service: Service): void {
  const show = async ({ ctx, buyer: { scope, user, settings, store } }: Opened) => ({
    status: 'success',
    data: { adding: await showAdding(ctx, scope, { userId: user.id, settings, store }) },
  });
  for (const { base, mode } of BASES) {
    app.get(`${base}/adding`, hidden, async (request: Asked, reply) =>
      reply.header('cache-control', 'no-store').send(await show(await open(service, request, mode, false))),
    );
    app.post(`${base}/confirm`, hidden, async (request: Asked) => {
      refuseCrossSite(request, service.config.publicUrl);
      const opened = await open(service, request, mode, true);
      const { ctx, buyer } = opened;
      await confirmAdding(ctx, buyer.scope, buyer.user.id);
      service.nudgeWorker(buyer.scope);
      return show(opened);
    });
    // Told to whoever is in, and kept nowhere: by it the method can be given.
    app.post(`${base}/action`, hidden, async (request: Asked, reply) => {
      refuseCrossSite(request, service.config.publicUrl);
      const { ctx, buyer } = await open(service, request, mode, true);
      const action = await findSetupAction(ctx, buyer.scope, { buyerId: buyer.user.id });
      return reply.header('cache-control', 'no-store').send({ status: 'success', data: { action } });
    });
  }
}

export function registerPortalMethodStops(app: FastifyInstance, service: Service): void {
  /** Whoever is not in any more signs in there. */
  const attempt = (request: Asked, mode: string): Promise<Opened | null> =>
    open(service, request, mode, true).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'session_required') return null;
      throw error;
    });
  for (const { base, mode } of BASES) {
    const toPage = ({ params: { slug } }: Asked) => toMethodsPath({ slug, testMode: mode !== '' });
    // What the processor appended to the address says nothing that is not asked of itself.
    app.get(`${base}/return`, hidden, async (request: Asked, reply) => {
      const opened = await attempt(request, mode);
      if (opened) await confirmAdding(opened.ctx, opened.buyer.scope, opened.buyer.user.id);
      service.nudgeWorker(opened?.buyer.scope);
      return reply.header('cache-control', 'no-store').redirect(toPage(request), 303);
    });
    // Its address may hold a secret, and is asked for each time.
    app.get(`${base}/authenticate`, hidden, async (request: Asked, reply) => {
      const opened = await attempt(request, mode);
      const { scope, user } = opened?.buyer ?? {};
      const action =
        opened && scope && user ? await findSetupAction(opened.ctx, scope, { buyerId: user.id }) : null;
      const to = action?.kind === 'redirect' ? action.url : toPage(request);
      return reply.header('cache-control', 'no-store').redirect(to, 303);
    });
  }
}
