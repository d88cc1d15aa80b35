/** What the page of a payment asks. No key: the token in its link is the buyer's capability. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { checkCard } from '../domain/checkout/card.ts';
import { Refusal } from '../domain/errors.ts';
import { confirmCheckout } from '../flows/checkout/confirm-checkout.ts';
import { confirmDebt, payDebt } from '../flows/dunning/pay-owed.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { findPendingCharge } from '../resources/payments/payments.queries.ts';
import { listOpenPayments } from '../resources/subscriptions/locked-subscription.queries.ts';
import { BillingDetails } from '../resources/users/billing-details.schema.ts';
import { type OpenedPayment, openPayment, showPayment } from './open-owed-payment.ts';

const PayBody = Type.Object(
  {
    /** Missing = the stored card. */
    card: Type.Optional(
      Type.Object(
        {
          number: Type.String({ maxLength: 40 }),
          expiry: Type.String({ maxLength: 12 }),
          cvc: Type.String({ maxLength: 8 }),
          name: Type.Optional(Type.String({ maxLength: 200 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** Renewals are to be charged to the card, too. */
    keep: Type.Optional(Type.Boolean()),
    /** Of the subscription, from now on; missing fields stay. */
    billingDetails: Type.Optional(BillingDetails),
  },
  { additionalProperties: false },
);

type Asked = FastifyRequest<{ Params: { token: string } }>;

export function registerDebtRoutes(app: FastifyInstance, service: Service): void {
  const open = ({ params }: Asked, isWrite: boolean) => openPayment(service, params.token, isWrite);
  const answer = async (opened: OpenedPayment) => ({
    status: 'success',
    data: { debt: await showPayment(opened) },
  });
  const base = '/payment-pages/:token';
  const hidden = { schema: { hide: true } };
  app.get(base, hidden, async (request: Asked) => answer(await open(request, false)));
  app.post(`${base}/pay`, { schema: { hide: true, body: PayBody } }, async (request: Asked) => {
    const opened = await open(request, true);
    await pay(opened, request.body as Static<typeof PayBody>, request.ip);
    service.nudgeWorker();
    return answer(opened);
  });
  app.post(`${base}/confirm`, hidden, async (request: Asked) => {
    const opened = await open(request, true);
    await confirm(opened);
    service.nudgeWorker();
    return answer(opened);
  });
}

async function pay({ ctx, scope, debt }: OpenedPayment, body: Static<typeof PayBody>, ipAddress: string) {
  // An order is paid at its checkout.
  if (!debt) throw new Refusal('not_found');
  const { card, keep, billingDetails } = body;
  const method = card ? toMethod(card, ctx.nowMs) : null;
  await payDebt(ctx, scope, { ...debt, method, keeps: keep ?? false, billingDetails, ipAddress });
}

async function confirm({ ctx, scope, orderId, debt }: OpenedPayment): Promise<void> {
  if (!debt) return confirmCheckout(ctx, scope, orderId);
  const { subscriptionId } = debt;
  const charge = await findPendingDebtCharge(ctx.db, scope, subscriptionId);
  if (charge) await confirmDebt(ctx, scope, { chargeId: charge.id, subscriptionId });
}

/** Of whichever payment of the subscription is being charged: the page of one is a page for all. */
async function findPendingDebtCharge(db: Db, scope: Scope, subscriptionId: string) {
  const open = await listOpenPayments(db, scope, subscriptionId);
  const waiting = open.find(({ status }) => status === 'PENDING');
  return waiting ? findPendingCharge(db, scope, waiting.id) : undefined;
}

function toMethod(card: NonNullable<Static<typeof PayBody>['card']>, nowMs: number): ChargeMethod {
  const { number, expiry, cvc, name = null } = card;
  const issues = checkCard({ number, expiry, cvc, name }, nowMs);
  const [first] = issues;
  if (first)
    throw new Refusal('card_invalid', { message: `${first.path} ${first.message}`, details: issues });
  return { kind: 'card', number, expiry, cvc, holder: name };
}
