/** What the checkout page asks of its session. No key: the token in its link is the buyer's capability. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Context, Service } from '../context.ts';
import { toJson } from '../db/scope.ts';
import type { BuyerForm } from '../domain/checkout/buyer.ts';
import { checkCard } from '../domain/checkout/card.ts';
import { Refusal } from '../domain/errors.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { type Session, writeSession } from '../flows/checkout/open-checkout.ts';
import {
  loadSessionCart,
  pickKnownFields,
  quoteSession,
  showCheckout,
  showMailed,
  toForm,
  toQuoteView,
  toScope,
} from '../flows/checkout/show-checkout.ts';
import { isTrialSpent } from '../flows/checkout/spent-trial.ts';
import { submitCheckout } from '../flows/checkout/submit-checkout.ts';
import { getBoughtFileId } from '../flows/fulfilment/check-access.ts';
import { createDownloadUrl } from '../flows/fulfilment/sign-download.ts';
import { type Cart, quoteCart } from '../flows/pricing/quote-cart.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { findSession, updateSession } from '../resources/checkouts/checkouts.queries.ts';
import { QuoteBody, SubmitBody, toBuyerForm } from '../resources/checkouts/checkouts.schema.ts';
import { findOrder } from '../resources/orders/orders.queries.ts';
import { chooseLanguage } from './language.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { refuseClosedShop } from './open-shop.ts';

/** Anybody may send a form. */
const FORM_BYTES_MAX = 64 * 1024;

type Asked = FastifyRequest<{ Params: { token: string } }>;

export function registerCheckoutRoutes(app: FastifyInstance, service: Service): void {
  const open = ({ params: { token }, headers, ip }: Asked, isWrite: boolean): Promise<OpenedSession> => {
    const visitor = { ipAddress: ip, language: chooseLanguage(headers['accept-language']) };
    return openSession(service, { token, visitor, isWrite });
  };
  const base = '/checkout-sessions/:token';
  const hidden = { schema: { hide: true } };
  app.get(base, hidden, async (request: Asked) => {
    const { ctx, session } = await open(request, false);
    return success({ checkout: await showCheckout(ctx, session) });
  });
  const quoting = { schema: { hide: true, body: QuoteBody }, bodyLimit: FORM_BYTES_MAX };
  app.post(`${base}/quote`, quoting, async (request: Asked) => {
    const opened = await open(request, true);
    return success({ quote: await requote(opened, request.body as Static<typeof QuoteBody>) });
  });
  const submitting = { schema: { hide: true, body: SubmitBody }, bodyLimit: FORM_BYTES_MAX };
  app.post(`${base}/submit`, submitting, async (request: Asked) => {
    const opened = await open(request, true);
    const { email } = await submitOnce(opened, request.body as Static<typeof SubmitBody>, request.ip);
    service.nudgeWorker();
    return success({ checkout: await showAgain(opened, email) });
  });
  app.post(`${base}/confirm`, hidden, async (request: Asked) => {
    const opened = await open(request, true);
    const { ctx, session } = opened;
    await refuseClosedShop(ctx.db, toScope(session), { evenSettling: false });
    if (session.orderId) await confirmCheckout(ctx, toScope(session), session.orderId);
    service.nudgeWorker();
    return success({ checkout: await showAgain(opened) });
  });
  app.get(`${base}/downloads/:itemId`, hidden, async (request: Asked, reply) => {
    const { itemId } = request.params as unknown as { itemId: string };
    const { ctx, session } = await open(request, false);
    return reply.header('cache-control', 'no-store').redirect(await findDownload(ctx, session, itemId), 303);
  });
}

async function findDownload(ctx: Context, session: Session, itemId: string): Promise<string> {
  if (session.orderId === null) throw new Refusal('not_found');
  const [scope, bought] = [toScope(session), { orderId: session.orderId, itemId }];
  await getBoughtFileId(ctx, scope, bought);
  return createDownloadUrl(ctx, scope, bought);
}

function success(data: unknown) {
  return { status: 'success', data };
}

/** After a submit that made no order, `mailedTo` is whom the mail of an earlier one went to. */
async function showAgain({ ctx, session }: OpenedSession, mailedTo: string | null = null) {
  const current = (await findSession(ctx.db, session.token)) ?? session;
  const isMailed = mailedTo !== null && current.orderId === null;
  return isMailed ? showMailed(ctx, current, mailedTo) : showCheckout(ctx, current);
}

async function requote(opened: OpenedSession, body: Static<typeof QuoteBody>) {
  const { ctx } = opened;
  await refuseClosedShop(ctx.db, toScope(opened.session));
  const { cart, form } = await loadTyped(opened, body);
  const session = await writeTyped(opened, form);
  const quote = await quoteSession(ctx, session, { cart, form });
  return toQuoteView(ctx, cart, { quote, form });
}

/** The first call of a page makes its session; a reload finds what was typed. */
async function writeTyped({ ctx, session, isDraft }: OpenedSession, form: BuyerForm): Promise<Session> {
  if (isDraft) return writeSession(ctx, session, form);
  if (session.orderId !== null) return session;
  await updateSession(ctx.db, toScope(session), { id: session.id, form: toJson(form) });
  return session;
}

/** The cart and the answers that were typed; a quantity that the page does not ask for stays the session's. */
async function loadTyped(
  { ctx, session }: OpenedSession,
  body: Static<typeof QuoteBody>,
): Promise<{ cart: Cart; form: BuyerForm }> {
  const typed = toBuyerForm(body);
  const cart = await loadSessionCart(ctx, session, { typedQuantity: typed.quantity, email: typed.email });
  const quantity = typed.quantity ?? toForm(session).quantity;
  return { cart, form: { ...typed, quantity, customFields: pickKnownFields(typed.customFields, cart) } };
}

interface Submitted {
  email: string | null;
}

/** Another press of the button finds the first one's purchase: the last key or code may be its own by now. */
async function submitOnce(
  opened: OpenedSession,
  body: Static<typeof SubmitBody>,
  ipAddress: string,
): Promise<Submitted> {
  try {
    return await submit(opened, body, ipAddress);
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
  ipAddress: string,
): Promise<Submitted> {
  const { ctx } = opened;
  // Pressed again after a lost answer: the code may be used up by this very order, its offer archived since.
  if (await isPaid(ctx, opened.session)) return { email: null };
  await refuseClosedShop(ctx.db, toScope(opened.session));
  const { cart, form } = await loadTyped(opened, body);
  const session = opened.isDraft ? await writeSession(ctx, opened.session, form) : opened.session;
  await submitCheckout(ctx, toScope(session), {
    session,
    isNewSession: false,
    byStranger: true,
    cart,
    form,
    method: toMethod(body, ctx.nowMs),
    shownFingerprint: body.fingerprint ?? null,
    ipAddress,
  }).catch((error: unknown) => explainPrice(error, { ctx, session, cart, form }));
  return { email: form.email };
}

interface Priced {
  ctx: Context;
  session: Session;
  cart: Cart;
  form: BuyerForm;
}

/** The price that the buyer is asked to agree to goes with the refusal: a quote would not say what it hangs on. */
async function explainPrice(error: unknown, { ctx, session, cart, form }: Priced): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'price_changed') throw error;
  const exceptOrderId = session.orderId;
  const sold = isTrialSpent(error) ? { ...cart, trial: null } : cart;
  const quote = await quoteCart(ctx, toScope(session), { db: ctx.db, cart: sold, form, exceptOrderId });
  throw new Refusal('price_changed', {
    message: error.message,
    facts: [{ quote: toQuoteView(ctx, sold, { quote, form }) }],
    cause: error,
  });
}

async function isPaid(ctx: Context, session: Session): Promise<boolean> {
  if (session.orderId === null) return false;
  const order = await findOrder(ctx.db, toScope(session), session.orderId);
  return ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(order?.status ?? '');
}

function toMethod({ card }: Static<typeof SubmitBody>, nowMs: number): ChargeMethod | null {
  if (!card) return null;
  const typed = { number: card.number, expiry: card.expiry, cvc: card.cvc, name: card.name ?? null };
  const issues = checkCard(typed, nowMs);
  const [first] = issues;
  if (first)
    throw new Refusal('card_invalid', { message: `${first.path} ${first.message}`, details: issues });
  return { kind: 'card', number: card.number, expiry: card.expiry, cvc: card.cvc, holder: card.name ?? null };
}
