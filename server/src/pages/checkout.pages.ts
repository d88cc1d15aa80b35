/** The buyer's pages: links that open a session, the checkout, and the sandbox's authentication. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { currencyDecimals } from '../domain/money/currency.ts';
import { toSettings } from '../domain/settings.ts';
import { isInitialPayment } from '../domain/states/payment.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { openCheckout } from '../flows/checkout/open-checkout.ts';
import { showCheckout, toScope } from '../flows/checkout/show-checkout.ts';
import { confirmDebt } from '../flows/dunning/pay-owed.ts';
import { showDebt } from '../flows/dunning/show-owed.ts';
import { openContext } from '../http/context.ts';
import { translateError } from '../http/errors.ts';
import type { RawQuery } from '../http/query.ts';
import { findElementScope, findOfferScope } from '../resources/checkouts/checkouts.queries.ts';
import { findOrder } from '../resources/orders/orders.queries.ts';
import {
  findCharge,
  findChargeScope,
  findPayment,
  findPaymentByToken,
} from '../resources/payments/payments.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { chooseLanguage } from './language.ts';
import { findDebt } from './open-owed-payment.ts';
import { openSession } from './open-session.ts';
import { toPrefill } from './prefill.ts';
import type { PageRenderer } from './render-page.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface PagesOptions {
  service: Service;
  renderPage: PageRenderer;
}

export function registerCheckoutPages(app: FastifyInstance, { service, renderPage }: PagesOptions): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.setErrorHandler((error: Error, request, reply) =>
    answerPageError({ error, request, reply, renderPage }),
  );
  const page = { schema: { hide: true } };
  app.get('/checkout/:offerId', page, async (request, reply) => {
    const { offerId } = request.params as { offerId: string };
    const scope = UUID.test(offerId) ? await findOfferScope(service.db, offerId) : undefined;
    const opening = { elementId: null, offerIds: [offerId] };
    return redirectToSession({ service, request, reply, scope, opening, base: `/checkout/${offerId}` });
  });
  app.get('/checkout-element/:elementId', page, async (request, reply) => {
    const { elementId } = request.params as { elementId: string };
    const scope = UUID.test(elementId) ? await findElementScope(service.db, elementId) : undefined;
    const opening = { elementId, offerIds: [] };
    return redirectToSession({
      service,
      request,
      reply,
      scope,
      opening,
      base: `/checkout-element/${elementId}`,
    });
  });
  for (const path of [
    '/checkout/:offerId/checkout/:sessionId',
    '/checkout-element/:elementId/checkout/:sessionId',
  ]) {
    app.get(path, page, async (request, reply) => {
      const { sessionId } = request.params as { sessionId: string };
      return sendCheckout({ service, renderPage, request, reply, sessionId });
    });
  }
  app.get('/pay/:token', page, async (request, reply) => {
    const { token } = request.params as { token: string };
    const opened = await findDebt(service, token, false);
    if (!opened) return reply.redirect(await findPayPath(service, token), 303);
    const view = await showDebt(opened.ctx, opened.scope, opened.debt);
    const state = { ...view, apiUrl: `/payment-pages/${token}` };
    const language = languageOf(request);
    return sendPage(reply, renderPage({ entry: 'pay', title: view.seller.name, language, state }));
  });
  registerAuthentication(app, { service, renderPage });
}

interface Opening {
  service: Service;
  request: FastifyRequest;
  reply: FastifyReply;
  scope: Scope | undefined;
  opening: { elementId: string | null; offerIds: string[] };
  base: string;
}

async function redirectToSession({ service, request, reply, scope, opening, base }: Opening) {
  if (!scope) throw new Refusal('not_found');
  const ctx = await openContext(service, scope, { needsClock: true, isWrite: true });
  const form = toPrefill(request.query as RawQuery);
  const language = languageOf(request);
  const id = await openCheckout(ctx, scope, { ...opening, form, ipAddress: request.ip, language });
  return reply.redirect(`${base}/checkout/${id}`, 303);
}

interface Showing extends PagesOptions {
  request: FastifyRequest;
  reply: FastifyReply;
  sessionId: string;
}

async function sendCheckout({ service, renderPage, request, reply, sessionId }: Showing) {
  const { ctx, session } = await openSession(service, sessionId, false);
  const view = await showCheckout(ctx, session);
  const { settings } = await getStore(ctx.db, toScope(session));
  const language = languageOf(request);
  const html = renderPage({ entry: 'checkout', title: view.seller.name, language, state: view });
  return sendPage(reply, html, toSettings(settings).authorizedDomains);
}

function languageOf(request: FastifyRequest) {
  return chooseLanguage(request.headers['accept-language']);
}

function sendPage(reply: FastifyReply, html: string, frameAncestors: string[] = []) {
  const ancestors = frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'";
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', `${PAGE_POLICY}; frame-ancestors ${ancestors}`)
    .send(html);
}

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'";

/** Where a payment that is open can be paid: the session's page that began it. */
async function findPayPath(service: Service, token: string): Promise<string> {
  const payment = token.length <= 64 ? await findPaymentByToken(service.db, token) : undefined;
  // A later payment of a subscription has a page of its own.
  if (payment && !isInitialPayment(payment.type)) return `/pay/${token}`;
  if (!payment?.sessionId) throw new Refusal('not_found');
  const { session } = await openSession(service, payment.sessionId, false);
  const base = session.elementId
    ? `/checkout-element/${session.elementId}`
    : `/checkout/${session.offerIds[0]}`;
  return `${base}/checkout/${session.id}`;
}

function registerAuthentication(app: FastifyInstance, { service, renderPage }: PagesOptions): void {
  app.get('/sandbox/authenticate/:chargeId', { schema: { hide: true } }, async (request, reply) => {
    const { chargeId } = request.params as { chargeId: string };
    const { scope, charge, payment } = await findCharged(service, chargeId);
    if (charge.status !== 'pending') return reply.redirect(await findPayPath(service, payment.payToken), 303);
    const store = await getStore(service.db, scope);
    const method = charge.paymentMethod as { last4: string | null } | null;
    const state = {
      chargeLabel: `Order ${payment.orderNumber}`,
      amount: Number(charge.amount),
      currency: charge.currency,
      currencyDecimals: currencyDecimals(charge.currency),
      cardLast4: method?.last4 ?? '',
      merchant: toSettings(store.settings).seller.name ?? store.name,
      completeUrl: `/sandbox/authenticate/${chargeId}`,
      testMode: true,
    };
    return sendPage(
      reply,
      renderPage({ entry: 'authenticate', title: 'Sandbox Bank', language: languageOf(request), state }),
    );
  });
  app.post('/sandbox/authenticate/:chargeId', { schema: { hide: true } }, async (request, reply) => {
    const { chargeId } = request.params as { chargeId: string };
    const { scope, payment } = await findCharged(service, chargeId);
    const { result } = (request.body ?? {}) as { result?: string };
    const ctx = await openContext(service, scope, { needsClock: true, isWrite: true });
    await service.payments.sandbox.authenticate({
      scope,
      chargeId,
      approve: result === 'approve',
      nowMs: ctx.nowMs,
    });
    const debt = await findDebt(service, payment.payToken, true);
    if (debt) await confirmDebt(ctx, scope, { chargeId, subscriptionId: debt.debt.subscriptionId });
    else await confirmCheckout(ctx, scope, payment.orderId);
    service.nudgeWorker();
    return reply.redirect(await findPayPath(service, payment.payToken), 303);
  });
}

async function findCharged(service: Service, chargeId: string) {
  const found = UUID.test(chargeId) ? await findChargeScope(service.db, chargeId) : undefined;
  if (!found) throw new Refusal('not_found');
  const { paymentId, ...scope } = found;
  const charge = await findCharge(service.db, scope, chargeId);
  const payment = await findPayment(service.db, scope, paymentId);
  const order = payment ? await findOrder(service.db, scope, payment.orderId) : undefined;
  if (!charge || !payment || !order) throw new Refusal('not_found');
  return { scope, charge, payment };
}

interface PageError {
  error: Error;
  request: FastifyRequest;
  reply: FastifyReply;
  renderPage: PageRenderer;
}

function answerPageError({ error, request, reply, renderPage }: PageError) {
  const refusal = translateError(error, request, reply);
  // The page has words of its own for what it knows, in the buyer's language.
  const state = { code: refusal.code, message: refusal.message };
  const page = { entry: 'message' as const, title: 'Checkout', language: languageOf(request), state };
  return sendPage(reply.status(refusal.status), renderPage(page));
}
