import type { OrderStatus } from '../../domain/states/order.ts';
import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';
import type { BillingDetailsJson } from './users.ts';

export interface OrderTables {
  orders: OrdersTable;
  orderItems: OrderItemsTable;
}

export interface OrdersTable extends Scoped {
  id: string;
  number: string;
  status: OrderStatus;
  type: string;
  value: bigint;
  tax: bigint;
  fee: Defaulted<bigint>;
  refundedValue: Defaulted<bigint>;
  totalItems: number;
  country: string | null;
  currency: string;
  userId: string;
  checkoutId: string | null;
  /** Of the checkout that made it, whether that is there still or not. */
  sessionId: string | null;
  /** Of that checkout, once its session has gone; null while it is there, and where nothing was known. */
  language: Defaulted<string | null>;
  /** When its page was first looked at, likewise. */
  viewedAt: Defaulted<number | null>;
  subscriptionId: string | null;
  discount: Json<unknown> | null;
  discountId: string | null;
  lastPaymentId: string | null;
  paymentCounter: Defaulted<number>;
  billingDetails: JsonDefault<BillingDetailsJson>;
  taxDecision: JsonDefault<unknown>;
  locationEvidence: JsonDefault<unknown>;
  holds: Defaulted<'none' | 'held' | 'lapsed' | 'used'>;
  holdsUntil: number | null;
  expiresAt: number | null;
  paidAt: number | null;
  correctedAt: number | null;
  reference: string | null;
  /** Who opened it without the secret key, as limits name an address; null = the merchant. */
  openedBy: string | null;
  /** What the order gave when it was made; null = made before it was kept. */
  withdrawalRight: 'granted' | 'business' | 'excluded' | 'elsewhere' | null;
  /** Null = not yet paid, or no right, or lost. */
  withdrawableUntil: number | null;
  /** When the consents of its last try were given. */
  consentedAt: number | null;
  frozenAt: number | null;
  /** What it was where it was brought in from; null = it was made here. */
  imported: Json<unknown> | null;
  archivedAt: number | null;
  version: Defaulted<number>;
  createdAt: number;
}

export interface OrderItemsTable extends Scoped {
  id: string;
  orderId: string;
  position: number;
  offerId: string | null;
  productId: string | null;
  variantId: string | null;
  name: string;
  internalId: string | null;
  unitPrice: bigint;
  quantity: number;
  currency: string;
  subtotal: bigint;
  discount: bigint;
  tax: bigint;
  total: bigint;
  inclusive: boolean;
  taxReason: string;
  taxRates: JsonDefault<unknown[]>;
  product: Json<unknown> | null;
  variant: Json<unknown> | null;
  offer: Json<unknown> | null;
  customFields: JsonDefault<Record<string, string>>;
  limitHeld: Defaulted<boolean>;
  fulfilment: 'none' | 'waiting' | 'delivered' | 'awaiting_stock' | 'revoked';
  /** How often and for how many days its buyer may download; null = no limit. */
  downloadLimit: number | null;
  downloadDays: number | null;
  downloads: Defaulted<number>;
  /** The link that was counted last. */
  downloadedBy: string | null;
  /** Which right to withdraw the line gives; null = by its product's type. */
  withdrawal: 'service' | 'content' | 'excluded' | null;
  /** A key was shown or mailed, or a file opened. */
  deliveryBeganAt: number | null;
  createdAt: number;
}
