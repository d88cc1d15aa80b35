/** The buyer's checkout: the links that lead to it, and its page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Row } from '../db/schema.ts';
import type { Scope } from '../db/scope.ts';
import { type BuyerForm, EMPTY_FORM, withDetails } from '../domain/checkout/buyer.ts';
import { toSessionPath } from '../domain/checkout/session-path.ts';
import { Refusal } from '../domain/errors.ts';
import { toLanguage } from '../domain/languages.ts';
import { type Opening, TOKEN_BYTES, toOpeningToken } from '../domain/link-token.ts';
import { WHOLE_ID } from '../domain/numbers.ts';
import { toSettings } from '../domain/settings.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { showCheckout, toForm, toScope } from '../flows/checkout/show-checkout.ts';
import { countWrongGuess, isGuessSpent } from '../flows/limits/guess-codes.ts';
import { findPageSources } from '../flows/payments/choose-connection.ts';
import type { RawQuery } from '../http/query.ts';
import { listDefinitions } from '../resources/custom-fields/custom-fields.queries.ts';
import { getUser } from '../resources/users/users.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import {
  askedByFrame,
  FRAME_HEADERS,
  joinQueries,
  OPEN_FRAME_HEADERS,
  readFraming,
  readShowingPage,
  toFrameQuery,
} from './framing.ts';
import { findKnownBuyer } from './known-buyer.ts';
import { openSession } from './open-session.ts';
import { refuseClosedShop } from './open-shop.ts';
import { type LinkTerms, type Prefill, toLinkTerms, toPrefill, toPrefillQuery } from './prefill.ts';
import { findResumed, toResumeQuery } from './resume-session.ts';
import { type PagesOptions, sendPage, wantedLanguage } from './send-page.ts';

export function registerCheckoutPages(app: FastifyInstance, options: PagesOptions): void {
  const hidden = { schema: { hide: true } };
  const links = [
    ['/checkout', 'offer'],
    ['/checkout-element', 'element'],
  ] as const;
  for (const [base, kind] of links) {
    app.get<{ Params: { id: string } }>(`${base}/:id`, hidden, (request, reply) =>
      redirectToSession(options, {
        request,
        reply,
        opening: { kind, id: request.params.id.toLowerCase() },
        base,
      }),
    );
    app.get<{ Params: { token: string } }>(`${base}/:id/checkout/:token`, hidden, (request, reply) =>
      sendCheckout(options, { request, reply, token: request.params.token }),
    );
    // Back from a processor's page: what it appended to the address says nothing that is not asked of itself.
    app.get<{ Params: { id: string; token: string } }>(
      `${base}/:id/checkout/:token/return`,
      hidden,
      async (request, reply) => {
        const path = await takeBack(options, request, request.params.token);
        return reply.header('cache-control', 'no-store').redirect(path, 303);
      },
    );
  }
}

interface OpenedLink {
  request: FastifyRequest;
  reply: FastifyReply;
  opening: Opening;
  base: string;
}

/** Each visit leads to a session of its own, of which nothing is written: what the link brought along goes with it. */
async function redirectToSession({ service }: PagesOptions, { request, reply, opening, base }: OpenedLink) {
  const scope = WHOLE_ID.test(opening.id) ? await service.owners.find(opening.kind, opening.id) : undefined;
  if (!scope) throw new Refusal('not_found');
  await refuseClosedShop(service.db, scope);
  const token = toOpeningToken(scope.workspaceId, service.ids.randomBytes(TOKEN_BYTES), opening);
  const resumed = await findResumed(service, request, { scope, cart: toCart(opening) });
  if (resumed?.isStill) return reply.redirect(toSessionPath(resumed), 303);
  const terms = readTerms({ service }, request);
  const prefill = toPrefillQuery(await readPrefill({ service }, request, scope), terms);
  const query = joinQueries(prefill, toResumeQuery(resumed), toFrameQuery(request));
  if (askedByFrame(request)) reply.headers(FRAME_HEADERS);
  return reply.redirect(`${base}/${opening.id}/checkout/${token}${query}`, 303);
}

interface ShownSession {
  request: FastifyRequest;
  reply: FastifyReply;
  token: string;
}

async function sendCheckout(options: PagesOptions, { request, reply, token }: ShownSession) {
  const { service } = options;
  const visitor = { ipAddress: request.ip, language: wantedLanguage(request) };
  const { ctx, session, isDraft } = await openSession(service, { token, visitor, isWrite: false });
  const scope = toScope(session);
  const prefill = isDraft ? await readPrefill(options, request, scope) : {};
  const guess =
    'discountCode' in prefill && prefill.discountCode !== null
      ? { db: ctx.db, session: token, ipAddress: request.ip }
      : null;
  // The page opens all the same, without a price for the code.
  const isSpent = guess !== null && (await isGuessSpent(ctx, scope, guess));
  const knownId = await findKnownBuyer(service, request, session);
  const resumed = isDraft ? await findResumed(service, request, { scope, cart: session }) : null;
  const user = isDraft && knownId !== null ? await getUser(service.db, scope, knownId) : null;
  const own = user === null ? {} : toOwnForm(user);
  // What was left empty there stays empty.
  const typed = resumed && Object.keys(resumed.form as object).length > 0 ? toForm(resumed) : own;
  const form = { ...session.form, ...overlay(typed, prefill), ...(isSpent ? { discountCode: null } : {}) };
  const { ancestors, frame } = await readFraming(ctx.db, scope, { request, session });
  const mode = { frame: frame === null || frame.mode === 'bank' ? null : frame.mode };
  const { settings: stored } = await getStore(ctx.db, scope);
  const settings = toSettings(stored);
  const { defaultLanguage: shopLanguage } = settings.checkout;
  // A session that is written keeps the language that it was made or read in.
  const knownLanguage = isDraft ? (user?.language ?? null) : session.language;
  // What is agreed to stands there in the language of all the rest.
  const language = wantedLanguage(request, knownLanguage) ?? toLanguage(shopLanguage);
  const seen = { ...session, language, form, frame: session.frame ?? mode.frame };
  const view = await showCheckout(ctx, seen, { knownId, page: readShowingPage(request) });
  const payUrl = 'action' in view ? toPayPage(view.action, service.config.publicUrl) : null;
  // A page that stands in no frame.
  if (payUrl !== null && frame === null) return reply.redirect(payUrl, 303);
  const isUnknown = 'quote' in view && view.quote.codeError?.code === 'discount_code_unknown';
  if (guess && isUnknown) await countWrongGuess(ctx, scope, guess);
  const sources = await findPageSources(ctx, scope, { settings });
  if (frame) reply.headers(sources ? OPEN_FRAME_HEADERS : FRAME_HEADERS);
  const isUnseen = session.viewedAt === null;
  const terms = isDraft ? readTerms(options, request, resumed) : {};
  const link = isUnseen ? { ...terms, ...mode } : null;
  return sendPage(options, request, reply, {
    entry: 'checkout',
    title: view.seller.name,
    look: view.seller.branding,
    ...{ knownLanguage, shopLanguage },
    state: { ...view, link, isUnseen, frame },
    frameAncestors: ancestors,
    sources,
  });
}

/** What is paid on a page of ours instead: an order that its merchant has put right. */
function toPayPage(action: { url: string } | null, publicUrl: string): string | null {
  return action?.url.startsWith(`${publicUrl}/pay/`) ? action.url : null;
}

/** A buyer who is signed in need not type what their account says. */
function toOwnForm({ email, billingDetails }: Row<'users'>): BuyerForm {
  return { ...withDetails(EMPTY_FORM, billingDetails), email };
}

/** What a link says wins over what an account says. */
function overlay(own: Partial<BuyerForm>, prefill: Partial<Prefill>): Partial<BuyerForm> {
  if (Object.keys(own).length === 0) return prefill;
  const said = Object.entries(prefill).filter(([, value]) => value !== null);
  // Each answer for itself: a link that gives none takes none away.
  const customFields = { ...own.customFields, ...prefill.customFields };
  return { ...own, ...Object.fromEntries(said), customFields };
}

const toCart = ({ kind, id }: Opening) =>
  kind === 'element' ? { elementId: id, offerIds: [] } : { elementId: null, offerIds: [id] };

/** What the link says of the purchase, else what the link of the session said that is gone on with. */
function readTerms(
  { service }: Pick<PagesOptions, 'service'>,
  { query }: FastifyRequest,
  resumed: LinkTerms | null = null,
): LinkTerms {
  const { reference, redirectUrl } = toLinkTerms(query as RawQuery, { aliases: service.config.nameAliases });
  return {
    reference: reference ?? resumed?.reference ?? null,
    redirectUrl: redirectUrl ?? resumed?.redirectUrl ?? null,
  };
}

/** Settles what is decided; answers where the page is. */
async function takeBack({ service }: PagesOptions, request: FastifyRequest, token: string): Promise<string> {
  const visitor = { ipAddress: request.ip, language: wantedLanguage(request) };
  const { ctx, session } = await openSession(service, { token, visitor, isWrite: true });
  if (session.orderId) await confirmCheckout(ctx, toScope(session), session.orderId);
  service.nudgeWorker(toScope(session));
  return toSessionPath(session);
}

async function readPrefill(
  { service }: Pick<PagesOptions, 'service'>,
  { query }: FastifyRequest,
  scope: Scope,
): Promise<Prefill> {
  const definitions = await listDefinitions(service.db, scope);
  const keys = definitions.map(({ key }) => key);
  return toPrefill(query as RawQuery, { keys, aliases: service.config.nameAliases });
}
