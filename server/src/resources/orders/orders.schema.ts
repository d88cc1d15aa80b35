/** Orders and items in the API. */
import { type Static, Type } from 'typebox';
import { isLongerThan, lastCharacters } from '../../domain/characters.ts';
import { FULFILMENTS, type Fulfilment } from '../../domain/checkout/fulfilment.ts';
import { toItemNote } from '../../domain/item-note.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import type { SoldSums } from '../../domain/pricing/breakdown.ts';
import { pageAnswer, pageQuery, statusQuery } from '../paging.ts';
import {
  AppliedDiscount,
  FieldAnswers,
  PAYMENT_STATUSES,
  PAYMENT_TYPES,
  Payment,
  PaymentStatus,
  PaymentType,
  ShortPayment,
  ShortSubscription,
  ShortUser,
  toPaymentShort,
} from '../payments/payments.schema.ts';
import { Refund } from '../refunds/refunds.schema.ts';
import { ShortOffer, ShortProduct, ShortVariant } from '../sales/short-forms.schema.ts';
import {
  Answer,
  Body,
  Component,
  Currency,
  CurrencyInput,
  Described,
  IdOrNumber,
  Minor,
  Ms,
  Nullable,
  StringEnum,
  TimeBound,
  TimeBoundTo,
  Uuid,
} from '../shapes.ts';
import { Subscription } from '../subscriptions/subscriptions.schema.ts';
import type { ListedOrderRow } from './list-orders.queries.ts';
import type { OrderItemRow, OrderRow } from './orders.queries.ts';

const Consent = Answer(null, {
  kind: Type.String(),
  text: Type.String({ description: 'What the buyer agreed to, word for word.' }),
  textVersion: Type.String({ description: 'Which version of the text it was.' }),
  language: Type.String(),
  givenAt: Ms(),
  confirmedAt: Nullable(Ms()),
  sha256: Type.String(),
});

export const Order = Answer('Order', {
  object: StringEnum(['order']),
  id: Uuid(),
  number: Type.String(),
  orderNumber: Type.String(),
  status: PaymentStatus,
  type: PaymentType,
  value: Minor(),
  tax: Minor(),
  fee: Minor(),
  refundedValue: Minor(),
  totalItems: Type.Integer(),
  country: Nullable(Type.String()),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  createdAt: Ms(),
  paidAt: Nullable(Ms()),
  userId: Uuid(),
  user: ShortUser,
  checkoutId: Nullable(Uuid()),
  discount: Nullable(AppliedDiscount),
  lastPaymentId: Nullable(Uuid()),
  lastPaymentNumber: Nullable(Type.String()),
  lastPayment: Nullable(ShortPayment),
  subscriptionId: Nullable(Type.String()),
  subscription: Nullable(ShortSubscription),
  reference: Nullable(
    Type.String({ description: 'What links it to something in the merchant’s own system.' }),
  ),
  correctedAt: Nullable(Ms({ description: 'When a merchant last corrected its record by hand.' })),
  consents: Type.Array(Consent, { description: 'What the buyer agreed to at the checkout.' }),
  withdrawableUntil: Nullable(Ms({ description: 'Until when the buyer may withdraw.' })),
  imported: Nullable(
    Answer(null, {
      source: Type.String({ description: 'The service that it was brought in from.' }),
      ref: Type.String({ description: 'Its id there.' }),
      value: Minor({ description: 'What was paid there.' }),
      tax: Minor(),
      currency: Currency(),
      country: Nullable(Type.String()),
    }),
  ),
  archivedAt: Nullable(Ms()),
});

/** A row of the list: what else a reader looks for. */
export const ListedOrder = Answer('ListedOrder', {
  ...Order.properties,
  userEmail: Nullable(Type.String({ description: 'Null without the secret key.' })),
  itemNames: Type.Array(Type.String(), { description: 'Of the first three items.' }),
  itemNotes: Type.Array(Nullable(Type.String()), {
    description: 'Product and variant of each of these, as far as its name leaves them out.',
  }),
  customFields: FieldAnswers,
  fulfilment: StringEnum(FULFILMENTS, { description: 'The first of these that an item of it has.' }),
});

export const TaxRate = Answer(null, {
  name: Type.String(),
  country: Type.String(),
  region: Nullable(Type.String()),
  percentage: Type.Number(),
  taxable: Minor(),
  amount: Minor(),
  reason: Type.String(),
});

export const Item = Answer('Item', {
  object: StringEnum(['item']),
  id: Uuid(),
  name: Type.String(),
  value: Minor({ description: 'Unit price before discount.' }),
  quantity: Type.Integer(),
  currency: Currency(),
  subtotal: Minor(),
  discount: Minor(),
  tax: Minor(),
  total: Minor(),
  inclusive: Type.Boolean({ description: 'Whether the price holds its tax.' }),
  taxReason: Type.String(),
  taxRates: Type.Array(TaxRate),
  product: Nullable(ShortProduct),
  variant: Nullable(ShortVariant),
  plan: Nullable(ShortVariant),
  offer: Nullable(ShortOffer),
  internalId: Nullable(Type.String()),
  customFields: Type.Record(Type.String(), Type.String()),
  keys: Type.Array(
    Answer(null, {
      id: Uuid(),
      key: Type.String({ description: 'Masked to its last 4 without the secret key.' }),
    }),
  ),
  fulfilment: StringEnum(['none', 'waiting', 'delivered', 'awaiting_stock', 'revoked']),
});

/** An item as its order tells of it: with the file that its buyer may download. */
export const OrderItem = Answer('OrderItem', {
  ...Item.properties,
  download: Nullable(
    Described(
      Answer(null, {
        fileName: Type.String(),
        size: Type.Integer({ description: 'Bytes.' }),
        used: Type.Integer({ description: 'Downloads that were counted; none are without a limit.' }),
        limit: Nullable(Type.Integer({ description: 'Most downloads; null = no limit.' })),
        until: Nullable(Ms({ description: 'Until when it may be downloaded; null = for ever.' })),
      }),
      'The file that its buyer may download; null where it is none, and without the secret key.',
    ),
  ),
});

export const OrderParams = Type.Object({ orderIdOrNumber: IdOrNumber() });

const Many = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Array(schema, { maxItems: 100 }));
const Country = Type.String({ pattern: '^[A-Z]{2}$', 'x-upper-case': true });
const SignedValue = Type.Optional(Type.Number());

/** Filters of the lists of orders and payments. */
export const ListSales = Type.Object({
  ...pageQuery,
  orderDirection: Type.Optional(StringEnum(['ASC', 'DESC'])),
  orderBy: Type.Optional(StringEnum(['createdAt', 'orderNumber', 'value'])),
  valueFrom: SignedValue,
  valueTo: SignedValue,
  number: Type.Optional(Type.String({ maxLength: 64 })),
  checkoutIds: Many(Uuid()),
  customFields: Type.Optional(
    Type.String({ maxLength: 4000, description: 'URL-encoded JSON object of field key (or id) to value.' }),
  ),
  ...statusQuery([...PAYMENT_STATUSES, 'archived']),
  types: Many(PaymentType),
  type: Many(PaymentType),
  currencies: Many(Currency()),
  currency: Many(Currency()),
  countries: Many(Country),
  country: Many(Country),
  createdFrom: Type.Optional(TimeBound()),
  createdTo: Type.Optional(TimeBoundTo()),
  paidFrom: Type.Optional(TimeBound()),
  paidTo: Type.Optional(TimeBoundTo()),
  productIds: Many(Uuid({ description: 'An item of the order is of one of these products.' })),
  offerIds: Many(Uuid({ description: 'An item of the order is of one of these offers.' })),
  discountId: Type.Optional(Uuid({ description: 'It was bought with this discount.' })),
  fulfilment: Many(
    StringEnum(FULFILMENTS, { description: 'The first of these that an item of the order has.' }),
  ),
  disputed: Type.Optional(Type.Boolean({ description: 'Whether a buyer’s bank disputes it now.' })),
  held: Type.Optional(Type.Boolean({ description: 'Whether a charge of it waits for a person.' })),
  ids: Many(Uuid()),
  userId: Type.Optional(Uuid()),
  subscriptionId: Type.Optional(Type.String({ maxLength: 64 })),
  reference: Type.Optional(Type.String({ maxLength: 200, description: 'The whole reference.' })),
  term: Type.Optional(
    Type.String({ maxLength: 320, description: 'Number, e-mail or processor transaction id.' }),
  ),
  archived: Type.Optional(Type.Boolean()),
  withArchived: Type.Optional(Type.Boolean()),
  returnCount: Type.Optional(Type.Boolean()),
});

export const OrdersData = Answer(null, { orders: Type.Array(Component(ListedOrder)), ...pageAnswer });
export const OrderData = Answer(null, {
  order: Component(Order),
  items: Type.Array(Component(OrderItem)),
  payments: Type.Array(Component(Payment)),
  refunds: Type.Array(Component(Refund)),
  subscription: Nullable(Component(Subscription)),
});
/** A payment with what it paid for. Here, since items build on payments. */
export const WholePaymentData = Answer(null, {
  payment: Component(Payment),
  items: Type.Array(Component(Item), {
    description: 'Its lines as in its events, each with the inputs of its sum.',
  }),
});
export const OrderItemOnly = Answer(null, { item: Component(OrderItem) });
export const OrderOnly = Answer(null, { order: Component(Order) });

/** Null leaves a field as it is, here and nowhere else. */
const Corrected = (description: string) =>
  Type.Optional(Nullable(Minor({ minimum: 0, description: `${description}; null leaves it as it is.` })));
export const CorrectOrder = Body({
  id: Type.Optional(IdOrNumber()),
  status: Type.Optional(Nullable(PaymentStatus)),
  value: Corrected('Minor units, tax in'),
  tax: Corrected('Minor units, a part of the value'),
  fee: Corrected('Minor units'),
  currency: Type.Optional(Nullable(CurrencyInput())),
});
export const RefundData = Answer(null, {
  refund: Component(Refund),
  order: Component(Order),
  payment: Component(Payment),
});

export const RevealedKeysData = Answer(null, {
  keys: Type.Array(
    Answer(null, { itemId: Uuid(), id: Uuid(), key: Type.String({ description: 'The key, whole.' }) }),
  ),
});

export { PAYMENT_STATUSES, PAYMENT_TYPES };

export function toOrder(row: OrderRow): Static<typeof Order> {
  const subscriptionId = row.subscriptionStatus === null ? null : row.number;
  const { lastPaymentId, lastNumber } = row;
  // Enumerated columns hold only what our own state tables and schemas let in.
  return {
    object: 'order',
    id: row.id,
    number: row.number,
    orderNumber: row.number,
    status: row.status,
    type: row.type,
    value: Number(row.value),
    tax: Number(row.tax),
    fee: Number(row.fee),
    refundedValue: Number(row.refundedValue),
    totalItems: row.totalItems,
    country: row.country,
    currency: row.currency,
    currencyDecimals: currencyDecimals(row.currency),
    createdAt: row.createdAt,
    paidAt: row.paidAt,
    userId: row.userId,
    user: { object: 'user', id: row.userId, username: row.username },
    checkoutId: row.checkoutId,
    discount: row.discount,
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
            currency: row.lastCurrency ?? row.currency,
          }),
    subscriptionId,
    subscription:
      subscriptionId === null
        ? null
        : { object: 'subscription', id: subscriptionId, status: row.subscriptionStatus },
    reference: row.reference,
    correctedAt: row.correctedAt,
    consents: row.consents ?? [],
    withdrawableUntil: row.withdrawableUntil,
    imported: row.imported,
    archivedAt: row.archivedAt,
  } as Static<typeof Order>;
}

/** Added to the order's own object: a copy of thirty members for each row is a tenth of what a list costs. */
export function toListedOrder(row: ListedOrderRow): Static<typeof ListedOrder> {
  const { userEmail, beside } = row;
  return Object.assign(toOrder(row), {
    userEmail,
    itemNames: beside.sold.map(({ name }) => name),
    itemNotes: beside.sold.map(({ name, product, variant }) =>
      toItemNote({ name, productName: product, variantName: variant }),
    ),
    customFields: beside.fields,
    // Words of the items' own check; an order without items delivers nothing.
    fulfilment: (beside.fulfilment ?? 'none') as Fulfilment,
  });
}

/** How much of a key is shown: whole to who holds the secret key, else its last 4. */
export function toMaskedKey(key: string): string {
  return isLongerThan(key, 8) ? `••••${lastCharacters(key, 4)}` : '••••';
}

/** What an item keeps of its price. */
export function toSoldSums({
  subtotal,
  discount,
  inclusive,
  taxRates,
}: Pick<OrderItemRow, 'subtotal' | 'discount' | 'inclusive' | 'taxRates'>): SoldSums {
  // Written by ourselves when the item was sold.
  const rates = taxRates as SoldSums['taxRates'];
  return { subtotal: Number(subtotal), discount: Number(discount), inclusive, taxRates: rates };
}

export function toItem(row: OrderItemRow, { withKeys }: { withKeys: boolean }): Static<typeof Item> {
  return {
    object: 'item',
    id: row.id,
    name: row.name,
    value: Number(row.unitPrice),
    quantity: row.quantity,
    currency: row.currency,
    subtotal: Number(row.subtotal),
    discount: Number(row.discount),
    tax: Number(row.tax),
    total: Number(row.total),
    inclusive: row.inclusive,
    taxReason: row.taxReason,
    taxRates: row.taxRates,
    product: row.product,
    variant: row.variant,
    plan: row.variant,
    offer: row.offer,
    internalId: row.internalId,
    customFields: row.customFields,
    keys: row.keys.map(({ id, key }) => ({ id, key: withKeys ? key : toMaskedKey(key) })),
    fulfilment: row.fulfilment,
  } as Static<typeof Item>;
}

const DAY_MS = 24 * 3_600_000;

/** `file` is what its offer hands out; undefined where it is none, or not for whoever asks. */
export function toOrderItem(
  row: OrderItemRow,
  {
    withKeys,
    file,
    paidAt,
  }: {
    withKeys: boolean;
    file: { fileName: string | null; sizeBytes: number | null } | undefined;
    paidAt: number | null;
  },
): Static<typeof OrderItem> {
  const { fileName = null, sizeBytes = null } = file ?? {};
  const { downloads: used, downloadLimit: limit, downloadDays: days } = row;
  const until = days === null || paidAt === null ? null : paidAt + days * DAY_MS;
  const hasFile = fileName !== null && sizeBytes !== null;
  return {
    ...toItem(row, { withKeys }),
    download: hasFile ? { fileName, size: sizeBytes, used, limit, until } : null,
  };
}
