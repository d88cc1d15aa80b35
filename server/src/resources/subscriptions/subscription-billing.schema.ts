/** Lines and prices of subscriptions in the API: what is asked for, and what it comes to. */
import { type Static, Type } from 'typebox';
import type { BillingLine } from '../../domain/billing/line.ts';
import { invalidField } from '../../domain/errors.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { requireWords } from '../../domain/require-words.ts';
import { Order, TaxRate } from '../orders/orders.schema.ts';
import { Payment } from '../payments/payments.schema.ts';
import { ShortOffer, ShortProduct, ShortVariant } from '../sales/short-forms.schema.ts';
import {
  Answer,
  Body,
  CodeUnused,
  Component,
  Currency,
  CurrencyInput,
  IdOrNumber,
  Minor,
  Ms,
  Nullable,
  PriceInput,
  StringEnum,
  Text,
  TimeInput,
  Uuid,
} from '../shapes.ts';
import { BillingDetails } from '../users/billing-details.schema.ts';
import { Subscription } from './subscriptions.schema.ts';

const ITEMS_MAX = 20;
const QUANTITY_MAX = 10_000;
const Quantity = Type.Integer({ minimum: 1, maximum: QUANTITY_MAX });
const Price = () => Type.Optional(PriceInput({ minimum: 1 }));

const AskedLine = Body({
  offerId: Type.Optional(Uuid()),
  name: Type.Optional(Text(150)),
  unitPrice: Price(),
  price: Price(),
  value: Price(),
  currency: Type.Optional(CurrencyInput()),
  quantity: Type.Optional(Quantity),
});
const Items = Type.Array(AskedLine, { minItems: 1, maxItems: ITEMS_MAX });

const asked = {
  items: Type.Optional(Items),
  offerId: Type.Optional(Uuid()),
  quantity: Type.Optional(Quantity),
};

const UPDATE_FIELDS = {
  ...asked,
  prorationBehavior: Type.Optional(StringEnum(['create_prorations', 'always_invoice', 'none'])),
  cancelAtIntervalEnd: Type.Optional(Type.Boolean()),
  prorationDate: Type.Optional(TimeInput()),
  discountCode: Type.Optional(
    Text(64, { description: 'Put on the subscription: used at once, it counts from the next interval.' }),
  ),
  billingDetails: Type.Optional(BillingDetails),
  paymentMethodId: Type.Optional(Uuid({ description: "One of the user's `paymentMethods`." })),
};

export const UpdateSubscription = Body({
  id: Type.Optional(IdOrNumber()),
  ...UPDATE_FIELDS,
});

export const CreateSubscription = Body({
  userId: Type.Optional(Uuid()),
  userEmail: Type.Optional(Text(320)),
  ...asked,
  backdateStartDate: Type.Optional(TimeInput()),
  billingCycleAnchor: Type.Optional(TimeInput()),
  trialEnd: Type.Optional(TimeInput()),
  skipTrial: Type.Optional(Type.Boolean()),
  skipNotifications: Type.Optional(Type.Boolean()),
  discountCode: Type.Optional(Text(64)),
  paymentMethodId: Type.Optional(
    Uuid({ description: "One of the user's `paymentMethods`. Missing = the default." }),
  ),
});

export const ChargeSubscription = Body({
  items: Type.Optional(Items),
  amount: Type.Optional(
    PriceInput({ minimum: 1, description: 'In place of items: one line at this price.' }),
  ),
  currency: Type.Optional(CurrencyInput({ description: 'With amount; the subscription’s when missing.' })),
  description: Type.Optional(Text(500, { description: 'With amount the name of its line.' })),
});

export const PaymentLine = Answer('PaymentLine', {
  object: StringEnum(['line']),
  kind: StringEnum(['interval', 'proration_credit', 'proration_charge', 'extra']),
  name: Type.String(),
  description: Nullable(Type.String()),
  offerId: Nullable(Uuid()),
  value: Minor({ description: 'Unit price before discount; negative for a credit.' }),
  quantity: Type.Integer(),
  currency: Currency(),
  subtotal: Minor(),
  discount: Minor(),
  tax: Minor(),
  total: Minor(),
  inclusive: Type.Boolean(),
  taxReason: Type.String(),
  taxRates: Type.Array(TaxRate),
  product: Nullable(ShortProduct),
  variant: Nullable(ShortVariant),
  offer: Nullable(ShortOffer),
  internalId: Nullable(Type.String()),
  periodStart: Nullable(Ms()),
  periodEnd: Nullable(Ms()),
});

const TaxShare = Answer(null, {
  name: Type.String(),
  country: Type.String(),
  region: Nullable(Type.String()),
  percentage: Type.Number(),
  taxable: Minor(),
  amount: Minor(),
  inclusive: Type.Boolean(),
  reason: Type.String(),
});

export const UpcomingPayment = Answer('UpcomingPayment', {
  object: StringEnum(['upcoming_payment']),
  subscriptionId: Type.String(),
  date: Ms({ description: 'When it will be charged (Unix ms).' }),
  periodStart: Ms(),
  periodEnd: Ms(),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  subtotal: Minor(),
  discount: Minor(),
  tax: Minor(),
  value: Minor(),
  lines: Type.Array(Component(PaymentLine)),
  taxBreakdown: Type.Array(TaxShare),
});

const ReturnedCredit = Answer(null, {
  paymentId: Uuid(),
  amount: Minor({
    description: 'Goes back when the change holds, or with the next payment where its lines wait.',
  }),
  tax: Minor({ description: 'The part of the amount that is tax.' }),
});

const SubscriptionPreview = Answer('SubscriptionPreview', {
  object: StringEnum(['subscription_preview']),
  lines: Type.Array(Component(PaymentLine)),
  amountDue: Minor({ description: 'The value of the payment that the update would make now; 0 when none.' }),
  amountReturned: Minor({ description: 'The sum of `returns`: what the change pays back.' }),
  returns: Type.Array(ReturnedCredit),
  nextPayment: Nullable(Component(UpcomingPayment)),
});

export const planComponents = [PaymentLine, UpcomingPayment, SubscriptionPreview];

export const UpcomingPaymentData = Answer(null, {
  upcomingPayment: Nullable(Component(UpcomingPayment)),
});
export const PreviewData = Answer(null, { preview: Component(SubscriptionPreview) });
export const UpdatedData = Answer(null, {
  success: Type.Boolean(),
  subscription: Component(Subscription),
  payment: Nullable(Component(Payment)),
});
export const CreatedData = Answer(null, {
  subscription: Component(Subscription),
  order: Component(Order),
  payment: Component(Payment),
  codeUnused: CodeUnused(),
});
export const ChargedData = Answer(null, { payment: Component(Payment) });

type Asked = Pick<Static<typeof UpdateSubscription>, 'items' | 'offerId' | 'quantity'>;

/** The lines of a request, whichever way they were given; null = none were. */
export function toAskedLines({ items, offerId, quantity }: Asked) {
  if (items && (offerId !== undefined || quantity !== undefined)) {
    throw invalidField(offerId === undefined ? 'quantity' : 'offerId', 'cannot be given together with items');
  }
  if (items) return items.map((item, index) => toAskedLine(item, `items.${index}`));
  if (offerId !== undefined) return [toAskedLine({ offerId, ...(quantity ? { quantity } : {}) }, '')];
  if (quantity !== undefined) throw invalidField('quantity', 'needs offerId or items');
  return null;
}

/** Lines of a charge: its items, or the one that `amount` is short for, in the subscription's currency if it says none. */
export function toChargeLines(body: Static<typeof ChargeSubscription>, currency: string) {
  const { items, amount, description } = body;
  if (amount === undefined) {
    if (body.currency !== undefined) throw invalidField('currency', 'needs an amount beside it');
    const lines = toAskedLines({ items });
    if (lines === null) throw invalidField('items', 'or amount is required');
    return { lines, description: description ?? null };
  }
  if (items) throw invalidField('amount', 'cannot be given together with items');
  requireWords({ description });
  const name = description ?? 'Extra charge';
  const line = { path: '', offerId: null, name, unitPrice: amount, quantity: 1 };
  return { lines: [{ ...line, currency: body.currency ?? currency }], description: null };
}

function toAskedLine(line: Static<typeof AskedLine>, path: string) {
  // It is what an invoice says was sold.
  requireWords({ [`${path}.name`]: line.name });
  const prices = [line.unitPrice, line.price, line.value].filter((price) => price !== undefined);
  if (prices.some((price) => price !== prices[0])) {
    throw invalidField(`${path}.unitPrice`, 'and its aliases price and value must be equal');
  }
  return {
    path,
    offerId: line.offerId ?? null,
    name: line.name ?? null,
    unitPrice: prices[0] ?? null,
    currency: line.currency ?? null,
    quantity: line.quantity ?? 1,
  };
}

export function toLine(line: BillingLine): Static<typeof PaymentLine> {
  const { kind, name, description, offerId, quantity, currency, inclusive, taxReason, internalId } = line;
  const { periodStart, periodEnd, product, variant, offer, taxRates } = line;
  // Currencies and short forms are copies of what our own schemas let in.
  return {
    object: 'line',
    kind,
    name,
    description,
    offerId,
    value: Number(line.unitPrice),
    quantity,
    currency,
    subtotal: Number(line.subtotal),
    discount: Number(line.discount),
    tax: Number(line.tax),
    total: Number(line.total),
    inclusive,
    taxReason,
    taxRates: [...taxRates],
    product,
    variant,
    offer,
    internalId,
    periodStart,
    periodEnd,
  } as Static<typeof PaymentLine>;
}

interface Upcoming {
  dateMs: number;
  periodStart: number;
  periodEnd: number;
  payment: {
    currency: string;
    subtotalMinor: bigint;
    discountMinor: bigint;
    taxMinor: bigint;
    valueMinor: bigint;
    lines: BillingLine[];
  };
}

export function toUpcomingPayment(
  subscriptionId: string,
  upcoming: Upcoming | null,
): Static<typeof UpcomingPayment> | null {
  if (upcoming === null) return null;
  const { dateMs, periodStart, periodEnd, payment } = upcoming;
  return {
    object: 'upcoming_payment',
    subscriptionId,
    date: dateMs,
    periodStart,
    periodEnd,
    currency: payment.currency as Static<typeof UpcomingPayment>['currency'],
    currencyDecimals: currencyDecimals(payment.currency),
    subtotal: Number(payment.subtotalMinor),
    discount: Number(payment.discountMinor),
    tax: Number(payment.taxMinor),
    value: Number(payment.valueMinor),
    lines: payment.lines.map(toLine),
    taxBreakdown: toTaxBreakdown(payment.lines),
  };
}

/** The taxes of all lines, each once; prices with their tax in them apart from the others. */
function toTaxBreakdown(lines: readonly BillingLine[]): Array<Static<typeof TaxShare>> {
  const shares = new Map<string, Static<typeof TaxShare>>();
  for (const { inclusive, taxRates } of lines) {
    for (const { name, country, region, percentage, taxable, amount, reason } of taxRates) {
      const key = JSON.stringify([name, country, region, percentage, inclusive, reason]);
      const share = shares.get(key);
      if (share) {
        share.taxable += taxable;
        share.amount += amount;
      } else shares.set(key, { name, country, region, percentage, taxable, amount, inclusive, reason });
    }
  }
  return [...shares.values()];
}
