/** What the portal's operations answer, as far as the screens show it. */
import type { TaxLine } from '../ui/view.ts';

/** Of the address: the plan that the shop has chosen beforehand. */
export const OFFER_PARAMETER = 'svc-offer-id';

export interface Money {
  currency: string;
  currencyDecimals: number;
}

export interface Order extends Money {
  number: string;
  type: string;
  status: string;
  value: number;
  tax: number;
  createdAt: number;
  itemNames?: string[];
  /** Product and variant of each, as far as its name leaves them out. */
  itemNotes?: Array<string | null>;
}

export interface Item {
  id: string;
  name: string;
  product?: { name: string } | null;
  variant?: { name: string | null } | null;
  quantity: number;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** Whether the price holds its tax. */
  inclusive: boolean;
  taxRates: TaxLine[];
}

export interface Payment extends Money {
  id: string;
  number: string;
  status: string;
  value: number;
  createdAt: number;
  invoiceNumber: string | null;
  invoiceUrl: string | null;
  charges: Array<{ status: string; paymentMethod: Method | null }>;
}

export interface Method {
  type: string;
  brand: string | null;
  last4: string | null;
}

export interface Refund {
  id: string;
  amount: number;
  status: string;
  createdAt: number;
  creditNoteNumber: string | null;
  creditNoteUrl: string | null;
}

export interface Upcoming extends Money {
  date: number;
  value: number;
  tax: number;
  lines: Line[];
}

export interface Line {
  kind: string;
  name: string;
  quantity: number;
  total: number;
  tax: number;
  periodStart: number | null;
  periodEnd: number | null;
}

export interface Subscription extends Money {
  id: string;
  status: string;
  value: number;
  recurringInterval: 'day' | 'week' | 'month' | 'year';
  recurringIntervalCount: number;
  currentIntervalEnd: number | null;
  cancelAtIntervalEnd: boolean;
  endedAt: number | null;
  resumeAt: number | null;
  items: Array<Pick<Item, 'name' | 'quantity' | 'product' | 'variant'> & { offerId: string | null }>;
  paymentMethod: Method | null;
  owed: { amount: number; payUrl: string } | null;
  actions: string[];
  /** Where another method of payment is given. */
  cardUrl: string | null;
  againUrl: string | null;
  stayOffer: string | null;
  stayTerms: StayTerms | null;
}

export interface StayTerms {
  amount: number;
  amountType: 'fixed' | 'percentage';
  duration: 'once' | 'repeating' | 'forever';
  durationIntervals: number | null;
}

export interface Page {
  cursor: string | null;
  hasMore: boolean;
}

/** Who is in, and what they may do here. */
export interface OwnSession {
  user: { email: string | null; language: string | null };
  features: {
    cancelTiming: 'endInterval' | 'immediately' | 'choice';
    cancelReasons: string[];
    emailChange: boolean;
    passwordSignIn: boolean;
    deletion: 'request' | 'automatic';
    pauseMaxDays: number;
  };
  hasPassword: boolean;
  deletion: { status: 'none' | 'requested' | 'accepted'; dueAt: number | null };
  flow: string | null;
  subscriptionId: string | null;
  returnUrl: string | null;
  afterFlow: 'portal' | 'return' | null;
}
