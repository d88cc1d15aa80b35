/**
 * What the server tells the checkout. Every amount is in minor units of its currency and has been computed by
 * the server: the page only writes them down. Times are milliseconds.
 */
export type IntervalUnit = 'day' | 'week' | 'month' | 'year';

export interface Interval {
  interval: IntervalUnit;
  count: number;
}

export interface CheckoutItem {
  offerId: string;
  name: string;
  variantName: string | null;
  description: string | null;
  cover: string | null;
  quantity: number;
  unitPrice: number;
  originalPrice: number | null;
  mutableQuantity: boolean;
  /** The most that the buyer may choose; null = no bound. */
  maxQuantity: number | null;
  recurring: Interval | null;
  trial: (Interval & { endsAt: number }) | null;
  warningMessage: string | null;
}

export interface CustomField {
  key: string;
  label: string;
  type: 'text' | 'dropdown';
  required: boolean;
  options: string[];
  pattern: string | null;
}

export interface FormFields {
  /** ISO codes in the order in which the seller wants them. */
  countries: string[];
  postalCodeCountries: string[];
  statesByCountry: Record<string, Array<{ code: string; name: string }>>;
  custom: CustomField[];
  paymentRequired: boolean;
}

/** The buyer's answers, `''` where there is none yet. */
export interface FormValues {
  email: string;
  firstName: string;
  lastName: string;
  countryCode: string;
  state: string;
  city: string;
  postalCode: string;
  type: 'individual' | 'company';
  companyName: string;
  taxNumber: string;
  quantity: number;
  discountCode: string;
  customFields: Record<string, string>;
}

export interface Notice {
  code: string;
  message: string;
}

export interface TaxLine {
  name: string;
  country: string;
  region: string | null;
  percentage: number;
  amount: number;
}

export interface Quote {
  currency: string;
  currencyDecimals: number;
  inclusive: boolean;
  subtotal: number;
  discount: number;
  /** Null until the buyer's place is known. */
  tax: number | null;
  total: number;
  /** Less than the total in a trial. */
  dueNow: number;
  reason: string | null;
  lines: Array<{
    name: string;
    quantity: number;
    subtotal: number;
    discount: number;
    tax: number;
    total: number;
  }>;
  taxLines: TaxLine[];
  appliedDiscount: {
    type: 'code' | 'sale';
    name: string | null;
    discountCode: string | null;
    amount: number;
    amountType: 'fixed' | 'percentage';
  } | null;
  codeError: Notice | null;
  /** A valid code was given, but a running sale saves more. */
  codeUnused: boolean;
  renewal: { amount: number; interval: IntervalUnit; count: number; startsAt: number } | null;
  /** Names this very price; sent back when paying, so that nobody pays another one than was shown. */
  fingerprint: string;
}

export interface ReceiptItem {
  name: string;
  cover: string | null;
  variantName: string | null;
  quantity: number;
  total: number;
  keys: string[];
  awaitingStock: boolean;
  download: { fileName: string; url: string; size: number | null } | null;
}

export interface Refund {
  amount: number;
  refundedAt: number;
  creditNoteNumber: string | null;
  creditNoteUrl: string | null;
}

export interface Receipt {
  orderId: string;
  orderNumber: string;
  email: string;
  /** Whether the receipt is on its way to the address. */
  isMailed: boolean;
  paidAt: number;
  currency: string;
  currencyDecimals: number;
  total: number;
  tax: number;
  /** Called off by the seller. */
  isCancelled: boolean;
  /** All that was paid was given back. */
  isRefunded: boolean;
  paymentNumber: string;
  invoiceNumber: string | null;
  invoiceUrl: string | null;
  refunds: Refund[];
  paymentMethod: { brand: string | null; last4: string | null } | null;
  items: ReceiptItem[];
  subscription: {
    id: string;
    status: string;
    trialEnd: number | null;
    currentIntervalEnd: number;
    cancelAtIntervalEnd: boolean;
  } | null;
  redirectUrl: string | null;
}

interface Session {
  object: 'checkout_session';
  id: string;
  /** Path of the session's own operations, `/checkout-sessions/<id>`. */
  apiUrl: string;
  testMode: boolean;
  seller: { name: string; supportEmail: string | null };
}

/** A session that was paid: nothing of the catalogue, which may have changed since. */
export interface PaidView extends Session {
  status: 'paid';
  receipt: Receipt;
}

export interface CheckoutView extends Session {
  status: 'open' | 'processing' | 'requires_action' | 'expired' | 'unavailable';
  unavailableReason: Notice | null;
  items: CheckoutItem[];
  fields: FormFields;
  form: FormValues;
  quote: Quote;
  action: { url: string } | null;
  /** Of the page as it was first shown: the server has written nothing of it yet. */
  isDraft?: boolean;
  lastError: Notice | null;
}

/** What is claimed was claimed before: its mail went out again. */
export interface MailedView extends Session {
  status: 'mailed';
  email: string;
}

export type SessionView = CheckoutView | PaidView | MailedView;
