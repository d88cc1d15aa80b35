/** Checkouts that a merchant prepares for one buyer. */

import { toSessionPath } from '../domain/checkout/session-path.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { createSession } from '../flows/checkout/create-session.ts';
import { expireSession } from '../flows/checkout/expire-session.ts';
import type { Session } from '../flows/checkout/open-checkout.ts';
import { type Route, read, write } from '../http/route.ts';
import {
  findMerchantSession,
  type MerchantSessionRow,
} from '../resources/checkouts/merchant-sessions.queries.ts';
import {
  CheckoutSessionData,
  CheckoutSessionParams,
  CreateCheckoutSession,
  toCheckoutSession,
} from '../resources/checkouts/merchant-sessions.schema.ts';
import { Body } from '../resources/shapes.ts';
import { findBuyer } from './find-buyer.ts';

interface Answering {
  nowMs: number;
  config: { publicUrl: string };
}

const toUrl = ({ config }: Answering, session: Session): string => config.publicUrl + toSessionPath(session);

const toAnswer = (ctx: Answering, row: MerchantSessionRow) => ({
  checkoutSession: toCheckoutSession(row, { nowMs: ctx.nowMs, url: toUrl(ctx, row.session) }),
});

const create = write({
  method: 'POST',
  path: '/v0/checkout-sessions/create',
  operationId: 'createCheckoutSession',
  tag: 'checkout-sessions',
  summary: 'Prepare a checkout for one buyer',
  answersSecret: true,
  description:
    'Of `elementId` and `offersIds` one, of `userId`, `internalId` and `email` one at most. What it holds stands ' +
    'here and not in the address, where anybody could change it; lead the buyer to `url`.',
  body: CreateCheckoutSession,
  data: CheckoutSessionData,
  errors: [
    'not_found',
    'offer_not_for_sale',
    'mixed_offers',
    'discount_code_unknown',
    'internal_id_ambiguous',
    'archived',
  ],
  example: {
    offersIds: ['0190a5d2-7c1e-7d3a-8b43-0f6a52c1e900'],
    email: 'ada@example.com',
    lock: ['email'],
    reference: 'cart-4711',
    redirectUrl: 'https://shop.example/thanks',
  },
  handler: async ({ ctx, tx, scope, body }) => {
    const { userId, internalId, email } = body;
    const isUser = userId !== undefined || internalId !== undefined;
    if (isUser && email !== undefined) throw invalidField('email', 'cannot be given beside a user');
    const user = isUser ? await findBuyer(tx, scope, { userId, internalId }) : null;
    if (user?.archivedAt) throw new Refusal('archived');
    const session = await createSession(ctx, scope, { tx, input: body, user });
    return toAnswer(ctx, { session, order: null, isCharging: false });
  },
});

const get = read({
  method: 'GET',
  path: '/v0/checkout-sessions/:checkoutSessionId',
  operationId: 'getCheckoutSession',
  tag: 'checkout-sessions',
  summary: 'Get a checkout that you prepared',
  params: CheckoutSessionParams,
  data: CheckoutSessionData,
  errors: ['not_found'],
  needsSecret: true,
  needsClock: true,
  handler: async ({ ctx, db, scope, params }) => {
    const row = await findMerchantSession(db, scope, params.checkoutSessionId);
    if (!row) throw new Refusal('not_found');
    return toAnswer(ctx, row);
  },
});

const expire = write({
  method: 'PATCH',
  path: '/v0/checkout-sessions/:checkoutSessionId/expire',
  operationId: 'expireCheckoutSession',
  tag: 'checkout-sessions',
  summary: 'End a checkout that is not paid',
  description: 'Its page sells no more, and an order that was declined ends with it.',
  params: CheckoutSessionParams,
  body: Body({}),
  data: CheckoutSessionData,
  errors: ['not_found', 'checkout_session_state'],
  example: {},
  handler: async ({ ctx, tx, scope, params: { checkoutSessionId: id }, audit }) => {
    const before = await findMerchantSession(tx, scope, id);
    if (!before) throw new Refusal('not_found');
    audit(toAnswer(ctx, before));
    await expireSession(ctx, scope, { tx, id });
    return toAnswer(ctx, (await findMerchantSession(tx, scope, id)) ?? before);
  },
});

export const checkoutSessionRoutes: Route[] = [create, get, expire];
