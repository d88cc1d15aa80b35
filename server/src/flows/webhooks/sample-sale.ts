/** Made-up sales in the API's form, complete in every field: what a test event of each type tells. */
import type { Static } from 'typebox';
import type { Step } from '../../context.ts';
import { orderNumberFrom, paymentNumber } from '../../domain/numbers.ts';
import type { EventType } from '../../resources/events/event-types.ts';
import type { Refund } from '../../resources/refunds/refunds.schema.ts';
import type { Sale } from '../../resources/sales/sale.view.ts';

const DAY_MS = 86_400_000;
const NET = 2_000;
const TAX = 380;
const VALUE = NET + TAX;
const FEE = 69;
const CURRENCY = 'EUR';

interface Case {
  paymentType: Sale['payment']['type'];
  paymentStatus: Sale['payment']['status'];
  /** Null = a one-time purchase. */
  subscription: NonNullable<Sale['subscription']>['status'] | null;
}

const CASES: Readonly<Record<EventType, Case>> = {
  payment_success: { paymentType: 'one_time', paymentStatus: 'PAID', subscription: null },
  payment_failed: { paymentType: 'one_time', paymentStatus: 'FAILED', subscription: null },
  payment_refunded: { paymentType: 'one_time', paymentStatus: 'REFUNDED', subscription: null },
  subscription_created: {
    paymentType: 'subscription_initial',
    paymentStatus: 'PENDING',
    subscription: 'incomplete',
  },
  subscription_interval: {
    paymentType: 'subscription_interval',
    paymentStatus: 'PAID',
    subscription: 'active',
  },
  subscription_updated: {
    paymentType: 'subscription_initial',
    paymentStatus: 'PAID',
    subscription: 'active',
  },
  subscription_cancelled: {
    paymentType: 'subscription_interval',
    paymentStatus: 'PAID',
    subscription: 'canceled',
  },
};

/** Everything in it belongs together as in a real one; none of it is stored. */
export function toSampleSale(ctx: Step, type: EventType): Sale {
  const facts = toFacts(ctx, CASES[type]);
  return {
    order: toSampleOrder(facts),
    payment: toSamplePayment(facts),
    items: [toSampleItem(facts)],
    user: toSampleUser(facts),
    subscription: facts.subscription === null ? null : toSampleSubscription(facts, facts.subscription),
    lastPayment: facts.subscription === null ? null : facts.lastPayment,
  };
}

/** All of the sale's payment, given back. */
export function toSampleRefund(ctx: Step, { order, payment }: Sale): Static<typeof Refund> {
  return {
    object: 'refund',
    id: ctx.ids.next(ctx.nowMs),
    status: 'succeeded',
    ...{ amount: payment.value, tax: payment.tax, currency: payment.currency },
    ...{ reason: 'requested_by_customer', note: null, orderId: order.id, paymentId: payment.id },
    byHand: false,
    creditNoteNumber: 'SAMPLE-CN-000001',
    creditNoteUrl: `${ctx.config.publicUrl}/invoices/sample`,
    ...{ returnedAt: null, returnReason: null, createdAt: ctx.nowMs },
  };
}

function toFacts(ctx: Step, one: Case) {
  const { nowMs } = ctx;
  const number = orderNumberFrom(ctx.ids.randomBytes(12));
  const isLater = one.paymentType === 'subscription_interval';
  const userId = ctx.ids.next(nowMs);
  const orderId = ctx.ids.next(nowMs);
  const paymentId = ctx.ids.next(nowMs);
  const orderStatus = isLater ? ('PAID' as const) : one.paymentStatus;
  return {
    ...one,
    ...{ nowMs, number, userId, orderId, paymentId, orderStatus, publicUrl: ctx.config.publicUrl },
    orderType: one.subscription === null ? ('one_time' as const) : ('subscription_initial' as const),
    chargeId: ctx.ids.next(nowMs),
    itemId: ctx.ids.next(nowMs),
    methodId: ctx.ids.next(nowMs),
    product: {
      object: 'product' as const,
      id: ctx.ids.next(nowMs),
      type: one.subscription === null ? 'DigitalDownload' : 'Subscription',
      internalId: 'sample-product',
      name: 'Sample product',
    },
    offer: { object: 'offer' as const, id: ctx.ids.next(nowMs), internalId: 'sample-offer', name: null },
    user: { object: 'user' as const, id: userId, username: null },
    shortOrder: { object: 'order' as const, id: orderId, number, status: orderStatus },
    shortSubscription:
      one.subscription === null
        ? null
        : { object: 'subscription' as const, id: number, status: one.subscription },
    lastPayment: {
      object: 'payment' as const,
      id: paymentId,
      type: one.paymentType,
      number: paymentNumber(number, isLater ? 1 : 0),
      status: one.paymentStatus,
      value: VALUE,
      currency: CURRENCY,
    } as const,
    isTaken: one.paymentStatus === 'PAID' || one.paymentStatus === 'REFUNDED',
    refundedValue: one.paymentStatus === 'REFUNDED' ? VALUE : 0,
  };
}

type Facts = ReturnType<typeof toFacts>;

function toSampleOrder(facts: Facts): Sale['order'] {
  const { nowMs, lastPayment, shortSubscription: subscription } = facts;
  return {
    object: 'order',
    id: facts.orderId,
    number: facts.number,
    orderNumber: facts.number,
    status: facts.orderStatus,
    type: facts.orderType,
    ...{ value: VALUE, tax: TAX, fee: facts.isTaken ? FEE : 0, refundedValue: facts.refundedValue },
    ...{ totalItems: 1, country: 'DE', currency: CURRENCY, currencyDecimals: 2 },
    createdAt: nowMs,
    paidAt: facts.isTaken ? nowMs : null,
    ...{ userId: facts.userId, user: facts.user, checkoutId: null, discount: null },
    ...{ lastPaymentId: lastPayment.id, lastPaymentNumber: lastPayment.number, lastPayment },
    ...{ subscriptionId: subscription?.id ?? null, subscription, archivedAt: null },
    ...{ reference: null, correctedAt: null, consents: [], withdrawableUntil: null, imported: null },
  };
}

function toSamplePayment(facts: Facts): Sale['payment'] {
  const { lastPayment, shortSubscription: subscription, isTaken, nowMs } = facts;
  const { id, type, number, status } = lastPayment;
  return {
    ...{ object: 'payment', id, type, number, status },
    ...{ value: VALUE, tax: TAX, fee: isTaken ? FEE : 0, refundedValue: facts.refundedValue },
    ...{ currency: CURRENCY, currencyDecimals: 2, createdAt: nowMs, userId: facts.userId, user: facts.user },
    ...{ orderId: facts.orderId, orderNumber: facts.number, order: facts.shortOrder },
    ...{ subscriptionId: subscription?.id ?? null, subscription, checkoutId: null, discount: null },
    invoiceNumber: isTaken ? 'SAMPLE-000001' : null,
    invoiceUrl: isTaken ? `${facts.publicUrl}/invoices/sample` : null,
    payUrl: null,
    charges: [toSampleCharge(facts)],
  };
}

function toSampleCharge(facts: Facts): Sale['payment']['charges'][number] {
  const isFailed = facts.paymentStatus === 'FAILED';
  const card = { brand: 'visa', last4: isFailed ? '0002' : '4242' } as const;
  return {
    object: 'charge',
    id: facts.chargeId,
    status: isFailed ? 'failed' : facts.isTaken ? 'succeeded' : 'pending',
    amount: VALUE,
    currency: CURRENCY,
    createdAt: facts.nowMs,
    ipAddress: '203.0.113.7',
    paymentMethod: { type: 'card', ...card, card: { ...card, country: 'DE', network: 'visa', wallet: null } },
    failure: isFailed
      ? { decline: 'soft', reason: 'card_declined', message: 'The card was declined.' }
      : null,
    hold: null,
    taken: null,
    byHand: false,
    expectedBy: null,
    reversedAt: null,
  };
}

function toSampleItem(facts: Facts): Sale['items'][number] {
  const rate = { name: 'VAT', country: 'DE', region: null, percentage: 19, taxable: NET, amount: TAX };
  return {
    object: 'item',
    id: facts.itemId,
    name: facts.product.name,
    ...{ value: NET, quantity: 1, currency: CURRENCY, subtotal: NET, discount: 0, tax: TAX, total: VALUE },
    ...{ inclusive: false, taxReason: 'standard', taxRates: [{ ...rate, reason: 'standard' }] },
    ...{ product: facts.product, variant: null, plan: null, offer: facts.offer },
    ...{ internalId: facts.product.internalId, customFields: {}, keys: [], fulfilment: 'none' },
  };
}

function toSampleUser(facts: Facts): Sale['user'] {
  return {
    object: 'user',
    id: facts.userId,
    email: 'buyer@example.com',
    username: null,
    internalId: null,
    details: SAMPLE_DETAILS,
    paymentData: { stripeCustomerId: null, paypalCustomerId: null, sandboxCustomerId: null },
    language: null,
    version: 1,
    createdAt: facts.nowMs,
    archivedAt: null,
  };
}

const SAMPLE_DETAILS = {
  ...{ type: 'individual' as const, firstName: 'Sam', lastName: 'Sample', companyName: null },
  ...{ dialCode: null, phoneNumber: null, address: '1 Example Street', addressLine2: null },
  ...{ city: 'Berlin', state: null, postalCode: '10115', countryCode: 'DE' },
  ...{ taxIdType: null, taxId: null, taxNumber: null },
};

function toSampleSubscription(
  facts: Facts,
  status: NonNullable<Case['subscription']>,
): NonNullable<Sale['subscription']> {
  const { nowMs, lastPayment, offer, product } = facts;
  const hasBegun = status !== 'incomplete';
  const endedAt = status === 'canceled' ? nowMs : null;
  return {
    object: 'subscription',
    id: facts.number,
    status,
    createdAt: nowMs,
    currentIntervalStart: hasBegun ? nowMs : null,
    currentIntervalEnd: hasBegun ? nowMs + 30 * DAY_MS : null,
    ...{ trialStart: null, trialEnd: null, cancelAtIntervalEnd: false },
    ...{ canceledAt: endedAt, endedAt, pausedAt: null, resumeAt: null, cancelReason: null },
    ...{ currency: CURRENCY, value: NET, recurringInterval: 'month', recurringIntervalCount: 1 },
    ...{ userId: facts.userId, user: facts.user, orderId: facts.orderId, orderNumber: facts.number },
    ...{ order: facts.shortOrder, lastPaymentId: lastPayment.id, lastPaymentNumber: lastPayment.number },
    lastPayment,
    items: [
      {
        ...{ object: 'item', id: facts.itemId, name: product.name, value: NET, quantity: 1 },
        ...{ currency: CURRENCY, offerId: offer.id, internalId: product.internalId },
        ...{ product, variant: null, plan: null, offer, customFields: {} },
      },
    ],
    ...{ scheduledChange: null, discount: null },
    billingDetails: SAMPLE_DETAILS,
    paymentMethod: {
      id: facts.methodId,
      type: 'card',
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2035,
    },
    ...{ scheduledChange: null, discount: null, paidForPeriod: null, waiting: false },
  };
}
