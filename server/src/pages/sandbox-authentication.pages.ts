/** The page of the sandbox's bank, on which the buyer of a test says whether the authentication succeeds. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { toSessionPath } from '../domain/checkout/session-path.ts';
import { Refusal } from '../domain/errors.ts';
import { currencyDecimals } from '../domain/money/currency.ts';
import { toSettings } from '../domain/settings.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { confirmOwed } from '../flows/dunning/pay-owed.ts';
import { findSession } from '../resources/links/links.queries.ts';
import { findCharge, findPayment, type PaymentRow } from '../resources/payments/payments.queries.ts';
import { getStore } from '../resources/workspaces/workspaces.queries.ts';
import { openPayment } from './open-owed-payment.ts';
import { type PagesOptions, sendPage } from './send-page.ts';

type Asked = FastifyRequest<{
  Params: { token: string };
  /** Values of a query are lists here; the session is that of the page which led the buyer here. */
  Querystring: { session?: string[] };
}>;

export function registerSandboxAuthentication(app: FastifyInstance, options: PagesOptions): void {
  const { service } = options;
  const path = '/sandbox/authenticate/:token';
  app.get(path, { schema: { hide: true } }, async (request: Asked, reply) => {
    const { scope, charge, payment } = await findCharged(service, request.params.token);
    // A shop that is closed completes no purchase.
    await openPayment(service, payment.payToken, false);
    if (charge.status !== 'pending') return reply.redirect(await findWayBack(service, request, payment), 303);
    const store = await getStore(service.db, scope);
    const settings = toSettings(store.settings);
    const method = charge.paymentMethod as { last4: string | null } | null;
    return sendPage(options, request, reply, {
      entry: 'authenticate',
      title: 'Sandbox Bank',
      shopLanguage: settings.checkout.defaultLanguage,
      state: {
        chargeLabel: `Order ${payment.orderNumber}`,
        amount: Number(charge.amount),
        currency: charge.currency,
        currencyDecimals: currencyDecimals(charge.currency),
        cardLast4: method?.last4 ?? '',
        merchant: settings.seller.name ?? store.name,
        completeUrl: request.url,
        testMode: true,
      },
    });
  });
  app.post(path, { schema: { hide: true } }, async (request: Asked, reply) => {
    const { scope, charge, payment } = await findCharged(service, request.params.token);
    const { result } = (request.body ?? {}) as { result?: string };
    const { ctx, debt } = await openPayment(service, payment.payToken, true);
    const { id: chargeId } = charge;
    const { nowMs } = ctx;
    await service.payments.sandbox.authenticate({ scope, chargeId, approve: result === 'approve', nowMs });
    if (debt) await confirmOwed(ctx, scope, { chargeId, subscriptionId: debt.subscriptionId });
    else await confirmCheckout(ctx, scope, payment.orderId);
    service.nudgeWorker(scope);
    return reply.redirect(await findWayBack(service, request, payment), 303);
  });
}

async function findCharged(service: Service, token: string) {
  const found = await service.payments.sandbox.findByAction(token);
  const charge = found ? await findCharge(service.db, found.scope, found.chargeId) : undefined;
  const payment = found && charge ? await findPayment(service.db, found.scope, charge.paymentId) : undefined;
  if (!found || !charge || !payment) throw new Refusal('not_found');
  return { scope: found.scope, charge, payment };
}

/**
 * To the checkout for whoever came from there and says so by its token, else to the payment's own page: this page's
 * address leads nobody to what was bought.
 */
async function findWayBack(service: Service, { query }: Asked, payment: PaymentRow): Promise<string> {
  const token = query.session?.[0];
  const session = token ? await findSession(service.db, token) : undefined;
  return session && session.orderId === payment.orderId ? toSessionPath(session) : `/pay/${payment.payToken}`;
}
