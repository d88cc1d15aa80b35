/** Checkouts that a merchant prepares, in the API. */
import { type Static, Type } from 'typebox';
import { LOCKED_FIELDS } from '../../domain/checkout/locked-fields.ts';
import { isUnpaid } from '../../domain/states/order.ts';
import { Answer, Body, Component, Ms, Nullable, StringEnum, Text, TextOrNone, Uuid } from '../shapes.ts';
import { BillingDetails } from '../users/billing-details.schema.ts';
import type { MerchantSessionRow } from './merchant-sessions.queries.ts';

export const CheckoutSession = Answer('CheckoutSession', {
  object: StringEnum(['checkout_session']),
  id: Uuid({ description: 'Opens nothing.' }),
  url: Type.String({ description: 'The page to pay on: whoever has it may see it and pay.' }),
  status: StringEnum(['open', 'processing', 'paid', 'expired'], {
    description: '`processing`: a charge is under way, or waits for the buyer’s bank.',
  }),
  orderId: Nullable(Uuid({ description: 'Null until the buyer has pressed the button once.' })),
  orderNumber: Nullable(Type.String()),
  reference: Nullable(
    Type.String({ description: 'Yours; on the order, in its events and behind redirectUrl.' }),
  ),
  createdAt: Ms(),
  expiresAt: Ms(),
});

export const CreateCheckoutSession = Body({
  elementId: Type.Optional(Uuid()),
  offersIds: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: 100 })),
  quantities: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.Integer({ minimum: 1, maximum: 10_000 }), {
      maxProperties: 100,
      description: 'By the ids of offers of the cart; they may lie above maxPerOrder.',
    }),
  ),
  userId: Type.Optional(Uuid({ description: 'Their e-mail and their details are filled in.' })),
  internalId: Type.Optional(Text(255, { description: 'The user’s; instead of userId.' })),
  email: Type.Optional(Text(320, { description: 'Of somebody who need not be a user yet.' })),
  lock: Type.Optional(
    Type.Array(StringEnum(LOCKED_FIELDS), {
      maxItems: LOCKED_FIELDS.length,
      uniqueItems: true,
      description: 'What the buyer sees and cannot change.',
    }),
  ),
  billingDetails: Type.Optional(BillingDetails),
  discountCode: Type.Optional(Text(64)),
  customFields: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), TextOrNone(500), { maxProperties: 50 }),
  ),
  reference: Type.Optional(
    Text(200, { description: 'Yours; on the order, in its events and behind redirectUrl.' }),
  ),
  redirectUrl: Type.Optional(Text(2000, { description: 'Instead of the setting’s.' })),
  cancelUrl: Type.Optional(Text(2000, { description: 'The way back to your shop on the page.' })),
  origin: Type.Optional(Text(260, { description: 'The only site of authorizedDomains that may frame it.' })),
  language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' })),
  expiresInMinutes: Type.Optional(
    Type.Integer({ minimum: 10, maximum: 1440, description: '1440 when missing.' }),
  ),
});
export const CheckoutSessionParams = Type.Object({ checkoutSessionId: Uuid() });
export const CheckoutSessionData = Answer(null, { checkoutSession: Component(CheckoutSession) });

export function toCheckoutSession(
  { session, order, isCharging }: MerchantSessionRow,
  { nowMs, url }: { nowMs: number; url: string },
): Static<typeof CheckoutSession> {
  return {
    object: 'checkout_session',
    id: session.id,
    url,
    status: toStatus({ session, order, isCharging }, nowMs),
    orderId: order?.id ?? null,
    orderNumber: order?.number ?? null,
    reference: session.reference,
    createdAt: session.createdAt,
    expiresAt: session.expiresAt,
  };
}

function toStatus(
  { session, order, isCharging }: MerchantSessionRow,
  nowMs: number,
): Static<typeof CheckoutSession>['status'] {
  if (order === null) return session.expiresAt <= nowMs ? 'expired' : 'open';
  if (order.paidAt !== null) return 'paid';
  if (!isUnpaid(order)) return 'expired';
  return isCharging ? 'processing' : 'open';
}
