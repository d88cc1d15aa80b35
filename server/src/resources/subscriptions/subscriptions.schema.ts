/** Subscriptions in the API. */
import { type Static, Type } from 'typebox';
import { toAppliedDiscount } from '../../domain/pricing/discount.ts';
import { readPlan, readTerms } from '../../domain/subscriptions/stored-plan.ts';
import { ShortPaymentMethod, toShortPaymentMethod } from '../payment-methods/payment-methods.schema.ts';
import {
  AppliedDiscount,
  ShortOrder,
  ShortPayment,
  ShortUser,
  SUBSCRIPTION_STATUSES,
  toPaymentShort,
} from '../payments/payments.schema.ts';
import { ShortOffer, ShortProduct, ShortVariant } from '../sales/short-forms.schema.ts';
import { Answer, Currency, Minor, Ms, Nullable, StringEnum, Uuid } from '../shapes.ts';
import { Details, toDetails } from '../users/billing-details.schema.ts';
import type { ListedSubscriptionRow, SubscriptionItemRow, SubscriptionRow } from './subscriptions.queries.ts';

export const SubscriptionItem = Answer(null, {
  object: StringEnum(['item']),
  id: Uuid(),
  name: Type.String(),
  value: Minor({ description: 'Unit price before discount.' }),
  quantity: Type.Integer(),
  currency: Currency(),
  offerId: Nullable(Uuid()),
  internalId: Nullable(Type.String()),
  product: Nullable(ShortProduct),
  variant: Nullable(ShortVariant),
  plan: Nullable(ShortVariant),
  offer: Nullable(ShortOffer),
  customFields: Type.Record(Type.String(), Type.String()),
});

const ScheduledItem = Answer(null, {
  ...SubscriptionItem.properties,
  id: Nullable(Uuid({ description: 'Null until it takes effect, of an item that is new.' })),
});

const ScheduledChange = Answer(null, {
  items: Type.Array(ScheduledItem),
  at: Ms({ description: 'The end of the period, where it takes effect.' }),
});

export const Subscription = Answer('Subscription', {
  object: StringEnum(['subscription']),
  id: Type.String({ description: "The initial order's number." }),
  status: StringEnum(SUBSCRIPTION_STATUSES),
  createdAt: Ms(),
  currentIntervalStart: Nullable(Ms()),
  currentIntervalEnd: Nullable(Ms()),
  trialStart: Nullable(Ms()),
  trialEnd: Nullable(Ms()),
  cancelAtIntervalEnd: Type.Boolean(),
  canceledAt: Nullable(Ms()),
  endedAt: Nullable(Ms()),
  pausedAt: Nullable(Ms()),
  resumeAt: Nullable(Ms()),
  cancelReason: Nullable(Type.String()),
  currency: Currency(),
  value: Minor({ description: 'Unit price × quantity of one interval, before discount and tax.' }),
  recurringInterval: StringEnum(['day', 'week', 'month', 'year']),
  recurringIntervalCount: Type.Integer(),
  userId: Uuid(),
  user: ShortUser,
  orderId: Uuid(),
  orderNumber: Type.String(),
  order: ShortOrder,
  lastPaymentId: Nullable(Uuid()),
  lastPaymentNumber: Nullable(Type.String()),
  lastPayment: Nullable(ShortPayment),
  items: Type.Array(SubscriptionItem),
  scheduledChange: Nullable(ScheduledChange),
  discount: Nullable(AppliedDiscount),
  billingDetails: Nullable(Details),
  paymentMethod: Nullable(ShortPaymentMethod),
  paidForPeriod: Nullable(Answer(null, { value: Minor(), tax: Minor() })),
  waiting: Type.Boolean({
    description: 'It was imported and is not activated: nothing is charged and nothing is told.',
  }),
});

/** A row of the list. */
export const ListedSubscription = Answer('ListedSubscription', {
  ...Subscription.properties,
  userEmail: Nullable(Type.String({ description: 'Null without the secret key.' })),
});

export function toListedSubscription(
  row: ListedSubscriptionRow,
  items: SubscriptionItemRow[],
): Static<typeof ListedSubscription> {
  return { ...toSubscription(row, items), userEmail: row.userEmail };
}

export function toSubscription(
  row: SubscriptionRow,
  items: SubscriptionItemRow[],
): Static<typeof Subscription> {
  const { lastPaymentId, lastNumber } = row;
  // Enumerated columns hold only what our own state tables and schemas let in.
  return {
    object: 'subscription',
    id: row.number,
    status: row.status,
    createdAt: row.createdAt,
    currentIntervalStart: row.currentIntervalStart,
    currentIntervalEnd: row.currentIntervalEnd,
    trialStart: row.trialStart,
    trialEnd: row.trialEnd,
    cancelAtIntervalEnd: row.cancelAtIntervalEnd,
    canceledAt: row.canceledAt,
    endedAt: row.endedAt,
    pausedAt: row.pausedAt,
    resumeAt: row.resumeAt,
    cancelReason: row.cancelReason,
    currency: row.currency,
    value: Number(row.value),
    recurringInterval: row.recurringInterval,
    recurringIntervalCount: row.recurringIntervalCount,
    userId: row.userId,
    user: { object: 'user', id: row.userId, username: row.username },
    orderId: row.orderId,
    orderNumber: row.number,
    order: { object: 'order', id: row.orderId, number: row.number, status: row.orderStatus },
    lastPaymentId,
    lastPaymentNumber: lastNumber,
    lastPayment:
      lastPaymentId === null || lastNumber === null || row.lastStatus === null || row.lastType === null
        ? null
        : toPaymentShort({
            id: lastPaymentId,
            number: lastNumber,
            type: row.lastType,
            status: row.lastStatus,
            value: row.lastValue ?? 0n,
            currency: row.currency,
          }),
    items: items.map(toSubscriptionItem),
    scheduledChange: toScheduledChange(row),
    discount: toDiscount(row),
    billingDetails: row.billingDetails && toDetails(row.billingDetails),
    paymentMethod: toMethod(row),
    paidForPeriod: toPaidElsewhere(row.imported),
    waiting: row.waiting,
  } as Static<typeof Subscription>;
}

/** What was paid where it was brought in from, for the period in which it came. */
function toPaidElsewhere(imported: unknown): { value: number; tax: number } | null {
  if (imported === null) return null;
  // Written by `toImported`.
  const { value, tax } = imported as { value: number; tax: number };
  return { value, tax };
}

/** Another interval that was asked for with `none`. */
function toScheduledChange({ scheduledChange, currentIntervalEnd: at, currency }: SubscriptionRow) {
  if (scheduledChange === null) return null;
  const items = readPlan(scheduledChange).items.map((item) => toItemShape({ ...item, currency }));
  return { items, at };
}

function toDiscount({ discount }: SubscriptionRow) {
  const terms = readTerms(discount);
  return terms && toAppliedDiscount(terms);
}

function toMethod({
  paymentMethodId: id,
  methodDetails: details,
  methodExpMonth,
  methodExpYear,
}: SubscriptionRow) {
  if (id === null || details === null) return null;
  return toShortPaymentMethod({ id, details, expMonth: methodExpMonth, expYear: methodExpYear });
}

export function toSubscriptionItem(item: SubscriptionItemRow): Static<typeof SubscriptionItem> {
  return { ...toItemShape(item), id: item.id };
}

type ShownItem = Pick<
  SubscriptionItemRow,
  | 'name'
  | 'unitPrice'
  | 'quantity'
  | 'currency'
  | 'offerId'
  | 'internalId'
  | 'product'
  | 'variant'
  | 'offer'
  | 'customFields'
>;

function toItemShape<T extends ShownItem & { id: string | null }>(item: T) {
  // Currencies and short forms are copies of what our own schemas let in.
  return {
    object: 'item',
    id: item.id,
    name: item.name,
    value: Number(item.unitPrice),
    quantity: item.quantity,
    currency: item.currency,
    offerId: item.offerId,
    internalId: item.internalId,
    product: item.product,
    variant: item.variant,
    plan: item.variant,
    offer: item.offer,
    customFields: item.customFields,
  } as Static<typeof ScheduledItem>;
}
