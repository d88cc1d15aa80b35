/** Where buyers withdraw and cancel without signing in, and where mails about that lead. GET changes nothing. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { toPortalPath } from '../domain/consumer/legal-paths.ts';
import { Refusal } from '../domain/errors.ts';
import { drawConfirmation } from '../flows/consumer/draw-confirmation.ts';
import { canKeep, findKept, keepContract } from '../flows/consumer/keep-contract.ts';
import { canObject, findObjectedTo, objectToWithdrawal } from '../flows/consumer/object-to-withdrawal.ts';
import { openStopLink, STOP_PATH } from '../flows/mails/reminder-links.ts';
import { findUndoable, undoEmailChange } from '../flows/portal/undo-email-change.ts';
import type { FoundBuyer } from '../http/portal-session.ts';
import { findSignedIn } from '../http/signed-in-buyer.ts';
import { hasStoppedReminders, stopReminders } from '../resources/checkouts/reminders.queries.ts';
import { findFormerPortal, findPortalWorkspace } from '../resources/portal/portal-stores.queries.ts';
import { findNewAddress } from './former-address.ts';
import { openPortalStore, type PortalStore } from './open-portal-store.ts';
import { type PagesOptions, sendPage } from './send-page.ts';
import { listWithdrawable, toContact } from './withdrawable.ts';

type Asked = FastifyRequest<{
  Params: { slug: string; link: string; name: string };
  /** Values of a query are lists here. */
  Querystring: { order?: string[] };
}>;

const TOKEN_FILE = /^([A-Za-z0-9]{22}\.[A-Za-z0-9_-]{22,64})\.pdf$/;
/** What opens a page may fill one field. */
const PREFILL_LENGTH_MAX = 40;

export function registerStatementPages(app: FastifyInstance, options: PagesOptions): void {
  for (const testMode of [false, true]) {
    const base = `/portal/:slug${testMode ? '/test' : ''}`;
    registerForms(app, options, { base, testMode });
    registerLinks(app, options, { base, testMode });
    registerEmailLinks(app, options, { base, testMode });
    registerStopLinks(app, options, { base, testMode });
    app.get(`${base}/statements/:name`, movesOn(options), async (request: Asked, reply) => {
      const { scope } = await open(options, request, testMode);
      const token = TOKEN_FILE.exec(request.params.name)?.[1];
      if (token === undefined) throw new Refusal('not_found');
      const { fileName, bytes } = await drawConfirmation(options.service, scope, token);
      return reply
        .header('content-type', 'application/pdf')
        .header('content-disposition', `inline; filename="${fileName}"`)
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .header('content-security-policy', "frame-ancestors 'none'")
        .send(Buffer.from(bytes));
    });
  }
}

const HIDDEN = { schema: { hide: true } };

interface Mode {
  base: string;
  testMode: boolean;
}

/** What a page or a mailbox sends is heard at the address that it knows, also once the portal has another. */
async function open(
  { service }: PagesOptions,
  { params: { slug } }: Asked,
  testMode: boolean,
  isWrite = false,
): Promise<PortalStore> {
  const isHere = (await findPortalWorkspace(service.db, slug)) !== undefined;
  const former = isHere
    ? undefined
    : await findFormerPortal(service.db, { slug, nowMs: service.realNowMs() });
  return openPortalStore(service, { store: former?.slug ?? slug, testMode }, { isWrite });
}

/** Links in mails and footers outlive the address of a portal. */
function movesOn({ service }: PagesOptions) {
  const preHandler = async (request: FastifyRequest, reply: FastifyReply) => {
    // Routes with a slug alone have it.
    const { slug } = (request as Asked).params;
    if ((await findPortalWorkspace(service.db, slug)) !== undefined) return;
    return reply.redirect(await findNewAddress(service, request as Asked), 302);
  };
  return { ...HIDDEN, preHandler };
}

function registerForms(app: FastifyInstance, options: PagesOptions, { base, testMode }: Mode): void {
  const page = movesOn(options);
  app.get(`${base}/withdraw`, page, async (request: Asked, reply) => {
    const store = await open(options, request, testMode);
    if (store.legal.withdraw === null) throw new Refusal('not_found');
    const buyer = await findSignedIn(options.service, request, store.scope);
    const own = buyer && (await listWithdrawable(store.ctx.db, store.scope, buyer));
    const view = { kind: 'withdraw' as const, number: toPrefill(request), own };
    return send(options, { request, reply, store, view, buyer });
  });
  app.get(`${base}/cancel-contract`, page, async (request: Asked, reply) => {
    const store = await open(options, request, testMode);
    if (store.legal.cancel === null) throw new Refusal('not_found');
    const buyer = await findSignedIn(options.service, request, store.scope);
    const own = buyer && { ...toContact(buyer), orders: [] };
    return send(options, {
      request,
      reply,
      store,
      view: { kind: 'cancel', number: toPrefill(request), own },
      buyer,
    });
  });
}

function toPrefill({ query: { order } }: Asked): string {
  return (order?.at(-1) ?? '').slice(0, PREFILL_LENGTH_MAX);
}

/** Behind links in mails: a page with one button, which scanners of mails do not press. */
function registerLinks(app: FastifyInstance, options: PagesOptions, { base, testMode }: Mode): void {
  const page = movesOn(options);
  app.get(`${base}/withdraw/object/:link`, page, async (request: Asked, reply) => {
    const store = await open(options, request, testMode);
    const row = await findObjectedTo(store.ctx, store.scope, request.params.link);
    const view = { kind: 'object' as const, number: row.number, state: toObjectionState(row) };
    return send(options, { request, reply, store, view });
  });
  app.post(`${base}/withdraw/object/:link`, HIDDEN, async (request: Asked, reply) => {
    const { ctx, scope } = await open(options, request, testMode, true);
    await objectToWithdrawal(ctx, scope, request.params.link);
    return reply.header('cache-control', 'no-store').send({ status: 'success', data: { state: 'done' } });
  });
  app.get(`${base}/cancel-contract/keep/:link`, page, async (request: Asked, reply) => {
    const store = await open(options, request, testMode);
    const row = await findKept(store.ctx, store.scope, request.params.link);
    const state = (await canKeep(store.ctx, store.scope, row)) ? ('open' as const) : ('over' as const);
    return send(options, { request, reply, store, view: { kind: 'keep', number: row.number, state } });
  });
  app.post(`${base}/cancel-contract/keep/:link`, HIDDEN, async (request: Asked, reply) => {
    const { ctx, scope } = await open(options, request, testMode, true);
    await keepContract(ctx, scope, request.params.link);
    options.service.nudgeWorker(scope);
    return reply.header('cache-control', 'no-store').send({ status: 'success', data: { state: 'done' } });
  });
}

/** "This was not me", of a change of the address that a buyer is reached at. */
function registerEmailLinks(app: FastifyInstance, options: PagesOptions, { base, testMode }: Mode): void {
  app.get(`${base}/account/not-me/:link`, movesOn(options), async (request: Asked, reply) => {
    const store = await open(options, request, testMode);
    const row = await findUndoable(store.ctx, store.scope, request.params.link);
    const state = row.stoppedAt === null ? ('open' as const) : ('done' as const);
    return send(options, { request, reply, store, view: { kind: 'email', number: row.newEmail, state } });
  });
  app.post(`${base}/account/not-me/:link`, HIDDEN, async (request: Asked, reply) => {
    const { ctx, scope } = await open(options, request, testMode, true);
    await undoEmailChange(ctx, scope, { link: request.params.link, requestId: request.id });
    return reply.header('cache-control', 'no-store').send({ status: 'success', data: { state: 'done' } });
  });
}

/** "No more of these mails". A mailbox that offers that itself sends the same POST. */
function registerStopLinks(app: FastifyInstance, options: PagesOptions, { base, testMode }: Mode): void {
  const path = `${base}${STOP_PATH}:link`;
  app.get(path, movesOn(options), async (request: Asked, reply) => {
    const store = await open(options, request, testMode);
    const addressHash = await readStopLink(store, request);
    const isStopped = await hasStoppedReminders(store.ctx.db, store.scope, addressHash);
    const state = isStopped ? ('done' as const) : ('open' as const);
    return send(options, { request, reply, store, view: { kind: 'stop', number: '', state } });
  });
  app.post(path, HIDDEN, async (request: Asked, reply) => {
    const store = await open(options, request, testMode, true);
    const { ctx, scope } = store;
    const addressHash = await readStopLink(store, request);
    await stopReminders(ctx.db, scope, { addressHash, nowMs: ctx.nowMs });
    return reply.header('cache-control', 'no-store').send({ status: 'success', data: { state: 'done' } });
  });
}

async function readStopLink({ ctx, scope }: PortalStore, { params: { link } }: Asked): Promise<string> {
  const addressHash = await openStopLink(ctx, scope, link);
  if (addressHash === null) throw new Refusal('not_found');
  return addressHash;
}

function toObjectionState(row: Parameters<typeof canObject>[0]): 'open' | 'done' | 'over' {
  if (row.status === 'stopped') return 'done';
  return canObject(row) ? 'open' : 'over';
}

type View =
  | { kind: 'withdraw' | 'cancel'; number: string; own: Awaited<ReturnType<typeof listWithdrawable>> | null }
  | { kind: 'object' | 'keep' | 'email' | 'stop'; number: string; state: 'open' | 'done' | 'over' };

interface Sending {
  request: FastifyRequest;
  reply: FastifyReply;
  store: PortalStore;
  view: View;
  /** Who is signed in. */
  buyer?: FoundBuyer | null;
}

function send(options: PagesOptions, { request, reply, store, view, buyer }: Sending) {
  const { seller, legal, scope } = store;
  return sendPage(options, request, reply.header('cache-control', 'no-store'), {
    entry: 'statements',
    title: seller.name,
    look: seller.branding,
    knownLanguage: buyer?.session.language ?? buyer?.user.language ?? null,
    shopLanguage: seller.language,
    state: {
      ...view,
      ...{ seller, legal, store: store.store, testMode: scope.testMode },
      portalPath: toPortalPath({ portalSlug: store.store, testMode: scope.testMode }),
    },
  });
}
