/**
 * What the server tells the checkout. Every amount is in minor units of its currency and has been computed by
 * the server: the page only writes them down. Times are milliseconds.
 */
import type { Seller } from './branding.ts';

export type IntervalUnit = 'day' | 'week' | 'month' | 'year';

export interface Interval {
  interval: IntervalUnit;
  count: number;
}

export interface CheckoutItem {
  offerId: string;
  name: string;
  /** Which product and variant, as far as the name leaves them out. */
  note: string | null;
  description: string | null;
  cover: string | null;
  /** What a plan holds, a line each. */
  features: string[];
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

export type Asked = 'off' | 'optional' | 'required';

export interface FormFields {
  /** ISO codes in the order in which the seller wants them. */
  countries: string[];
  /** What else is asked of a person; a company always gives its address. */
  buyer: { name: Asked; address: Asked };
  postalCodeCountries: string[];
  noPostalCodeCountries: string[];
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
  address: string;
  type: 'individual' | 'company';
  companyName: string;
  taxNumber: string;
  /** Of the lines that the buyer may change, by their offers. */
  quantities: Record<string, number>;
  discountCode: string;
  /** A mail is wanted if this is not finished. */
  remind: boolean;
  customFields: Record<string, string>;
}

export interface Notice {
  code: string;
  message: string;
}

/** With the shop that it is about, where it is about one. */
export interface ShopNotice extends Notice {
  seller?: Seller;
  testMode?: boolean;
  legal?: LegalLinks;
}

export interface TaxLine {
  name: string;
  country: string;
  region: string | null;
  percentage: number;
  amount: number;
}

/** Paths of the pages where buyers withdraw and cancel; null = the shop has none. */
export interface LegalLinks {
  /** Where who has bought signs in. */
  portal: string | null;
  withdraw: string | null;
  cancel: string | null;
}

export interface ConsentBox {
  kind: 'content' | 'service';
  text: string;
  textVersion: string;
  language: string;
  isRequired: boolean;
}

/** How something can be paid. */
/** `token`: by fields of the processor's own, which this page never reads. */
export type Method = 'token' | 'card' | 'redirect' | 'transfer';

/** What the processor of a charge that waits asks of its buyer. */
export type AskedAction =
  | { kind: 'redirect'; url: string }
  | { kind: 'script'; script: string; clientSecret: string; publishableKey: string }
  | { kind: 'none' }
  | { kind: 'no_answer' };

/** What the fields of a processor are shown with. */
export interface ProcessorFields {
  /** Its kind. */
  kind: string;
  /** The address of its script. */
  script: string;
  publishableKey: string;
  /** As the processor counts it; null = the method is only stored. */
  amount: number | null;
  currency: string;
  types: string[];
  /** Those of a method that the buyer wants stored. */
  keptTypes: string[];
  keepsMethod: boolean;
}

/** Where the buyer is to send the money, and until when. */
export interface Transfer {
  amount: number;
  currency: string;
  currencyDecimals: number;
  /** What the transfer is to bear. */
  reference: string;
  iban: string | null;
  bic: string | null;
  holder: string | null;
  /** The seller's own words. */
  instructions: string | null;
  dueAt: number;
  /** The text of the code that a bank's app reads; null where there is none. */
  code: string | null;
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
  /** What is known of the company's tax number; null where none is given. */
  taxNumberCheck: 'valid' | 'invalid' | 'unreachable' | null;
  renewal: { amount: number; interval: IntervalUnit; count: number; startsAt: number } | null;
  /** By which it can be paid, from where the buyer is. */
  methods: Method[];
  /** Of the method `token`, where that is offered. */
  processorFields: ProcessorFields | null;
  /** The whole page offers what would lead away from one in a frame. */
  hasMoreWays: boolean;
  /** Boxes above the button, each with its words as the server has them. */
  consents: ConsentBox[];
  /** Names this very price; sent back when paying, so that nobody pays another one than was shown. */
  fingerprint: string;
}

export interface ReceiptItem {
  name: string;
  cover: string | null;
  note: string | null;
  quantity: number;
  /** Before discount and, where prices hold none, tax. */
  subtotal: number;
  keys: string[];
  awaitingStock: boolean;
  download: { fileName: string; url: string; size: number | null } | null;
  /** The file that can be downloaded no more: it was as often as it may be, or its days are over. */
  downloadOver: string | null;
}

export interface Refund {
  amount: number;
  refundedAt: number;
  creditNoteNumber: string | null;
  creditNoteUrl: string | null;
}

/** How a total came about. */
export interface Breakdown {
  inclusive: boolean;
  subtotal: number;
  discount: number;
  taxLines: TaxLine[];
}

export interface Receipt extends Breakdown {
  orderId: string;
  orderNumber: string;
  /** The merchant's own number of it. */
  reference: string | null;
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
  paymentMethod: ShownMethod | null;
  /** Where keys and files are once this page shows them no more. */
  signInUrl: string | null;
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
  seller: Seller;
  legal: LegalLinks;
  /** The way back to the seller's shop. */
  cancelUrl: string | null;
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
  /** `isAsked`: the processor says what it wants when it is asked, and its script may show that in the page. */
  action: { url: string; isAsked: boolean } | null;
  /** Where to send the money of what is `processing`; null where a bank is asked. */
  transfer: Transfer | null;
  /** What was ordered, and is not paid yet. */
  order: { id: string; number: string; reference: string | null } | null;
  /** What the seller has set. */
  lockedFields: Array<'email' | 'country' | 'quantity' | 'discountCode'>;
  /** What the page's link said of the purchase; null once the server keeps it. */
  link?: {
    reference?: string | null;
    redirectUrl?: string | null;
    frame: 'overlay' | 'embed' | null;
  } | null;
  /** Of the page as it was first shown: the server has not heard yet that somebody looks at it. */
  isUnseen?: boolean;
  lastError: Notice | null;
  /** Of whoever has proved to be a user of the shop, for orders of their own address; null = nobody is known. */
  saved: { email: string; methods: SavedMethod[] } | null;
  /** Whether the buyer may ask for a mail, should they not finish. */
  asksReminder: boolean;
  /** Of a session that has ended: where a new one begins with all that was typed; null = nowhere. */
  againUrl: string | null;
  /** The first browser that opens it is taken for that of the user it was made for. */
  isUnopened: boolean;
}

/** A card that its owner may pay with again. */
export interface ShownMethod {
  type: string;
  /** The same in every language; null = the page says what it is. */
  name: string | null;
  last4: string | null;
}

export interface SavedMethod extends ShownMethod {
  id: string;
}

/** What is claimed was claimed before: its mail went out again. */
export interface MailedView extends Session {
  status: 'mailed';
  email: string;
}

export type SessionView = CheckoutView | PaidView | MailedView;
