/** What the checkout page asks of its session. No key: the token in its link is the buyer's capability. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Context, Service } from '../context.ts';
import { toJson } from '../db/scope.ts';
import { inTransaction } from '../db/transaction.ts';
import { type BuyerForm, listSaid } from '../domain/checkout/buyer.ts';
import { keepLocked } from '../domain/checkout/locked-fields.ts';
import { toSessionPath } from '../domain/checkout/session-path.ts';
import { isEmail } from '../domain/email.ts';
import { Refusal } from '../domain/errors.ts';
import { isWithinSources } from '../domain/frame-sources.ts';
import { isReturnUrl } from '../domain/return-url.ts';
import { toSettings } from '../domain/settings.ts';
import { findWanted } from '../domain/wanted-language.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { type LinkDetails, type Session, writeSession } from '../flows/checkout/open-checkout.ts';
import { openPrepared } from '../flows/checkout/open-prepared.ts';
import { planReminder } from '../flows/checkout/remind-buyer.ts';
import { refuseOther, takeSaved } from '../flows/checkout/saved-methods.ts';
import {
  loadSessionCart,
  type Onlooker,
  pickKnownFields,
  quoteSession,
  type ShowingPage,
  showCheckout,
  showMailed,
  toForm,
  toScope,
} from '../flows/checkout/show-checkout.ts';
import { toQuoteView } from '../flows/checkout/show-quote.ts';
import { isReceiptLapsed } from '../flows/checkout/show-receipt.ts';
import { isTrialSpent } from '../flows/checkout/spent-trial.ts';
import { submitCheckout } from '../flows/checkout/submit-checkout.ts';
import { getBoughtFileId } from '../flows/fulfilment/check-access.ts';
import { createDownloadUrl } from '../flows/fulfilment/sign-download.ts';
import { countWrongGuess, refuseSpentGuess } from '../flows/limits/guess-codes.ts';
import { listOffered, refuseAmount, takesSandbox } from '../flows/payments/choose-connection.ts';
import { findAction } from '../flows/payments/find-action.ts';
import { type Cart, quoteCart } from '../flows/pricing/quote-cart.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import type { ActionOutcome } from '../providers/payment/payment-provider.ts';
import { updateSession } from '../resources/checkouts/checkouts.queries.ts';
import { QuoteBody, SubmitBody, toBuyerForm } from '../resources/checkouts/checkouts.schema.ts';
import { noteDelivery } from '../resources/consumer/consents.queries.ts';
import { findSession } from '../resources/links/links.queries.ts';
import { findOrder } from '../resources/orders/orders.queries.ts';
import { findInitialPayment } from '../resources/payments/payments.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { readShowingPage } from './framing.ts';
import { findKnownBuyer } from './known-buyer.ts';
import { setLinkCookie } from './link-cookie.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { refuseClosedShop } from './open-shop.ts';
import { readMethod } from './read-method.ts';

/** Anybody may send a form. */
const FORM_BYTES_MAX = 64 * 1024;

type Asked = FastifyRequest<{ Params: { token: string } }>;

export function registerCheckoutRoutes(app: FastifyInstance, service: Service): void {
  const open = ({ params: { token }, headers, ip }: Asked, isWrite: boolean): Promise<OpenedSession> => {
    // The page asks in the language that it is shown in.
    const language = findWanted({ acceptLanguage: headers['accept-language'] }) ?? null;
    const visitor = { ipAddress: ip, language };
    return openSession(service, { token, visitor, isWrite });
  };
  const base = '/checkout-sessions/:token';
  const hidden = { schema: { hide: true } };
  const known = (request: Asked, session: Session) => findKnownBuyer(service, request, session);
  const onlooker = async (request: Asked, session: Session) => ({
    knownId: await known(request, session),
    page: readShowingPage(request),
  });
  app.get(base, hidden, async (request: Asked) => {
    const { ctx, session } = await open(request, false);
    return success({ checkout: await showCheckout(ctx, session, await onlooker(request, session)) });
  });
  // The page asks as soon as it is there: whoever is first may pay by the cards of the user it was made for.
  app.post(`${base}/open`, hidden, async (request: Asked, reply) => {
    refuseCrossSite(request, service.config.publicUrl);
    const opened = await open(request, true);
    const { ctx, session } = opened;
    const value = await openPrepared(ctx, session);
    const lifetimeMs = session.expiresAt - session.createdAt;
    const paths = [toSessionPath(session), `/checkout-sessions/${session.token}`];
    const { publicUrl } = service.config;
    if (value !== null) setLinkCookie(reply, { name: 'opener', value, paths, lifetimeMs, publicUrl });
    const knownId = value === null ? await known(request, session) : session.userId;
    return success({ checkout: await showAgain(opened, { knownId, page: readShowingPage(request) }) });
  });
  const quoting = { schema: { hide: true, body: QuoteBody }, bodyLimit: FORM_BYTES_MAX };
  app.post(`${base}/quote`, quoting, async (request: Asked) => {
    const opened = await open(request, true);
    const body = request.body as Static<typeof QuoteBody>;
    const asking = { ipAddress: request.ip, page: readShowingPage(request) };
    return success({ quote: await requote(opened, body, asking) });
  });
  const submitting = { schema: { hide: true, body: SubmitBody }, bodyLimit: FORM_BYTES_MAX };
  app.post(`${base}/submit`, submitting, async (request: Asked) => {
    const opened = await open(request, true);
    const by = await onlooker(request, opened.session);
    const asking = { ...by, ipAddress: request.ip };
    const { email } = await submitOnce(opened, request.body as Static<typeof SubmitBody>, asking);
    service.nudgeWorker(toScope(opened.session));
    return success({ checkout: await showAgain(opened, by, email) });
  });
  app.post(`${base}/confirm`, hidden, async (request: Asked) => {
    const opened = await open(request, true);
    const { ctx, session } = opened;
    await refuseClosedShop(ctx.db, toScope(session), { evenSettling: false });
    if (session.orderId) await confirmCheckout(ctx, toScope(session), session.orderId);
    service.nudgeWorker(toScope(session));
    return success({ checkout: await showAgain(opened, await onlooker(request, session)) });
  });
  // Told to whoever holds the page, and kept nowhere: by it the charge can be paid.
  app.post(`${base}/action`, hidden, async (request: Asked, reply) => {
    const { ctx, session } = await open(request, true);
    return reply
      .header('cache-control', 'no-store')
      .send(success({ action: await readAction(ctx, session) }));
  });
  // The receipt is on the screen: its keys are delivered.
  app.post(`${base}/shown`, hidden, async (request: Asked) => {
    const { ctx, session } = await open(request, true);
    const { orderId } = session;
    if (orderId === null || !(await isPaid(ctx, session))) throw new Refusal('not_found');
    await inTransaction(ctx.db, (tx) =>
      noteDelivery(tx, toScope(session), { orderId, itemIds: null, atMs: ctx.nowMs }),
    );
    return success({ shown: true });
  });
  app.get(`${base}/downloads/:itemId`, hidden, async (request: Asked, reply) => {
    const { itemId } = request.params as unknown as { itemId: string };
    const { ctx, session } = await open(request, false);
    return reply.header('cache-control', 'no-store').redirect(await findDownload(ctx, session, itemId), 303);
  });
}

async function readAction(ctx: Context, session: Session): Promise<ActionOutcome> {
  if (session.orderId === null) throw new Refusal('not_found');
  const scope = toScope(session);
  const { id } = await findInitialPayment(ctx.db, scope, session.orderId);
  return findAction(ctx, scope, id);
}

async function findDownload(ctx: Context, session: Session, itemId: string): Promise<string> {
  if (session.orderId === null) throw new Refusal('not_found');
  const [scope, bought] = [toScope(session), { orderId: session.orderId, itemId }];
  const order = await findOrder(ctx.db, scope, session.orderId);
  const settings = toSettings((await getStore(ctx.db, scope)).settings);
  if (order && isReceiptLapsed({ order, settings, nowMs: ctx.nowMs })) throw new Refusal('access_ended');
  await getBoughtFileId(ctx, scope, bought);
  return createDownloadUrl(ctx, scope, bought);
}

function success(data: unknown) {
  return { status: 'success', data };
}

/** After a submit that made no order, `mailedTo` is whom the mail of an earlier one went to. */
async function showAgain(
  { ctx, session }: OpenedSession,
  onlooker: Onlooker,
  mailedTo: string | null = null,
) {
  const current = (await findSession(ctx.db, session.token)) ?? session;
  const isMailed = mailedTo !== null && current.orderId === null;
  return isMailed ? showMailed(ctx, current, mailedTo) : showCheckout(ctx, current, onlooker);
}

async function requote(
  opened: OpenedSession,
  body: Static<typeof QuoteBody>,
  { ipAddress, page }: Omit<Asking, 'knownId'>,
) {
  const { ctx } = opened;
  const scope = toScope(opened.session);
  await refuseClosedShop(ctx.db, scope);
  const { cart, form } = await loadTyped(opened, body);
  const guess = toGuess(opened, form, ipAddress);
  if (guess) await refuseSpentGuess(ctx, scope, guess);
  const session = await writeTyped(opened, { body, form });
  await planReminder(ctx, session, cart);
  const quote = await quoteSession(ctx, session, { cart, form });
  if (guess && quote.codeRefusal === 'discount_code_unknown') await countWrongGuess(ctx, scope, guess);
  const { currency, settings } = cart;
  const { dueNowMinor: amountMinor } = quote;
  const country = form.countryCode;
  // Before the buyer types more: nobody could take it.
  if (!takesSandbox(scope, { settings })) await refuseAmount(ctx, scope, { currency, country, amountMinor });
  const offering = { cart, quote, country, page };
  const offered = await listOffered(ctx, scope, offering);
  return toQuoteView(ctx, cart, { quote, form, language: session.language, offered });
}

/** A code that is typed anew; one that the session has kept was looked for when it was typed. */
function toGuess({ ctx, session }: OpenedSession, { discountCode }: BuyerForm, ipAddress: string) {
  const kept = toForm(session).discountCode;
  if (discountCode === null || discountCode.toLowerCase() === kept?.toLowerCase()) return null;
  return { db: ctx.db, session: session.token, ipAddress };
}

/** The first call of a page makes its session; a reload finds what was typed. */
async function writeTyped(
  { ctx, session, isDraft }: OpenedSession,
  { body, form }: { body: Static<typeof QuoteBody>; form: BuyerForm },
): Promise<Session> {
  const reminderAsked = body.remind ?? session.reminderAsked;
  const seen = toSeen(ctx, session, { body, form });
  const draft = { ...session, ...seen, reminderAsked };
  if (isDraft) return writeSession(ctx, draft, { form, link: await toLink(ctx, session, body) });
  if (session.orderId !== null) return session;
  const { id, language } = session;
  const written = { id, language, reminderAsked, ...seen, form: toJson(listSaid(form)) };
  await updateSession(ctx.db, toScope(session), written);
  return { ...draft, form: { ...form } };
}

/** The first call of a page says that it is looked at, the first address that somebody is about to buy. */
function toSeen(
  { nowMs }: Context,
  session: Session,
  { body, form }: { body: Static<typeof QuoteBody>; form: BuyerForm },
): Pick<Session, 'viewedAt' | 'frame' | 'started'> {
  const frame = session.viewedAt === null ? (body.frame ?? null) : session.frame;
  const started = session.started || (form.email !== null && isEmail(form.email));
  return { viewedAt: session.viewedAt ?? nowMs, frame, started };
}

/** A link leads back to sites that may show the checkout, and nowhere else. */
async function toLink(
  ctx: Context,
  session: Session,
  { reference, redirectUrl }: Static<typeof QuoteBody>,
): Promise<LinkDetails> {
  const scope = toScope(session);
  const { settings } = await getStore(ctx.db, scope);
  const { authorizedDomains } = toSettings(settings);
  const isKnown =
    redirectUrl != null &&
    isReturnUrl(redirectUrl, scope) &&
    isWithinSources(new URL(redirectUrl).origin, authorizedDomains, scope);
  return {
    reference: reference?.trim() || null,
    redirectUrl: isKnown ? redirectUrl : null,
  };
}

/** The cart and the answers that were typed. */
async function loadTyped(
  { ctx, session }: OpenedSession,
  body: Static<typeof QuoteBody>,
): Promise<{ cart: Cart; form: BuyerForm }> {
  const typed = keepLocked(toBuyerForm(body, toForm(session)), {
    lockedFields: session.lockedFields,
    form: toForm(session),
  });
  // A quantity that the page does not ask for stays the session's.
  const isChosen = body.quantity !== undefined || body.quantities !== undefined;
  const cart = await loadSessionCart(ctx, session, { typed: isChosen ? typed : null, email: typed.email });
  return { cart, form: { ...typed, customFields: pickKnownFields(typed.customFields, cart) } };
}

interface Submitted {
  email: string | null;
}

interface Asking extends Onlooker {
  ipAddress: string;
}

/** Another press of the button finds the first one's purchase: the last key or code may be its own by now. */
async function submitOnce(
  opened: OpenedSession,
  body: Static<typeof SubmitBody>,
  asking: Asking,
): Promise<Submitted> {
  try {
    return await submit(opened, body, asking);
  } catch (error) {
    if (!(error instanceof Refusal) || !(await isBoughtBy(opened))) throw error;
    return { email: null };
  }
}

/** Whether the session's order is paid, or was begun by another press since this one came in. */
async function isBoughtBy({ ctx, session }: OpenedSession): Promise<boolean> {
  const current = await findSession(ctx.db, session.token);
  if (!current?.orderId) return false;
  const order = await findOrder(ctx.db, toScope(session), current.orderId);
  if (order?.status === 'PENDING') return session.orderId === null;
  return order !== undefined && ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(order.status);
}

async function submit(
  opened: OpenedSession,
  body: Static<typeof SubmitBody>,
  { knownId, page, ipAddress }: Asking,
): Promise<Submitted> {
  const { ctx } = opened;
  // Pressed again after a lost answer: the code may be used up by this very order, its offer archived since.
  if (await isPaid(ctx, opened.session)) return { email: null };
  await refuseClosedShop(ctx.db, toScope(opened.session));
  const { cart, form } = await loadTyped(opened, body);
  const scope = toScope(opened.session);
  const guess = toGuess(opened, form, ipAddress);
  if (guess) await refuseSpentGuess(ctx, scope, guess);
  const { paymentMethodId: methodId = null, keepMethod = false } = body;
  const { email } = form;
  const saved = methodId === null ? null : await takeSaved(ctx, scope, { userId: knownId, methodId, email });
  if (keepMethod) await refuseOther(ctx, scope, { userId: knownId, email });
  const isUnseen = opened.session.viewedAt === null;
  const session = isUnseen ? await writeTyped(opened, { body, form }) : opened.session;
  const buying = {
    session,
    isNewSession: false,
    byStranger: true,
    cart,
    form,
    method: saved ? null : await readMethod(ctx, session, { body, cart, form, page }),
    saved,
    keepsMethod: keepMethod,
    ticks: body.consents ?? [],
    shownFingerprint: body.fingerprint ?? null,
    shownTotalMinor: body.expectedTotal === undefined ? null : BigInt(body.expectedTotal),
    ipAddress,
  };
  await submitCheckout(ctx, scope, buying).catch(async (error: unknown) => {
    const isWrong = error instanceof Refusal && error.code === 'discount_code_unknown';
    if (guess && isWrong) await countWrongGuess(ctx, scope, guess);
    return explainPrice(error, { ctx, session, cart, form, page });
  });
  return { email };
}

interface Priced {
  ctx: Context;
  session: Session;
  cart: Cart;
  form: BuyerForm;
  page: ShowingPage;
}

/** The price that the buyer is asked to agree to goes with the refusal: a quote would not say what it hangs on. */
async function explainPrice(error: unknown, { ctx, session, cart, form, page }: Priced): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error;
  const exceptOrderId = session.orderId;
  const sold = isTrialSpent(error) ? { ...cart, trial: null } : cart;
  const scope = toScope(session);
  const quote = await quoteCart(ctx, scope, { db: ctx.db, cart: sold, form, exceptOrderId });
  const offering = { cart: sold, quote, country: form.countryCode, page };
  const offered = await listOffered(ctx, scope, offering);
  throw new Refusal('price_changed', {
    message: error.message,
    facts: [{ quote: toQuoteView(ctx, sold, { quote, form, language: session.language, offered }) }],
    cause: error,
  });
}

async function isPaid(ctx: Context, session: Session): Promise<boolean> {
  if (session.orderId === null) return false;
  const order = await findOrder(ctx.db, toScope(session), session.orderId);
  return ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(order?.status ?? '');
}
