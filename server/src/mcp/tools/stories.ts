/** Parts that the stories of an order, a customer and a subscription are told in. */
import {
  email,
  flag,
  free,
  integer,
  list,
  moment,
  money,
  number,
  object,
  type Part,
  ROWS_MAX,
  text,
} from '../parts.ts';

/** A try to take money, with the processor's reason where it was declined. */
export const charge: Part = object({
  id: text('id'),
  status: text('status'),
  amount: money('amount', 'What was asked for.'),
  method: text('paymentMethod.type'),
  brand: text('paymentMethod.brand'),
  last4: text('paymentMethod.last4'),
  declined: text('failure.decline', 'Whether it may be tried again; null where it was not declined.'),
  reason: text('failure.reason', 'The processor’s word for why.'),
  message: text('failure.message'),
  at: moment('createdAt', 'When it was tried.'),
});

export const payment: Part = object({
  id: text('id'),
  number: text('number'),
  type: text('type'),
  status: text('status'),
  value: money('value', 'What is asked for.'),
  tax: money('tax', 'The tax in it.'),
  fee: money('fee', 'What the processor kept.'),
  refunded: money('refundedValue', 'What was given back.'),
  createdAt: moment('createdAt', 'When it was made.'),
  tries: list('charges', charge, 'Each try to take the money.'),
});

export const item: Part = object({
  id: text('id'),
  name: text('name'),
  quantity: integer('quantity', 'How many.'),
  unitPrice: money('value', 'Of one.'),
  subtotal: money('subtotal', 'Before discount.'),
  discount: money('discount', 'What was taken off.'),
  tax: money('tax', 'The tax within or upon it.'),
  total: money('total', 'What was paid for it.'),
  taxIncluded: flag('inclusive', 'Whether the price includes the tax.'),
  taxReason: text('taxReason'),
  product: text('product.name'),
  offerId: text('offer.id'),
  fulfilment: text('fulfilment'),
  customFields: free('customFields', 'The buyer’s answers, by field key.'),
});

export const refund: Part = object({
  id: text('id'),
  status: text('status'),
  amount: money('amount', 'What is given back.'),
  tax: money('tax', 'The tax in it.'),
  reason: text('reason'),
  note: text('note'),
  createdAt: moment('createdAt', 'When it was asked for.'),
});

export const entry: Part = object({
  at: moment('at', 'When it happened.'),
  type: text('type'),
  title: text('title'),
  actor: text('actor', 'Who did it.'),
});

const ORDER = {
  id: text('id'),
  number: text('number'),
  status: text('status'),
  type: text('type'),
  value: money('value', 'What was asked for.'),
  refunded: money('refundedValue', 'What was given back so far.'),
  country: text('country'),
  createdAt: moment('createdAt', 'When it was placed.'),
  paidAt: moment('paidAt', 'When it was paid.'),
};

/** An order of a list. */
export const shortOrder: Part = object(ORDER);

export const order: Part = object({
  ...ORDER,
  tax: money('tax', 'The tax in it.'),
  fee: money('fee', 'What the processor kept.'),
  customerId: text('userId'),
  customerName: text('user.username'),
  subscriptionId: text('subscriptionId'),
  discountCode: text('discount.discountCode'),
});

const SUBSCRIPTION = {
  id: text('id'),
  status: text('status'),
  value: money('value', 'What an interval costs, before tax where that comes on top.'),
  interval: text('recurringInterval'),
  intervalCount: integer('recurringIntervalCount', 'How many of these make one interval.'),
  currentIntervalEnd: moment('currentIntervalEnd', 'When the running interval ends.'),
  cancelAtIntervalEnd: flag('cancelAtIntervalEnd', 'Whether it ends with the running interval.'),
  createdAt: moment('createdAt', 'When it was made.'),
};

/** A subscription of a list. */
export const shortSubscription: Part = object(SUBSCRIPTION);

const subscriptionItem: Part = object({
  id: text('id'),
  name: text('name'),
  quantity: integer('quantity', 'How many.'),
  unitPrice: money('value', 'Of one.'),
  offerId: text('offerId'),
  product: text('product.name'),
  customFields: free('customFields', 'The buyer’s answers, by field key.'),
});

export const subscriptionItems: Part = list('items', subscriptionItem, 'What is billed each interval.');

export const subscription: Part = object({
  ...SUBSCRIPTION,
  trialEnd: moment('trialEnd', 'When the trial ends.'),
  canceledAt: moment('canceledAt', 'When it was cancelled.'),
  endedAt: moment('endedAt', 'When it ended.'),
  pausedAt: moment('pausedAt', 'When collecting was paused.'),
  resumeAt: moment('resumeAt', 'When a pause ends by itself.'),
  cancelReason: text('cancelReason'),
  orderNumber: text('orderNumber'),
  customerId: text('userId'),
  customerName: text('user.username'),
  discountCode: text('discount.discountCode'),
  methodBrand: text('paymentMethod.brand'),
  methodLast4: text('paymentMethod.last4'),
  items: subscriptionItems,
});

const taxRate: Part = object({
  name: text('name'),
  country: text('country'),
  region: text('region'),
  percentage: number('percentage', 'In %.'),
  reason: text('reason'),
});

/** A line of what is or was billed. */
export const line: Part = object({
  name: text('name'),
  kind: text('kind'),
  quantity: integer('quantity', 'How many; a negative line gives back.'),
  unitPrice: money('value', 'Of one.'),
  subtotal: money('subtotal', 'Before discount.'),
  discount: money('discount', 'What is taken off.'),
  tax: money('tax', 'The tax within or upon it.'),
  total: money('total', 'Of the line in all.'),
  taxIncluded: flag('inclusive', 'Whether the price includes the tax.'),
  taxReason: text('taxReason'),
  taxRates: list('taxRates', taxRate, 'The rates that make up the tax.'),
});

export const upcoming: Part = object(
  {
    date: moment('date', 'When it will be charged.'),
    subtotal: money('subtotal', 'Before discount.'),
    discount: money('discount', 'What is taken off.'),
    tax: money('tax', 'The tax within or upon it.'),
    value: money('value', 'What will be charged.'),
    lines: list('lines', line, 'What it consists of.'),
  },
  'The next payment; null where none will follow.',
);

export const customer: Part = object({
  id: text('id'),
  email: email('email'),
  name: text('username'),
  internalId: text('internalId'),
  language: text('language'),
  country: text('details.countryCode'),
  createdAt: moment('createdAt', 'When they were first seen.'),
  archivedAt: moment('archivedAt', 'When they were archived.'),
});

export const owned: Part = object({
  id: text('id'),
  name: text('name'),
  quantity: integer('quantity', 'How many.'),
  status: text('status'),
  fulfilment: text('fulfilment'),
  orderNumber: text('orderNumber'),
  boughtAt: moment('boughtAt', 'When it was bought.'),
  expiresAt: moment('expiresAt', 'When it ends.'),
});

/** One more than is shown, so that what is left out is known. */
export const TAKE = ROWS_MAX + 1;
