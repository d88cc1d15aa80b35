/** What the page of a subscription's payment asks. No key: the token in its link is the buyer's capability. */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { checkCard } from '../domain/checkout/card.ts';
import { Refusal } from '../domain/errors.ts';
import { confirmDebt, payDebt } from '../flows/dunning/pay-owed.ts';
import { showDebt } from '../flows/dunning/show-owed.ts';
import type { ChargeMethod } from '../providers/payment/payment-provider.ts';
import { findPendingCharge } from '../resources/payments/payments.queries.ts';
import { listOpenPayments } from '../resources/subscriptions/locked-subscription.queries.ts';
import { BillingDetails } from '../resources/users/billing-details.schema.ts';
import { findDebt, type OpenedDebt } from './open-owed-payment.ts';

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

export function registerDebtRoutes(app: FastifyInstance, service: Service): void {
  const open = async (params: unknown, isWrite: boolean): Promise<OpenedDebt> => {
    const opened = await findDebt(service, (params as { token: string }).token, isWrite);
    if (!opened) throw new Refusal('not_found');
    return opened;
  };
  const answer = async ({ ctx, scope, debt }: OpenedDebt) => ({
    status: 'success',
    data: { debt: await showDebt(ctx, scope, debt) },
  });
  const hidden = { schema: { hide: true } };
  app.get('/payment-pages/:token', hidden, async ({ params }) => answer(await open(params, false)));
  app.post(
    '/payment-pages/:token/pay',
    { schema: { hide: true, body: PayBody } },
    async ({ params, body, ip }) => {
      const opened = await open(params, true);
      const { ctx, scope, debt } = opened;
      const { card, keep, billingDetails } = body as Static<typeof PayBody>;
      const method = card ? toMethod(card, ctx.nowMs) : null;
      await payDebt(ctx, scope, { ...debt, method, keeps: keep ?? false, billingDetails, ipAddress: ip });
      service.nudgeWorker();
      return answer(opened);
    },
  );
  app.post('/payment-pages/:token/confirm', hidden, async ({ params }) => {
    const opened = await open(params, true);
    const { ctx, scope, debt } = opened;
    const { subscriptionId } = debt;
    const charge = await findPendingDebtCharge(ctx.db, scope, subscriptionId);
    if (charge) await confirmDebt(ctx, scope, { chargeId: charge.id, subscriptionId });
    service.nudgeWorker();
    return answer(opened);
  });
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
