/** What the pages behind the links of a payment and of a card share: how they leave, and the way to a processor's page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { toSettings } from '../domain/settings.ts';
import type { showSeller } from '../flows/checkout/show-seller.ts';
import { findPageSources } from '../flows/payments/choose-connection.ts';
import type { ActionOutcome } from '../providers/payment/payment-provider.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { type PagesOptions, sendPage } from './send-page.ts';

interface Shown {
  ctx: Context;
  scope: Scope;
  state: { seller: ReturnType<typeof showSeller> };
  /** Of whoever it is mailed to. */
  knownLanguage: string | null;
}

/** The page in the shop's look, with what its processors' fields need. */
export async function sendPayPage(
  options: PagesOptions,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { ctx, scope, state, knownLanguage }: Shown,
) {
  const { name, branding, language } = state.seller;
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  return sendPage(options, request, reply, {
    entry: 'pay',
    sources: await findPageSources(ctx, scope, { settings }),
    title: name,
    look: branding,
    ...{ knownLanguage, shopLanguage: language },
    state,
  });
}

interface Stops {
  base: '/card' | '/pay';
  /** Settles what is decided. */
  confirm(token: string): Promise<void>;
  findAction(token: string): Promise<ActionOutcome>;
}

/** On to a processor's page, and back from it. */
export function registerStops(
  app: FastifyInstance,
  { service }: PagesOptions,
  { base, confirm, findAction }: Stops,
): void {
  const hidden = { schema: { hide: true } };
  type Asked = FastifyRequest<{ Params: { token: string } }>;
  // What the processor appended to the address says nothing that is not asked of itself.
  app.get(`${base}/:token/return`, hidden, async ({ params: { token } }: Asked, reply) => {
    await confirm(token);
    service.nudgeWorker();
    return reply.header('cache-control', 'no-store').redirect(`${base}/${token}`, 303);
  });
  // Its address may hold a secret, and is asked for each time.
  app.get(`${base}/:token/authenticate`, hidden, async ({ params: { token } }: Asked, reply) => {
    const action = await findAction(token);
    const to = action.kind === 'redirect' ? action.url : `${base}/${token}`;
    return reply.header('cache-control', 'no-store').redirect(to, 303);
  });
}
