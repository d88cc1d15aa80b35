/** The lines that the service takes (`counterfoil-import`, version 1): amounts are minor units, times ms. */

export type Interval = { unit: 'day' | 'week' | 'month' | 'year'; count: number };
export type TaxBehavior = 'inclusive' | 'exclusive';

export interface MetaLine {
  kind: 'meta';
  format: 'counterfoil-import';
  version: 1;
  source: string;
  account: string | null;
  currency: string | null;
}

interface ProductLine {
  kind: 'product';
  ref: string;
  type: 'Subscription' | 'SoftwareKey' | 'DigitalDownload' | 'OneTimePayment';
  name: string;
  description?: string | null;
}

interface VariantLine {
  kind: 'variant';
  ref: string;
  productRef: string;
  name: string;
}

export interface OfferLine {
  kind: 'offer';
  ref: string;
  productRef: string;
  variantRef?: string | null;
  name?: string | null;
  price: number;
  currency: string;
  interval?: Interval | null;
  taxBehavior?: TaxBehavior | null;
  active?: boolean;
}

export interface DiscountLine {
  kind: 'discount';
  ref: string;
  name?: string | null;
  code?: string | null;
  amountType: 'fixed' | 'percentage';
  amount: number;
  currency?: string | null;
  duration: 'once' | 'repeating' | 'forever';
  durationIntervals?: number | null;
  validUntil?: number | null;
  active?: boolean;
}

export interface CustomerLine {
  kind: 'customer';
  ref: string;
  email: string;
  name?: string | null;
  language?: string | null;
  billingDetails?: Record<string, string | null>;
  createdAt?: number | null;
}

export interface PaymentMethodLine {
  kind: 'payment_method';
  ref: string;
  customerRef: string;
  processor: 'stripe';
  processorCustomer: string;
  processorMethod: string;
  type?: string | null;
  brand?: string | null;
  last4?: string | null;
  expMonth?: number | null;
  expYear?: number | null;
  isDefault?: boolean;
}

interface PurchaseLine {
  kind: 'purchase';
  ref: string;
  customerRef: string;
  items: Array<{ offerRef: string; quantity: number }>;
  value: number;
  tax: number;
  currency: string;
  country?: string | null;
  createdAt: number;
  paidAt: number;
}

interface KeyLine {
  kind: 'key';
  ref: string;
  offerRef: string;
  purchaseRef?: string | null;
  key: string;
  state: 'available' | 'sold' | 'revoked';
  limit?: number | null;
  uses?: number | null;
}

export interface SubscriptionItem {
  offerRef: string;
  quantity: number;
  unitPrice: number;
}

export interface SubscriptionLine {
  kind: 'subscription';
  ref: string;
  customerRef: string;
  status: string;
  items: SubscriptionItem[];
  currency: string;
  taxBehavior?: TaxBehavior | null;
  discountRef?: string | null;
  discountIntervalsLeft?: number | null;
  cancelAtIntervalEnd?: boolean;
  createdAt: number;
  anchorAt: number;
  paidUntil: number;
  paymentMethodRef?: string | null;
  paidForPeriod?: { value: number; tax: number } | null;
  nextTotal?: number | null;
}

export type ImportLine =
  | MetaLine
  | ProductLine
  | VariantLine
  | OfferLine
  | DiscountLine
  | CustomerLine
  | PaymentMethodLine
  | PurchaseLine
  | KeyLine
  | SubscriptionLine;

export const toMeta = (
  source: string,
  { account = null, currency = null }: { account?: string | null; currency?: string | null } = {},
): MetaLine => ({ kind: 'meta', format: 'counterfoil-import', version: 1, source, account, currency });
