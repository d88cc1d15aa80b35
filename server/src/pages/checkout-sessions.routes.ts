/** What the checkout page asks of its session. No key: the session's id is the buyer's capability. */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { Context, Service } from '../context.ts';
import type { Row } from '../db/schema.ts';
import { toJson } from '../db/scope.ts';
import type { BuyerForm } from '../domain/checkout/buyer.ts';
import { checkCard } from '../domain/checkout/card.ts';
import { Refusal } from '../domain/errors.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import {
  loadSessionCart,
  pickKnownFields,
  showCheckout,
  toForm,
  toQuoteView,
  toScope,
} from '../flows/checkout/show-checkout.ts';
import { submitCheckout } from '../flows/checkout/submit-checkout.ts';
import { getBoughtFileId } from '../flows/fulfilment/check-access.ts';
import { createDownloadUrl } from '../flows/fulfilment/sign-download.ts';
import { type Cart, quoteCart } from '../flows/pricing/quote-cart.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { findSession, updateSession } from '../resources/checkouts/checkouts.queries.ts';
import { QuoteBody, SubmitBody, toBuyerForm } from '../resources/checkouts/checkouts.schema.ts';
import { findOrder } from '../resources/orders/orders.queries.ts';
import { type OpenedSession, openSession } from './open-session.ts';

/** Anybody may send a form. */
const FORM_BYTES_MAX = 64 * 1024;

export function registerCheckoutRoutes(app: FastifyInstance, service: Service): void {
  const open = async (params: unknown, isWrite: boolean): Promise<OpenedSession> => {
    const { sessionId } = params as { sessionId: string };
    return openSession(service, sessionId, isWrite);
  };
  app.get('/checkout-sessions/:sessionId', { schema: { hide: true } }, async ({ params }) => {
    const { ctx, session } = await open(params, false);
    return success({ checkout: await showCheckout(ctx, session) });
  });
  app.post(
    '/checkout-sessions/:sessionId/quote',
    { schema: { hide: true, body: QuoteBody }, bodyLimit: FORM_BYTES_MAX },
    async ({ params, body }) => {
      const opened = await open(params, true);
      return success({ quote: await requote(opened, body as Static<typeof QuoteBody>) });
    },
  );
  app.post(
    '/checkout-sessions/:sessionId/submit',
    { schema: { hide: true, body: SubmitBody }, bodyLimit: FORM_BYTES_MAX },
    async (request) => {
      const { ctx, session } = await open(request.params, true);
      await submitOnce({ ctx, session }, request.body as Static<typeof SubmitBody>, request.ip);
      service.nudgeWorker();
      return success({ checkout: await showAgain(ctx, session.id) });
    },
  );
  app.post('/checkout-sessions/:sessionId/confirm', { schema: { hide: true } }, async ({ params }) => {
    const { ctx, session } = await open(params, true);
    if (session.orderId) await confirmCheckout(ctx, toScope(session), session.orderId);
    service.nudgeWorker();
    return success({ checkout: await showAgain(ctx, session.id) });
  });
  app.get(
    '/checkout-sessions/:sessionId/downloads/:itemId',
    { schema: { hide: true } },
    async ({ params }, reply) => {
      const { itemId } = params as { itemId: string };
      const { ctx, session } = await open(params, false);
      return reply.redirect(await findDownload(ctx, session, itemId), 303);
    },
  );
}

async function findDownload(ctx: Context, session: Row<'checkoutSessions'>, itemId: string): Promise<string> {
  if (session.orderId === null) throw new Refusal('not_found');
  const [scope, bought] = [toScope(session), { orderId: session.orderId, itemId }];
  await getBoughtFileId(ctx, scope, bought);
  return createDownloadUrl(ctx, scope, bought);
}

function success(data: unknown) {
  return { status: 'success', data };
}

async function showAgain(ctx: Context, sessionId: string) {
  const session = await findSession(ctx.db, sessionId);
  if (!session) throw new Refusal('not_found');
  return showCheckout(ctx, session);
}

async function requote(opened: OpenedSession, body: Static<typeof QuoteBody>) {
  const { ctx, session } = opened;
  const scope = toScope(session);
  const { cart, form } = await loadTyped(opened, body);
  const quote = await quoteCart(ctx, scope, { db: ctx.db, cart, form, exceptOrderId: session.orderId });
  // A reload finds what was typed.
  if (session.orderId === null) await updateSession(ctx.db, scope, { id: session.id, form: toJson(form) });
  return toQuoteView(ctx, cart, { quote, form });
}

/** The cart and the answers that were typed; a quantity that the page does not ask for stays the session's. */
async function loadTyped(
  { ctx, session }: OpenedSession,
  body: Static<typeof QuoteBody>,
): Promise<{ cart: Cart; form: BuyerForm }> {
  const typed = toBuyerForm(body);
  const cart = await loadSessionCart(ctx, session, { typedQuantity: typed.quantity });
  const quantity = typed.quantity ?? toForm(session).quantity;
  return { cart, form: { ...typed, quantity, customFields: pickKnownFields(typed.customFields, cart) } };
}

/** Another press of the button finds the first one's purchase: the last key or code may be its own by now. */
async function submitOnce(
  opened: OpenedSession,
  body: Static<typeof SubmitBody>,
  ipAddress: string,
): Promise<void> {
  try {
    await submit(opened, body, ipAddress);
  } catch (error) {
    if (!(error instanceof Refusal) || !(await isBoughtBy(opened))) throw error;
  }
}

/** Whether the session's order is paid, or was begun by another press since this one came in. */
async function isBoughtBy({ ctx, session }: OpenedSession): Promise<boolean> {
  const current = await findSession(ctx.db, session.id);
  if (!current?.orderId) return false;
  const order = await findOrder(ctx.db, toScope(session), current.orderId);
  if (order?.status === 'PENDING') return session.orderId === null;
  return order !== undefined && ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(order.status);
}

async function submit(
  opened: OpenedSession,
  body: Static<typeof SubmitBody>,
  ipAddress: string,
): Promise<void> {
  const { ctx, session } = opened;
  const scope = toScope(session);
  // Pressed again after a lost answer: the code may be used up by this very order, its offer archived since.
  if (await isPaid(ctx, session)) return;
  const { cart, form } = await loadTyped(opened, body);
  if (cart.workspaceState === 'archived') throw new Refusal('workspace_archived');
  if (cart.workspaceState === 'suspended') throw new Refusal('workspace_suspended');
  await submitCheckout(ctx, scope, {
    session,
    isNewSession: false,
    cart,
    form,
    method: toMethod(body, ctx.nowMs),
    shownFingerprint: body.fingerprint ?? null,
    ipAddress,
  });
}

async function isPaid(ctx: Context, session: Row<'checkoutSessions'>): Promise<boolean> {
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
