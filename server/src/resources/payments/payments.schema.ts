/** Payments, charges and their short forms in the API. */
import { type Static, Type } from 'typebox';
import { toDocumentUrl } from '../../domain/invoicing/numbering.ts';
import { currencyDecimals } from '../../domain/money/currency.ts';
import { CARD_BRANDS, CARD_WALLETS } from '../../domain/processors/card-words.ts';
import { pageAnswer } from '../paging.ts';
import { Answer, Component, Currency, Described, Minor, Ms, Nullable, StringEnum, Uuid } from '../shapes.ts';
import type { ListedPaymentRow, PaymentRow } from './payments.queries.ts';

export const PAYMENT_STATUSES = [
  'PENDING',
  'PAID',
  'FAILED',
  'UNPAID',
  'CANCELLED',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
  'EXPIRED',
] as const;
export const PAYMENT_TYPES = [
  'one_time',
  'subscription_initial',
  'subscription_update',
  'subscription_interval',
  'subscription_extra',
  'claim_free',
] as const;
export const SUBSCRIPTION_STATUSES = [
  'active',
  'canceled',
  'incomplete',
  'incomplete_expired',
  'past_due',
  'trialing',
  'paused',
  'unpaid',
] as const;

const Brand = Nullable(StringEnum([...CARD_BRANDS]));

export const PaymentStatus = StringEnum(PAYMENT_STATUSES);
export const PaymentType = StringEnum(PAYMENT_TYPES);

export const ShortUser = Answer(null, {
  object: StringEnum(['user']),
  id: Uuid(),
  username: Nullable(Type.String()),
});
export const ShortOrder = Answer(null, {
  object: StringEnum(['order']),
  id: Uuid(),
  number: Type.String(),
  status: PaymentStatus,
});
export const ShortSubscription = Answer(null, {
  object: StringEnum(['subscription']),
  id: Type.String({ description: "The initial order's number." }),
  status: StringEnum(SUBSCRIPTION_STATUSES),
});
export const ShortPayment = Answer(null, {
  object: StringEnum(['payment']),
  id: Uuid(),
  type: PaymentType,
  number: Type.String(),
  status: PaymentStatus,
  value: Minor(),
  currency: Currency(),
});
/** The discount as it was applied. */
export const AppliedDiscount = Answer(null, {
  object: StringEnum(['discount']),
  id: Uuid(),
  type: StringEnum(['code', 'sale']),
  name: Nullable(Type.String()),
  amount: Type.Number(),
  amountType: StringEnum(['fixed', 'percentage']),
  discountCode: Nullable(Type.String()),
});

const Wallet = Answer(null, {
  type: StringEnum([...CARD_WALLETS]),
  dynamicLast4: Nullable(
    Type.String({ description: 'The last 4 digits that the wallet shows in place of the card’s.' }),
  ),
});
const Card = Answer(null, {
  brand: Brand,
  last4: Nullable(Type.String()),
  country: Nullable(Type.String()),
  network: Nullable(
    Type.String({ description: 'The network that it was charged over; null where it is not known.' }),
  ),
  wallet: Described(Nullable(Wallet), 'The wallet that the card lies in; null without.'),
});
const PaymentMethod = Answer(null, {
  type: Type.String(),
  brand: Brand,
  last4: Nullable(Type.String()),
  card: Described(Nullable(Card), 'Of a card; null of other methods.'),
});
export const Charge = Answer('Charge', {
  object: StringEnum(['charge']),
  id: Uuid(),
  status: StringEnum(['succeeded', 'pending', 'failed']),
  amount: Minor(),
  currency: Currency(),
  createdAt: Ms(),
  ipAddress: Nullable(Type.String()),
  paymentMethod: Nullable(PaymentMethod),
  failure: Described(
    Nullable(
      Answer(null, {
        decline: StringEnum(['soft', 'hard', 'authentication', 'technical']),
        reason: Type.String(),
        message: Type.String(),
      }),
    ),
    'Why it failed; null where it did not.',
  ),
  hold: Nullable(
    StringEnum(['discrepancy'], {
      description:
        'Why a pending charge waits for a person: `discrepancy` = other money was taken than was asked for.',
    }),
  ),
  taken: Described(
    Nullable(Answer(null, { amount: Minor(), currency: Currency() })),
    'What was taken where that is not what was asked for; null elsewhere.',
  ),
  byHand: Type.Boolean({
    description: 'Its money comes outside: `POST /v0/payments/{paymentId}/receive` says that it has.',
  }),
  expectedBy: Nullable(Ms({ description: 'By when it is to be decided, where that takes days.' })),
  reversedAt: Nullable(Ms({ description: 'When money that arrived too late was sent back.' })),
});

export const Payment = Answer('Payment', {
  object: StringEnum(['payment']),
  id: Uuid(),
  type: PaymentType,
  number: Type.String(),
  status: PaymentStatus,
  value: Minor(),
  tax: Minor(),
  fee: Minor(),
  refundedValue: Minor(),
  currency: Currency(),
  currencyDecimals: Type.Integer(),
  createdAt: Ms(),
  userId: Uuid(),
  user: ShortUser,
  orderId: Uuid(),
  orderNumber: Type.String(),
  order: ShortOrder,
  subscriptionId: Nullable(Type.String()),
  subscription: Nullable(ShortSubscription),
  checkoutId: Nullable(Uuid()),
  discount: Nullable(AppliedDiscount),
  invoiceNumber: Nullable(Type.String()),
  invoiceUrl: Nullable(
    Type.String({ description: "The invoice's PDF: whoever has the link may open it; it does not expire." }),
  ),
  payUrl: Nullable(
    Type.String({ description: 'Where the buyer authenticates or pays; null when there is nothing to do.' }),
  ),
  charges: Type.Array(Component(Charge)),
});

export const PaymentData = Answer(null, { payment: Component(Payment) });
/** What the buyer answered to the store's questions, by their keys: the same in each row of a purchase. */
export const FieldAnswers = Nullable(
  Type.Record(Type.String(), Type.String(), {
    description: 'What the buyer answered at the checkout. Null without the secret key.',
  }),
);
/** A row of the list. */
export const ListedPayment = Answer('ListedPayment', {
  ...Payment.properties,
  userEmail: Nullable(Type.String({ description: 'Null without the secret key.' })),
  customFields: FieldAnswers,
});
export const PaymentsData = Answer(null, { payments: Type.Array(Component(ListedPayment)), ...pageAnswer });

const OPEN = new Set(['PENDING', 'FAILED', 'UNPAID']);

type Payable = Pick<PaymentRow, 'type' | 'status'> & { payToken: string | null };

/** The page that pays; null where nothing is to be paid. A change of plan that failed is off: so is its payment. */
export function toPayUrl(publicUrl: string, { type, status, payToken }: Payable): string | null {
  const isOff = type === 'subscription_update' && status === 'FAILED';
  return OPEN.has(status) && !isOff && payToken !== null ? `${publicUrl}/pay/${payToken}` : null;
}

/** `publicUrl` is where the buyer's pages are. */
export function toPayment(row: PaymentRow, publicUrl: string): Static<typeof Payment> {
  const subscriptionId = row.subscriptionStatus === null ? null : row.orderNumber;
  // Enumerated columns hold only what our own state tables and schemas let in.
  return {
    object: 'payment',
    id: row.id,
    type: row.type,
    number: row.number,
    status: row.status,
    value: Number(row.value),
    tax: Number(row.tax),
    fee: Number(row.fee),
    refundedValue: Number(row.refundedValue),
    currency: row.currency,
    currencyDecimals: currencyDecimals(row.currency),
    createdAt: row.createdAt,
    userId: row.userId,
    user: { object: 'user', id: row.userId, username: row.username },
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    order: { object: 'order', id: row.orderId, number: row.orderNumber, status: row.orderStatus },
    subscriptionId,
    subscription:
      subscriptionId === null
        ? null
        : { object: 'subscription', id: subscriptionId, status: row.subscriptionStatus },
    checkoutId: row.checkoutId,
    discount: row.discount,
    invoiceNumber: row.invoiceNumber,
    invoiceUrl: row.invoiceToken === null ? null : toDocumentUrl(publicUrl, row.invoiceToken),
    payUrl: toPayUrl(publicUrl, row),
    charges: row.charges,
  } as Static<typeof Payment>;
}

export function toListedPayment(row: ListedPaymentRow, publicUrl: string): Static<typeof ListedPayment> {
  const { userEmail, customFields } = row;
  return { ...toPayment(row, publicUrl), userEmail, customFields: customFields ?? {} };
}

type PaymentShortRow = Pick<PaymentRow, 'id' | 'type' | 'number' | 'status' | 'value' | 'currency'>;

export function toPaymentShort(row: PaymentShortRow): Static<typeof ShortPayment> {
  const { id, type, number, status, currency } = row;
  return { object: 'payment', id, type, number, status, value: Number(row.value), currency } as Static<
    typeof ShortPayment
  >;
}
