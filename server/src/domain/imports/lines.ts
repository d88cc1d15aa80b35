/** The lines of an import: what other services call by other names, in one form. Amounts are minor units, times ms. */
import type { Interval } from '../subscriptions/period.ts';

/** In the order in which they are brought in: each may name what stands before it. */
export const LINE_KINDS = [
  'product',
  'variant',
  'offer',
  'discount',
  'customer',
  'payment_method',
  'purchase',
  'key',
  'subscription',
] as const;
export type LineKind = (typeof LINE_KINDS)[number];

interface Line {
  ref: string;
}

export interface MetaLine {
  kind: 'meta';
  format: 'counterfoil-import';
  version: 1;
  source: string;
  account?: string | null;
  currency?: string | null;
}

export interface ProductLine extends Line {
  kind: 'product';
  type: string;
  name: string;
  description?: string | null;
}

export interface VariantLine extends Line {
  kind: 'variant';
  productRef: string;
  name: string;
  description?: string | null;
}

export interface OfferLine extends Line {
  kind: 'offer';
  productRef: string;
  variantRef?: string | null;
  name?: string | null;
  price: number;
  currency: string;
  interval?: Interval | null;
  taxBehavior?: TaxBehavior | null;
  /** False: it is sold to nobody any more, and its buyers keep it. */
  active?: boolean;
}

export type TaxBehavior = 'inclusive' | 'exclusive';

export interface DiscountLine extends Line {
  kind: 'discount';
  name?: string | null;
  code?: string | null;
  amountType: 'fixed' | 'percentage';
  /** Percent with at most two decimals, or minor units. */
  amount: number;
  currency?: string | null;
  duration: 'once' | 'repeating' | 'forever';
  durationIntervals?: number | null;
  validUntil?: number | null;
  active?: boolean;
}

export interface CustomerLine extends Line {
  kind: 'customer';
  email: string;
  name?: string | null;
  language?: string | null;
  billingDetails?: Record<string, string | null>;
  createdAt?: number | null;
}

export interface PaymentMethodLine extends Line {
  kind: 'payment_method';
  customerRef: string;
  /** Of the processor that has the card: its customer and its method. */
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

export interface KeyLine extends Line {
  kind: 'key';
  offerRef: string;
  purchaseRef?: string | null;
  key: string;
  state: 'available' | 'sold' | 'revoked';
  limit?: number | null;
  uses?: number | null;
}

export interface PurchaseItem {
  offerRef: string;
  quantity: number;
}

export interface PurchaseLine extends Line {
  kind: 'purchase';
  customerRef: string;
  items: PurchaseItem[];
  value: number;
  tax: number;
  currency: string;
  country?: string | null;
  createdAt: number;
  paidAt: number;
}

export interface SubscriptionItem extends PurchaseItem {
  unitPrice: number;
}

export interface SubscriptionLine extends Line {
  kind: 'subscription';
  customerRef: string;
  status: string;
  items: SubscriptionItem[];
  currency: string;
  /** On top of the prices or in them; missing = in them. */
  taxBehavior?: TaxBehavior | null;
  discountRef?: string | null;
  /** Of a repeating discount: how many payments it lowers still. */
  discountIntervalsLeft?: number | null;
  cancelAtIntervalEnd?: boolean;
  createdAt: number;
  anchorAt: number;
  /** The end of what was paid for, or of the trial: nothing is charged before. */
  paidUntil: number;
  paymentMethodRef?: string | null;
  paidForPeriod?: { value: number; tax: number } | null;
  /** What the source would charge next, tax in; missing = it is not compared. */
  nextTotal?: number | null;
}

export type ImportLine =
  | ProductLine
  | VariantLine
  | OfferLine
  | DiscountLine
  | CustomerLine
  | PaymentMethodLine
  | KeyLine
  | PurchaseLine
  | SubscriptionLine;

/** Every line that a line names, by kind and ref, with the field that names it. */
export function listNamed(line: ImportLine): Array<{ kind: LineKind; ref: string; path: string }> {
  const named: Array<[LineKind, string | null | undefined, string]> = [];
  if ('productRef' in line) named.push(['product', line.productRef, 'productRef']);
  if ('variantRef' in line) named.push(['variant', line.variantRef, 'variantRef']);
  if ('offerRef' in line) named.push(['offer', line.offerRef, 'offerRef']);
  if ('customerRef' in line) named.push(['customer', line.customerRef, 'customerRef']);
  if ('purchaseRef' in line) named.push(['purchase', line.purchaseRef, 'purchaseRef']);
  if ('discountRef' in line) named.push(['discount', line.discountRef, 'discountRef']);
  if ('paymentMethodRef' in line) named.push(['payment_method', line.paymentMethodRef, 'paymentMethodRef']);
  if ('items' in line)
    line.items.forEach(({ offerRef }, place) => {
      named.push(['offer', offerRef, `items.${place}.offerRef`]);
    });
  return named.flatMap(([kind, ref, path]) => (ref == null ? [] : [{ kind, ref, path }]));
}
