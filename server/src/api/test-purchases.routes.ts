/** Purchases without a browser, in test mode: the very code that the checkout page uses. */
import { type Static, Type } from 'typebox';
import { parseCardNumber } from '../domain/cards.ts';
import { type BuyerForm, EMPTY_FORM, withDetails } from '../domain/checkout/buyer.ts';
import { invalidField, Refusal } from '../domain/errors.ts';
import { isCodeUnused } from '../domain/pricing/discount.ts';
import { CARD_WALLETS } from '../domain/processors/card-words.ts';
import { makeTestPurchase } from '../flows/checkout/make-test-purchase.ts';
import { flow, type Route } from '../http/route.ts';
import { Order } from '../resources/orders/orders.schema.ts';
import { Payment } from '../resources/payments/payments.schema.ts';
import type { Sale } from '../resources/sales/sale.view.ts';
import {
  Answer,
  Body,
  CodeUnused,
  Component,
  Nullable,
  StringEnum,
  Text,
  TextOrNone,
  Uuid,
} from '../resources/shapes.ts';
import { Subscription } from '../resources/subscriptions/subscriptions.schema.ts';
import { BillingDetails } from '../resources/users/billing-details.schema.ts';

const CreateTestPurchase = Body({
  elementId: Type.Optional(Uuid()),
  offersIds: Type.Optional(Type.Array(Uuid(), { minItems: 1, maxItems: 100 })),
  userEmail: Text(320),
  card: Type.Optional(
    Type.String({ maxLength: 40, description: 'A sandbox card; 4242424242424242 when missing.' }),
  ),
  processorId: Type.Optional(Uuid({ description: 'A connected processor, in place of the sandbox.' })),
  paymentMethod: Type.Optional(
    Type.String({
      pattern: '^pm_[A-Za-z0-9_]{1,100}$',
      description:
        "One of Stripe's test methods, such as `pm_card_visa`; none for `manual`, nor for `paypal`, whose buyer approves at the payment's `payUrl`.",
    }),
  ),
  wallet: Type.Optional(
    StringEnum([...CARD_WALLETS], { description: 'The wallet that the sandbox’s card lies in.' }),
  ),
  billingDetails: Type.Optional(BillingDetails),
  discountCode: Type.Optional(Text(64)),
  customFields: Type.Optional(Type.Record(Type.String({ maxLength: 64 }), TextOrNone(500))),
  quantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  consent: Type.Optional(
    Type.Boolean({ description: 'Ticks what the checkout would ask a consumer to agree to.' }),
  ),
});

const TestPurchaseData = Answer(null, {
  order: Component(Order),
  payment: Component(Payment),
  subscription: Nullable(Component(Subscription)),
  codeUnused: CodeUnused(),
});

const create = flow({
  method: 'POST',
  path: '/v0/test-purchases/create',
  operationId: 'createTestPurchase',
  tag: 'test-purchases',
  summary: 'Buy with a sandbox card, in test mode',
  description:
    'A decline, a needed authentication and an unknown outcome are results: 200 with order and payment as they stand.',
  body: CreateTestPurchase,
  data: TestPurchaseData,
  errors: [
    'test_mode_only',
    'not_found',
    'offer_not_for_sale',
    'mixed_offers',
    'custom_field_invalid',
    'card_invalid',
    'discount_code_unknown',
    'discount_inactive',
    'discount_not_started',
    'discount_expired',
    'discount_exhausted',
    'discount_user_limit',
    'discount_not_applicable',
    'discount_wrong_currency',
    'amount_too_large',
    'sold_out',
    'offer_limit_reached',
    'unknown_reference',
    'processor_not_configured',
    'amount_below_minimum',
    'amount_not_chargeable',
  ],
  example: {
    offersIds: ['018f3c5e-7b2a-7c3d-8e4f-5a6b7c8d9e0f'],
    userEmail: 'ada@example.com',
    billingDetails: { countryCode: 'DE' },
  },
  handler: async ({ ctx, scope, body, claim, finish, ipAddress }) => {
    if (!scope.testMode) throw new Refusal('test_mode_only');
    if ((body.elementId === undefined) === (body.offersIds === undefined)) {
      throw invalidField('offersIds', 'or elementId is required, not both');
    }
    const card = toCard(body);
    const sale = await withBodyPaths(() =>
      makeTestPurchase(ctx, scope, {
        purchase: {
          elementId: body.elementId ?? null,
          offerIds: body.offersIds ?? [],
          form: toForm(body),
          card,
          processorId: body.processorId ?? null,
          wallet: body.wallet ?? null,
          consent: body.consent ?? false,
          ipAddress,
        },
        hooks: { claim, finish: (tx, settled) => finish(tx, toData(settled, body)) },
      }),
    );
    return toData(sale, body);
  },
});

/** A number of the sandbox's, or the name of a test method of the processor that is named. */
function toCard({ card, wallet, processorId, paymentMethod }: Static<typeof CreateTestPurchase>): string {
  if (processorId !== undefined) {
    if (card !== undefined) throw invalidField('card', 'is the sandbox’s, and not with processorId');
    if (wallet !== undefined) throw invalidField('wallet', 'is the sandbox’s, and not with processorId');
    return paymentMethod ?? '';
  }
  if (paymentMethod !== undefined) throw invalidField('paymentMethod', 'needs processorId');
  const number = parseCardNumber(card ?? '4242424242424242');
  if (number === null) throw new Refusal('card_invalid', { message: 'card is not a valid card number' });
  return number;
}

function toData({ order, payment, subscription }: Sale, body: Static<typeof CreateTestPurchase>) {
  return { order, payment, subscription, codeUnused: isCodeUnused(body.discountCode, order) };
}

function toForm(body: Static<typeof CreateTestPurchase>): BuyerForm {
  return {
    ...withDetails(EMPTY_FORM, body.billingDetails ?? {}),
    email: body.userEmail,
    quantity: body.quantity ?? null,
    discountCode: body.discountCode ?? null,
    customFields: body.customFields ?? {},
  };
}

const BILLING = new Set(['countryCode', 'postalCode', 'state', 'companyName', 'taxNumber']);

/** The form's field names in this operation's own words. */
async function withBodyPaths<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || !error.details) throw error;
    const details = error.details.map(({ path, ...issue }) => ({ path: toBodyPath(path), ...issue }));
    const [first] = details;
    const message = first ? `${first.path} ${first.message}` : error.message;
    throw new Refusal(error.code, { message, details, cause: error });
  }
}

function toBodyPath(path: string): string {
  if (path === 'email') return 'userEmail';
  return BILLING.has(path) ? `billingDetails.${path}` : path;
}

export const testPurchaseRoutes: Route[] = [create];
