/** Generated from docs/openapi.json by `npm run generate`: do not edit. */

/** Integer minor units of a currency, such as cents. */
export type Minor = number;
/** Milliseconds since 1970. */
export type UnixMs = number;
/** A word of a list to which a later version may add. */
export type Open<T extends string> = T | OtherWord;
/** Any other word; those that are known are still offered by editors. */
export type OtherWord = string & Record<never, never>;
/**
 * What an event of a later version holds: anything, under other names than the known ones have. Those are `never` here,
 * since its type is any string: so a check of `type` is enough to read what a known one holds.
 */
export type LaterData<Known> = Record<string, unknown> & { [Name in keyof Known]: never };

export interface AcceptChargeBody {
  /** Why it is decided so: kept with the charge and in the audit log. */
  note: string;
}
export interface AcknowledgeProcessorReportBody {
  /** What somebody wrote about it. */
  note: string;
}
export interface ActivateImportBody {
  /** Ids here or refs there; missing = all that wait. */
  subscriptions?: Array<string>;
  /** Charges the running period where what was paid for has ended; default false. */
  chargeMissed?: boolean;
  /** Mails a link that stores a card to who has none; default false. */
  invite?: boolean;
}
export interface Activation {
  /** Null where the import has none by this name. */
  subscriptionId: string | null;
  /** The id there. */
  ref: string;
  /** How far it has come. */
  status: 'activated' | 'refused' | OtherWord;
  /** Why it was refused. */
  code: 'too_close' | 'paid_until_passed' | 'payment_method_required' | 'country_required' | 'subscription_state' | 'not_found' | null | OtherWord;
  /** Its buyer was mailed a link that stores a card. */
  invited: boolean;
}
export type ActiveStatusFilter = 'active' | 'inactive' | 'archived';
export interface AddOfferKeysBody {
  /** White space around a key is left away. */
  productKeys?: Array<string>;
  /** When given, it must be the offer's product. */
  productId?: string;
  /** What the file is called. */
  fileName?: string | null;
  /** Only tells what would become of each; writes nothing, and refuses no key. */
  dryRun?: boolean;
}
export interface AddPlanBody {
  /** What people call it. */
  name: string;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** A text for people, of several lines. */
  description?: string | null;
  /** What it offers, a line each. */
  features?: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Address of the video. */
  coverVideo?: string | null;
  /** Its place among the product’s variants, smallest first. */
  order?: number;
}
export interface AddVariantBody {
  /** What people call it. */
  name: string;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** A text for people, of several lines. */
  description?: string | null;
  /** What it offers, a line each. */
  features?: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Address of the video. */
  coverVideo?: string | null;
  /** Its place among the product’s variants, smallest first. */
  order?: number;
}
export interface AdvanceTestClockBody {
  /** The moment to go to. */
  to?: UnixMs;
  /** How far to go; the parts are added up. */
  by?: {
    /** Calendar years. */
    years?: number;
    /** Calendar months. */
    months?: number;
    /** Weeks. */
    weeks?: number;
    /** Days. */
    days?: number;
    /** Hours. */
    hours?: number;
    /** Minutes. */
    minutes?: number;
  };
}
export interface ApiKey {
  /** What kind of object it is. */
  object: 'api_key';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Of which store of the workspace. */
  mode: 'live' | 'test' | OtherWord;
  /** The half of the pair that is no secret. */
  publicKey: string;
  /** null of a pair that is older than this field: only a hash is kept. */
  secretLast4: string | null;
  /** A rolled pair works until `expiresAt`. */
  state: 'active' | 'rolled' | 'expired' | 'revoked' | OtherWord;
  /** `<area>:read` or `:write`; null = all but what needs naming. */
  scopes: Array<string> | null;
  /** Networks; null = from anywhere. */
  ipAllowList: Array<string> | null;
  /** Whether the public key alone reads nothing. */
  readRequiresSecret: boolean;
  /** What unit prices of its requests are written in; answers are always minor units. */
  amounts: 'minor' | 'major' | OtherWord;
  /** When it ends (Unix ms). */
  expiresAt: UnixMs | null;
  /** When it was revoked (Unix ms); null before. */
  revokedAt: UnixMs | null;
  /** Noted within a minute. */
  lastUsedAt: UnixMs | null;
  /** Where it was last used from; null before. */
  lastUsedAddress: string | null;
  /** `account:<id>` or `key:<id>`. */
  createdBy: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface ArchivePlanBody {
  /** Its id. */
  id: string;
  /** Whether its offers are archived with it; else they stay and sell on. */
  archiveOffers?: boolean;
}
export interface ArchiveProcessorBody {
  /** Its keys and its endpoint are given up at once, and not 180 days later. Also of one that is retired already. */
  forget?: boolean;
  /** Although subscriptions renew over it, which nobody charges from then on. */
  confirm?: boolean;
}
export interface ArchiveVariantBody {
  /** Its id. */
  id: string;
  /** Whether its offers are archived with it; else they stay and sell on. */
  archiveOffers?: boolean;
}
export interface AuditEntry {
  /** What kind of object it is. */
  object: 'audit_entry';
  /** Its id. */
  id: string;
  /** null of the workspace as a whole. */
  mode: 'live' | 'test' | null | OtherWord;
  /** `account:<id>`, `key:<id>`, or who else it was. */
  actor: string;
  /** The operation id of the description, or what an account did. */
  operation: string;
  /** Of the object that it is about. */
  objectId: string | null;
  /** What it was before, without secrets. */
  before: Record<string, unknown> | null;
  /** What was made of it, without secrets. */
  after: Record<string, unknown> | null;
  /** Of the request, as logs and support know it. */
  requestId: string | null;
  /** The program that asked by a tool, as it calls itself; null of other ways. */
  client: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface BillingDetails {
  /** Of which kind it is. */
  type: 'individual' | 'company' | null | OtherWord;
  /** Given name. */
  firstName: string | null;
  /** Family name. */
  lastName: string | null;
  /** Of a company. */
  companyName: string | null;
  /** Of the telephone number, such as +49. */
  dialCode: string | null;
  /** Without the dial code. */
  phoneNumber: string | null;
  /** Street and number. */
  address: string | null;
  /** What else the address needs. */
  addressLine2: string | null;
  /** Town. */
  city: string | null;
  /** How far it has come. */
  state: string | null;
  /** As the country writes it. */
  postalCode: string | null;
  /** ISO 3166, two letters. */
  countryCode: string | null;
  /** Which kind of tax number it is. */
  taxIdType: string | null;
  /** The same as `taxIdType`. */
  taxId: string | null;
  /** Of a company, as its country writes it. */
  taxNumber: string | null;
}
export interface BillingDetailsInput {
  /** Of which kind it is. */
  type?: 'individual' | 'company' | null;
  /** Given name. */
  firstName?: string | null;
  /** Family name. */
  lastName?: string | null;
  /** Of a company. */
  companyName?: string | null;
  /** Of the telephone number, such as +49. */
  dialCode?: string | null;
  /** Without the dial code. */
  phoneNumber?: string | null;
  /** Street and number. */
  address?: string | null;
  /** What else the address needs. */
  addressLine2?: string | null;
  /** Town. */
  city?: string | null;
  /** How far it has come. */
  state?: string | null;
  /** As the country writes it. */
  postalCode?: string | null;
  /** ISO 3166, two letters. */
  countryCode?: string | null;
  /** Which kind of tax number it is. */
  taxIdType?: string | null;
  /** Of a company, as its country writes it. */
  taxNumber?: string | null;
}
export interface CalculateTaxBody {
  /** Each an offerId, or a productId with a unitPrice. */
  items?: Array<{
    /** Of the offer. */
    offerId?: string;
    /** Of the product. */
    productId?: string;
    /** Of one, in minor units. */
    unitPrice?: Minor;
    /** 1 when missing. */
    quantity?: number;
  }>;
  /** Instead of items: one offer. */
  offerId?: string;
  /** Instead of items: one product, with an amount. */
  productId?: string;
  /** 1 when missing. */
  quantity?: number;
  /** The unit price, with offerId or productId. */
  amount?: Minor;
  /** The workspace’s when missing. */
  currency?: Currency;
  /** Who buys, and where. */
  customer: {
    /** ISO 3166, two letters. */
    countryCode: string;
    /** How far it has come. */
    state?: string | null;
    /** Required for US, CA, UA and IN. */
    postalCode?: string | null;
    /** Of which kind it is. */
    type?: 'individual' | 'company' | null;
    /** Of a company, as its country writes it. */
    taxNumber?: string | null;
  };
  /** What the buyer enters. */
  discountCode?: string | null;
}
export type CancelReason = 'too_expensive' | 'missing_features' | 'unused' | 'switched' | 'problems' | 'other';
export interface CancelSubscriptionBody {
  /** Whether it ends with the running interval; false or left out: now. A cancellation is taken back by an update. */
  cancelAtIntervalEnd?: boolean;
  /** With an immediate end: gives back what was paid for the time that is left. */
  refund?: boolean;
  /** Why. */
  reason?: string | null;
}
export type CancelTiming = 'endInterval' | 'immediately' | 'choice';
export interface CancellationNotice {
  /** What kind of object it is. */
  object: 'cancellation_notice';
  /** Its id. */
  id: string;
  /** As buyers see it. */
  number: string;
  /** Of which kind it is. */
  type: 'ordinary' | 'cause' | OtherWord;
  /** Of a cancellation for cause. */
  statedReason: string | null;
  /** What people call it. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** As it was typed. */
  contractNumber: string;
  /** When the contract is to end; null = as early as possible. */
  endDate: UnixMs | null;
  /** Whether it was stated on the open page or in the portal. */
  source: 'page' | 'portal' | OtherWord;
  /** When it came in (Unix ms). */
  receivedAt: UnixMs;
  /** When the receipt was mailed to the address given. */
  acknowledgedAt: UnixMs | null;
  /** Null while it names no contract of its sender’s. */
  subscriptionId: string | null;
  /** Of the buyer. */
  userId: string | null;
  /** How far it has come. */
  status: Open<CancellationNoticeStatus>;
  /** Of the canonical JSON (RFC 8785) of what was stated. */
  sha256: string;
}
export type CancellationNoticeStatus = 'received' | 'unmatched' | 'done' | 'refused';
export type CardBrand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay';
export interface Charge {
  /** What kind of object it is. */
  object: 'charge';
  /** Its id. */
  id: string;
  /** How far it has come. */
  status: Open<ChargeStatus>;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** Where the request came from. */
  ipAddress: string | null;
  /** How it is paid. */
  paymentMethod: {
    /** Of which kind it is. */
    type: string;
    /** Of the card. */
    brand: Open<CardBrand> | null;
    /** The last 4 characters. */
    last4: string | null;
    /** Of a card; null of other methods. */
    card: {
      /** Of the card. */
      brand: Open<CardBrand> | null;
      /** The last 4 characters. */
      last4: string | null;
      /** ISO 3166, two letters. */
      country: string | null;
      /** The network that it was charged over; null where it is not known. */
      network: string | null;
      /** The wallet that the card lies in; null without. */
      wallet: {
        /** Of which kind it is. */
        type: Open<WalletType>;
        /** The last 4 digits that the wallet shows in place of the card’s. */
        dynamicLast4: string | null;
      } | null;
    } | null;
  } | null;
  /** Why it failed; null where it did not. */
  failure: {
    /** `soft`: may go through later; `hard`: will not; `authentication`: the buyer must confirm it; `technical`: nobody decided. */
    decline: Open<DeclineKind>;
    /** Why. */
    reason: string;
    /** For people. */
    message: string;
  } | null;
  /** Why a pending charge waits for a person: `discrepancy` = other money was taken than was asked for. */
  hold: 'discrepancy' | null | OtherWord;
  /** What was taken where that is not what was asked for; null elsewhere. */
  taken: {
    /** In minor units of the currency, or in % of a percentage. */
    amount: Minor;
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
  } | null;
  /** Its money comes outside: `POST /v0/payments/{paymentId}/receive` says that it has. */
  byHand: boolean;
  /** By when it is to be decided, where that takes days. */
  expectedBy: UnixMs | null;
  /** When money that arrived too late was sent back. */
  reversedAt: UnixMs | null;
}
export type ChargeStatus = 'succeeded' | 'pending' | 'failed';
export interface ChargeSubscriptionBody {
  /** What it consists of. */
  items?: Array<LineInput>;
  /** In place of items: one line at this price. */
  amount?: Minor;
  /** With amount; the subscription’s when missing. */
  currency?: Currency;
  /** With amount the name of its line. */
  description?: string;
}
export interface CheckoutElement {
  /** What kind of object it is. */
  object: 'checkoutElement';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string | null;
  /** The cart is one offer of a subscription. */
  subscriptionOffer: boolean;
  /** The cart in its order; an offer named twice is bought twice. */
  offers: Array<OfferOfElement>;
  /** Sites that may show it in a frame, fewer than authorizedDomains names; empty: all of those. */
  allowedOrigins: Array<string>;
  /** How far it has come. */
  status: 'active' | 'archived' | OtherWord;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** The hosted page, also what an overlay or frame opens. */
  url: string;
}
export type CheckoutReminder = 'off' | 'ask' | 'always';
export interface CheckoutSession {
  /** What kind of object it is. */
  object: 'checkout_session';
  /** Opens nothing. */
  id: string;
  /** The page to pay on: whoever has it may see it and pay. */
  url: string;
  /** `processing`: a charge is under way, or waits for the buyer’s bank. */
  status: 'open' | 'processing' | 'paid' | 'expired' | OtherWord;
  /** Null until the buyer has pressed the button once. */
  orderId: string | null;
  /** Of the order, as buyers see it. */
  orderNumber: string | null;
  /** Yours; on the order, in its events and behind redirectUrl. */
  reference: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it ends (Unix ms). */
  expiresAt: UnixMs;
}
export interface CommitImportBody {
  /** The hash of the plan that was looked at. */
  plan: string;
  /** Leaves out lines that were refused; default false. */
  skipErrors?: boolean;
  /** Some are charged other sums from now on; default false. */
  acceptPriceChanges?: boolean;
  /** Test mode only: each method becomes the card 4242, all that can be is activated, and the test clock goes forward by this, such as `1month`, before the call answers. */
  rehearse?: string;
}
export interface ConnectProcessorBody {
  /** Of which kind it is. */
  kind: 'manual' | 'paypal' | 'stripe';
  /** What people call it. */
  name: string;
  /** Of `stripe`: `secretKey` and `publishableKey`, a pair of the mode. Of `paypal`: `clientId` and `clientSecret`. Kept sealed, and told by no answer. */
  credentials?: ProcessorCredentialsInput;
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Only those of one of these (ISO 3166). */
  countries?: Array<Country>;
  /** None = all that its kind takes. */
  methods?: Array<ProcessorMethod>;
  /** The lowest that fits is asked first. */
  priority?: number;
  /** What the buyer reads beside the account, by language. */
  instructions?: TextsInput;
  /** Of the account that buyers transfer to. */
  iban?: string | null;
  /** Of the bank. */
  bic?: string | null;
  /** Whose account it is. */
  holder?: string | null;
  /** 14 unless said. */
  dueDays?: number;
}
export interface Consent {
  /** Of which kind it is. */
  kind: string;
  /** What the buyer agreed to, word for word. */
  text: string;
  /** Which version of the text it was. */
  textVersion: string;
  /** ISO 639, such as de. */
  language: string;
  /** When it was given (Unix ms). */
  givenAt: UnixMs;
  /** When it was confirmed (Unix ms). */
  confirmedAt: UnixMs | null;
  /** Of the text, as hex. */
  sha256: string;
}
export type ConsentHandling = 'ask' | 'require' | 'off';
export type Country = 'AD' | 'AE' | 'AF' | 'AG' | 'AI' | 'AL' | 'AM' | 'AO' | 'AQ' | 'AR' | 'AS' | 'AT' | 'AU' | 'AW' | 'AX' | 'AZ' | 'BA' | 'BB' | 'BD' | 'BE' | 'BF' | 'BG' | 'BH' | 'BI' | 'BJ' | 'BL' | 'BM' | 'BN' | 'BO' | 'BQ' | 'BR' | 'BS' | 'BT' | 'BV' | 'BW' | 'BY' | 'BZ' | 'CA' | 'CC' | 'CD' | 'CF' | 'CG' | 'CH' | 'CI' | 'CK' | 'CL' | 'CM' | 'CN' | 'CO' | 'CR' | 'CU' | 'CV' | 'CW' | 'CX' | 'CY' | 'CZ' | 'DE' | 'DJ' | 'DK' | 'DM' | 'DO' | 'DZ' | 'EC' | 'EE' | 'EG' | 'EH' | 'ER' | 'ES' | 'ET' | 'FI' | 'FJ' | 'FK' | 'FM' | 'FO' | 'FR' | 'GA' | 'GB' | 'GD' | 'GE' | 'GF' | 'GG' | 'GH' | 'GI' | 'GL' | 'GM' | 'GN' | 'GP' | 'GQ' | 'GR' | 'GS' | 'GT' | 'GU' | 'GW' | 'GY' | 'HK' | 'HM' | 'HN' | 'HR' | 'HT' | 'HU' | 'ID' | 'IE' | 'IL' | 'IM' | 'IN' | 'IO' | 'IQ' | 'IR' | 'IS' | 'IT' | 'JE' | 'JM' | 'JO' | 'JP' | 'KE' | 'KG' | 'KH' | 'KI' | 'KM' | 'KN' | 'KP' | 'KR' | 'KW' | 'KY' | 'KZ' | 'LA' | 'LB' | 'LC' | 'LI' | 'LK' | 'LR' | 'LS' | 'LT' | 'LU' | 'LV' | 'LY' | 'MA' | 'MC' | 'MD' | 'ME' | 'MF' | 'MG' | 'MH' | 'MK' | 'ML' | 'MM' | 'MN' | 'MO' | 'MP' | 'MQ' | 'MR' | 'MS' | 'MT' | 'MU' | 'MV' | 'MW' | 'MX' | 'MY' | 'MZ' | 'NA' | 'NC' | 'NE' | 'NF' | 'NG' | 'NI' | 'NL' | 'NO' | 'NP' | 'NR' | 'NU' | 'NZ' | 'OM' | 'PA' | 'PE' | 'PF' | 'PG' | 'PH' | 'PK' | 'PL' | 'PM' | 'PN' | 'PR' | 'PS' | 'PT' | 'PW' | 'PY' | 'QA' | 'RE' | 'RO' | 'RS' | 'RU' | 'RW' | 'SA' | 'SB' | 'SC' | 'SD' | 'SE' | 'SG' | 'SH' | 'SI' | 'SJ' | 'SK' | 'SL' | 'SM' | 'SN' | 'SO' | 'SR' | 'SS' | 'ST' | 'SV' | 'SX' | 'SY' | 'SZ' | 'TC' | 'TD' | 'TF' | 'TG' | 'TH' | 'TJ' | 'TK' | 'TL' | 'TM' | 'TN' | 'TO' | 'TR' | 'TT' | 'TV' | 'TW' | 'TZ' | 'UA' | 'UG' | 'UM' | 'US' | 'UY' | 'UZ' | 'VA' | 'VC' | 'VE' | 'VG' | 'VI' | 'VN' | 'VU' | 'WF' | 'WS' | 'XK' | 'YE' | 'YT' | 'ZA' | 'ZM' | 'ZW';
export interface CreateApiKeyBody {
  /** What people call it. */
  name: string;
  /** Such as `orders:read`. */
  scopes?: Array<string> | null;
  /** Networks such as 203.0.113.0/24, or single addresses. */
  ipAllowList?: Array<string> | null;
  /** By default true in live mode. Whoever has the public key of an open pair reads orders and buyers. */
  readRequiresSecret?: boolean;
  /** What unit prices of its requests are written in; answers are always minor units. */
  amounts?: 'minor' | 'major';
  /** When it stops working; in the future. */
  expiresAt?: UnixMs | null;
}
export interface CreateCheckoutElementBody {
  /** Of the offers that are sold. */
  offersIds?: Array<string>;
  /** What people call it. */
  name?: string | null;
  /** Hosts or origins that authorizedDomains covers; in test mode of the own machine, too. */
  allowedOrigins?: Array<string>;
  /** Ignored: what is sold is the offers’ to say. */
  type?: unknown;
  /** Always refused: fields are defined per store. */
  customFields?: unknown;
}
export interface CreateCheckoutSessionBody {
  /** Of the checkout element. */
  elementId?: string;
  /** Of the offers that are sold. */
  offersIds?: Array<string>;
  /** By the ids of offers of the cart; they may lie above maxPerOrder. */
  quantities?: Record<string, number>;
  /** Their e-mail and their details are filled in. */
  userId?: string;
  /** The user’s; instead of userId. */
  internalId?: string;
  /** Of somebody who need not be a user yet. */
  email?: string;
  /** What the buyer sees and cannot change. */
  lock?: Array<'email' | 'country' | 'quantity' | 'discountCode'>;
  /** Who is billed, and where. */
  billingDetails?: BillingDetailsInput;
  /** What the buyer enters. */
  discountCode?: string;
  /** Answers to the merchant’s questions, by field key. */
  customFields?: Record<string, string>;
  /** Yours; on the order, in its events and behind redirectUrl. */
  reference?: string;
  /** Instead of the setting’s. */
  redirectUrl?: string;
  /** The way back to your shop on the page. */
  cancelUrl?: string;
  /** The only site of authorizedDomains that may frame it. */
  origin?: string;
  /** ISO 639, such as de. */
  language?: string;
  /** 1440 when missing. */
  expiresInMinutes?: number;
}
export interface CreateCustomFieldBody {
  /** Names the value in an item’s customFields and prefills it in a URL. */
  key: string;
  /** What buyers are asked. */
  label: string;
  /** Of which kind it is. */
  type: 'text' | 'dropdown';
  /** Whether an answer must be given. */
  required?: boolean;
  /** What buyers choose from, of a `dropdown`. */
  options?: Array<string>;
  /** RE2 syntax, which the whole value must match; null: anything. */
  pattern?: string | null;
  /** Where an answer is checked; null: nowhere. */
  validationUrl?: string | null;
  /** Signs what the validationUrl is asked; null: nothing signs it. */
  validationSecret?: string | null;
  /** Of the merchant’s own project, which groups products. */
  projectId?: string | null;
}
export interface CreateDiscountBody {
  /** Of which kind it is. */
  type: DiscountInputType;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** Whether the amount is money or a percentage. */
  amountType: 'fixed' | 'percentage';
  /** How far it has come. */
  status?: 'active' | 'inactive';
  /** ISO 4217, upper case. */
  currency?: Currency | null;
  /** What people call it. */
  name?: string | null;
  /** What the buyer enters. */
  discountCode?: string | null;
  /** From when on it holds (Unix ms). */
  validFrom?: UnixMs | null;
  /** Until when it holds (Unix ms). */
  validUntil?: UnixMs | null;
  /** IANA name, or an offset such as +02:00. */
  timezone?: string;
  /** How often it can be used in all; null: as often as one likes. */
  purchaseLimit?: number | null;
  /** How often each buyer can use it; null: as often as one likes. */
  limitPerUser?: number | null;
  /** On create true where neither it nor `includedOffers` is given, else false. */
  includesAllOffers?: boolean;
  /** Ids of the offers that it holds for. */
  includedOffers?: Array<string>;
  /** Ids of the offers that it does not hold for. */
  excludedOffers?: Array<string>;
  /** How long it lowers a subscription: its first interval, `durationIntervals` of them, or all. */
  duration?: DiscountDuration;
  /** How many intervals of a subscription it lowers. */
  durationIntervals?: number | null;
}
export interface CreateExportBody {
  /** `store`: all of the store as an archive; `user`: all that it has of one user. */
  kind: ExportKind;
  /** Of kind `list`, which needs it. */
  resource?: ListName;
  /** Of kind `user`, which needs it. */
  userId?: string;
  /** The list’s own parameters, as in an address. Those of paging are left out. */
  query?: string;
  /** Of what the query finds these rows alone. */
  ids?: Array<string>;
  /** Of a CSV: paths of the rows’ fields, such as `user.username`; missing = all. */
  columns?: Array<string>;
  /** Of kind `list`, which needs it. */
  format?: 'csv' | 'ndjson';
  /** Of kind `store`: hashes of key pairs, secrets of webhooks and sealed credentials, too. Needs `recipients`. */
  withSecrets?: boolean;
  /** Of kind `store`: recipients of age (`age1…`), who alone can read the file. */
  recipients?: Array<string>;
}
export interface CreateListenerBody {
  /** What the machine is called. */
  name: string;
  /** The types of events that are told. */
  events: Array<EventType>;
  /** After whsec_: base64 of 16 bytes or more. */
  secret?: string;
}
export interface CreateNoteBody {
  /** What kind of object it is. */
  object: NoteObject;
  /** Of the object that it is about. */
  objectId: string;
  /** What is noted. */
  text: string;
}
export interface CreateOfferBody {
  /** Of the product. */
  productId: string;
  /** Of the variant. */
  variantId?: string | null;
  /** Of one, in minor units. */
  price: Minor;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** Shown struck through beside the price (minor units). */
  originalPrice?: Minor | null;
  /** The store's, which its first offer sets. */
  currency?: Currency;
  /** How long one interval is, with its count. */
  recurringInterval?: Interval | null;
  /** How many of these make one interval. */
  recurringIntervalCount?: number | null;
  /** How long the trial is, with its count. */
  trialInterval?: Interval | null;
  /** How many of these make the trial. */
  trialIntervalCount?: number | null;
  /** How many may be sold in all; null: any number. */
  limit?: number | null;
  /** How many one order may have; null: any number. */
  maxPerOrder?: number | null;
  /** How often it may be downloaded; null: as often as one likes. */
  downloadLimit?: number | null;
  /** For how many days from the payment buyers may download; null: for ever. */
  downloadDays?: number | null;
  /** Whether it costs nothing; then the price is 0. */
  freeProduct?: boolean;
  /** How far it has come. */
  status?: 'DRAFT' | 'ACTIVE';
  /** What people call it. */
  name?: string | null;
  /** A text for people, of several lines. */
  description?: string | null;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Of the country, or of the world where it can be used. */
  region?: string;
  /** Where it is used. */
  platform?: string;
  /** The number that trade knows it by. */
  gtin?: string | null;
  /** What buyers are told before they buy. */
  warningMessage?: string | null;
  /** Whether buyers choose how many. */
  mutableQuantity?: boolean;
  /** Whether the price includes the tax; null: as the settings say. */
  taxBehavior?: 'inclusive' | 'exclusive' | null;
  /** Of the file that buyers download. */
  downloadFileId?: string | null;
  /** What buyers are told of the download. */
  downloadDescription?: string | null;
  /** Words that the merchant sorts by. */
  tags?: Array<{
    /** Its id. */
    id: string;
    /** What people call it. */
    name: string;
  }>;
}
export interface CreatePortalSessionBody {
  /** Of the buyer. */
  userId?: string;
  /** The merchant’s own id. */
  internalId?: string;
  /** An e-mail address. */
  email?: string;
  /** What the session was opened for; null: anything. */
  flow?: PortalFlow;
  /** Of the subscription: its first order’s number. */
  subscriptionId?: string;
  /** Preselected where the plan is changed. */
  offerId?: string;
  /** Where buyers go back to. */
  returnUrl?: string;
  /** Where the buyer goes once it is done: the portal, or `returnUrl`. */
  afterFlow?: 'portal' | 'return';
  /** ISO 639, such as de. */
  language?: string;
}
export interface CreateProductBody {
  /** Of which kind it is. */
  type: ProductType;
  /** What people call it. */
  name: string;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** Unique in the store; made from the name when missing. */
  slug?: string;
  /** A text for people, of several lines. */
  description?: string | null;
  /** Who made it. */
  developer?: string | null;
  /** Who publishes it. */
  publisher?: string | null;
  /** From which age on it is for, by PEGI. */
  pegiRating?: PegiRating | null;
  /** When it comes out (Unix ms). */
  releaseDate?: UnixMs | null;
  /** What it runs on. */
  systems?: Array<string>;
  /** Of which kinds it is. */
  genres?: Array<string>;
  /** How far it has come. */
  status?: ProductStatus;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Address of the video. */
  coverVideo?: string | null;
  /** Address of a video. */
  trailer?: string | null;
  /** Addresses of pictures. */
  gallery?: Array<{
    /** Address of the picture. */
    value: string;
    /** Stands for the picture while it loads. */
    blurHash?: string | null;
  }>;
  /** What it offers, a line each. */
  features?: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Of the merchant’s own project, which groups products. */
  projectId?: string | null;
  /** Which right to withdraw a consumer has; by the type when it is not given. */
  withdrawal?: WithdrawalClass;
  /** Its variants. */
  variants?: Array<AddVariantBody>;
  /** Made with it, each with its price in minor units. */
  offers?: Array<{
    /** Of one, in minor units. */
    price: Minor;
    /** The merchant’s own id. */
    internalId?: string | null;
    /** Shown struck through beside the price (minor units). */
    originalPrice?: Minor | null;
    /** The store's, which its first offer sets. */
    currency?: Currency;
    /** How long one interval is, with its count. */
    recurringInterval?: Interval | null;
    /** How many of these make one interval. */
    recurringIntervalCount?: number | null;
    /** How long the trial is, with its count. */
    trialInterval?: Interval | null;
    /** How many of these make the trial. */
    trialIntervalCount?: number | null;
    /** How many may be sold in all; null: any number. */
    limit?: number | null;
    /** How many one order may have; null: any number. */
    maxPerOrder?: number | null;
    /** How often it may be downloaded; null: as often as one likes. */
    downloadLimit?: number | null;
    /** For how many days from the payment buyers may download; null: for ever. */
    downloadDays?: number | null;
    /** Whether it costs nothing; then the price is 0. */
    freeProduct?: boolean;
    /** How far it has come. */
    status?: 'DRAFT' | 'ACTIVE';
    /** What people call it. */
    name?: string | null;
    /** A text for people, of several lines. */
    description?: string | null;
    /** Address of the picture. */
    cover?: string | null;
    /** Stands for the picture while it loads. */
    coverBlurHash?: string | null;
    /** Of the country, or of the world where it can be used. */
    region?: string;
    /** Where it is used. */
    platform?: string;
    /** The number that trade knows it by. */
    gtin?: string | null;
    /** What buyers are told before they buy. */
    warningMessage?: string | null;
    /** Whether buyers choose how many. */
    mutableQuantity?: boolean;
    /** Whether the price includes the tax; null: as the settings say. */
    taxBehavior?: 'inclusive' | 'exclusive' | null;
    /** Of the file that buyers download. */
    downloadFileId?: string | null;
    /** What buyers are told of the download. */
    downloadDescription?: string | null;
    /** Words that the merchant sorts by. */
    tags?: Array<{
      /** Its id. */
      id: string;
      /** What people call it. */
      name: string;
    }>;
    /** Place of its variant or plan in this request. */
    variantIdx?: number;
  }>;
}
export interface CreateSubscriptionBody {
  /** Of the buyer. */
  userId?: string;
  /** The buyer’s e-mail address. */
  userEmail?: string;
  /** What it consists of. */
  items?: Array<LineInput>;
  /** Of the offer. */
  offerId?: string;
  /** How many. */
  quantity?: number;
  /** From when on it runs (Unix ms). */
  backdateStartDate?: UnixMs;
  /** The moment that all billing periods are computed from (Unix ms). */
  billingCycleAnchor?: UnixMs;
  /** When the trial ends (Unix ms); null without. */
  trialEnd?: UnixMs;
  /** Whether it begins without its trial. */
  skipTrial?: boolean;
  /** Whether no mail is sent. */
  skipNotifications?: boolean;
  /** What the buyer enters. */
  discountCode?: string;
  /** One of the user's `paymentMethods`. Missing = the default. */
  paymentMethodId?: string;
}
export interface CreateTestPurchaseBody {
  /** Of the checkout element. */
  elementId?: string;
  /** Of the offers that are sold. */
  offersIds?: Array<string>;
  /** The buyer’s e-mail address. */
  userEmail: string;
  /** A sandbox card; 4242424242424242 when missing. */
  card?: string;
  /** A connected processor, in place of the sandbox. */
  processorId?: string;
  /** One of Stripe's test methods, such as `pm_card_visa`; none for `manual`, nor for `paypal`, whose buyer approves at the payment's `payUrl`. */
  paymentMethod?: string;
  /** The wallet that the sandbox’s card lies in. */
  wallet?: WalletType;
  /** Who is billed, and where. */
  billingDetails?: BillingDetailsInput;
  /** What the buyer enters. */
  discountCode?: string;
  /** Answers to the merchant’s questions, by field key. */
  customFields?: Record<string, string>;
  /** How many. */
  quantity?: number;
  /** Ticks what the checkout would ask a consumer to agree to. */
  consent?: boolean;
}
export interface CreateUserBody {
  /** An e-mail address. */
  email: string;
  /** With at least one special character, one digit and one upper-case letter. */
  password?: string | null;
  /** What the buyer is called. */
  username?: string | null;
  /** A BCP 47 tag, such as de or pt-BR. */
  language?: string | null;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** Who is billed, and where. */
  billingDetails?: BillingDetailsInput;
  /** The customer’s ids at processors. */
  paymentData?: PaymentDataInput;
}
export interface CreateViewBody {
  /** The list, such as orders. */
  resource: ListName;
  /** What people call it. */
  name: string;
  /** The parameters of the list, as in an address. */
  query: string;
  /** Which columns are shown, in their order. */
  columns?: Array<string>;
  /** Needs settings:write. */
  shared?: boolean;
}
export interface CreateWebhookBody {
  /** http(s), and its host must resolve to a public address. */
  url: string;
  /** The types of events that are told. */
  events: Array<EventType>;
  /** How far it has come. */
  status?: 'active' | 'inactive';
  /** After whsec_: base64 of 16 bytes or more. */
  secret?: string;
  /** A text for people, of several lines. */
  description?: string | null;
}
export type Currency = 'AED' | 'AFN' | 'ALL' | 'AMD' | 'ANG' | 'AOA' | 'ARS' | 'AUD' | 'AWG' | 'AZN' | 'BAM' | 'BBD' | 'BDT' | 'BGN' | 'BHD' | 'BIF' | 'BMD' | 'BND' | 'BOB' | 'BRL' | 'BSD' | 'BWP' | 'BYN' | 'BZD' | 'CAD' | 'CDF' | 'CHF' | 'CLP' | 'CNY' | 'COP' | 'CRC' | 'CVE' | 'CZK' | 'DJF' | 'DKK' | 'DOP' | 'DZD' | 'EGP' | 'ETB' | 'EUR' | 'FJD' | 'FKP' | 'GBP' | 'GEL' | 'GIP' | 'GMD' | 'GNF' | 'GTQ' | 'GYD' | 'HKD' | 'HNL' | 'HRK' | 'HTG' | 'HUF' | 'IDR' | 'ILS' | 'INR' | 'ISK' | 'JMD' | 'JOD' | 'JPY' | 'KES' | 'KGS' | 'KHR' | 'KMF' | 'KRW' | 'KWD' | 'KYD' | 'KZT' | 'LAK' | 'LBP' | 'LKR' | 'LRD' | 'LSL' | 'MAD' | 'MDL' | 'MGA' | 'MKD' | 'MMK' | 'MNT' | 'MOP' | 'MRO' | 'MRU' | 'MUR' | 'MVR' | 'MWK' | 'MXN' | 'MYR' | 'MZN' | 'NAD' | 'NGN' | 'NIO' | 'NOK' | 'NPR' | 'NZD' | 'OMR' | 'PAB' | 'PEN' | 'PGK' | 'PHP' | 'PKR' | 'PLN' | 'PYG' | 'QAR' | 'RON' | 'RSD' | 'RUB' | 'RWF' | 'SAR' | 'SBD' | 'SCR' | 'SEK' | 'SGD' | 'SHP' | 'SLE' | 'SLL' | 'SOS' | 'SRD' | 'SSP' | 'STD' | 'STN' | 'SVC' | 'SZL' | 'THB' | 'TJS' | 'TND' | 'TOP' | 'TRY' | 'TTD' | 'TWD' | 'TZS' | 'UAH' | 'UGX' | 'USD' | 'UYU' | 'UZS' | 'VED' | 'VEF' | 'VES' | 'VND' | 'VUV' | 'WST' | 'XAF' | 'XCD' | 'XCG' | 'XOF' | 'XPF' | 'YER' | 'ZAR' | 'ZMW';
export interface CustomField {
  /** What kind of object it is. */
  object: 'custom_field';
  /** Its id. */
  id: string;
  /** Names the value in an item’s customFields and prefills it in a URL. */
  key: string;
  /** What buyers are asked. */
  label: string;
  /** Of which kind it is. */
  type: 'text' | 'dropdown' | OtherWord;
  /** Whether an answer must be given. */
  required: boolean;
  /** What buyers choose from, of a `dropdown`. */
  options: Array<string>;
  /** RE2 syntax; the whole value must match. */
  pattern: string | null;
  /** Where an answer is checked; null: nowhere. */
  validationUrl: string | null;
  /** Of the merchant’s own project, which groups products. */
  projectId: string | null;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
}
export interface DecideCancellationNoticeBody {
  /** Whether the contract is cancelled. */
  accept: boolean;
  /** Of one that is unmatched. */
  subscriptionId?: string | null;
  /** For the buyer, who is mailed. */
  note?: string | null;
}
export interface DecideWithdrawalBody {
  /** Whether the money goes back. */
  accept: boolean;
  /** Id or number of the order, of one that is unmatched. */
  orderId?: string | null;
  /** What is given back, in minor units; missing = what the law says. */
  amount?: Minor | null;
  /** Why the law gives no right, or why the merchant has refused. */
  reason?: WithdrawalReason | null;
  /** For the buyer, who is mailed. */
  note?: string | null;
}
export type DeclineKind = 'soft' | 'hard' | 'authentication' | 'technical';
export interface DeliveryCounts {
  /** Deliveries that are still to come, or to be tried again. */
  waiting: number;
  /** Deliveries that were answered 2xx. */
  delivered: number;
  /** Deliveries that were given up. */
  failed: number;
  /** Deliveries that were not made any more. */
  dropped: number;
}
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'dropped';
export interface Discount {
  /** What kind of object it is. */
  object: 'discount';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: 'code' | 'sale' | OtherWord;
  /** Minor units of a fixed discount, percent of a percentage. */
  amount: Minor;
  /** Whether the amount is money or a percentage. */
  amountType: 'fixed' | 'percentage' | OtherWord;
  /** How far it has come. */
  status: 'active' | 'inactive' | OtherWord;
  /** How far it has come. */
  state: 'active' | 'scheduled' | 'expired' | 'exhausted' | 'inactive' | 'archived' | OtherWord;
  /** ISO 4217, upper case. */
  currency: Open<Currency> | null;
  /** What people call it. */
  name: string | null;
  /** What the buyer enters. */
  discountCode: string | null;
  /** From when on it holds (Unix ms). */
  validFrom: UnixMs | null;
  /** Until when it holds (Unix ms). */
  validUntil: UnixMs | null;
  /** IANA name or offset; the window is shown in it. */
  timezone: string;
  /** How often it can be used in all; null: as often as one likes. */
  purchaseLimit: number | null;
  /** How often each buyer can use it; null: as often as one likes. */
  limitPerUser: number | null;
  /** How often it was used. */
  timesUsed: number;
  /** Whether it holds for all offers. */
  includesAllOffers: boolean;
  /** Ids of the offers that it holds for. */
  includedOffers: Array<string>;
  /** Ids of the offers that it does not hold for. */
  excludedOffers: Array<string>;
  /** How long it lowers a subscription: its first interval, `durationIntervals` of them, or all. */
  duration: Open<DiscountDuration>;
  /** How many intervals of a subscription it lowers. */
  durationIntervals: number | null;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export type DiscountDuration = 'once' | 'repeating' | 'forever';
export type DiscountInputType = 'code' | 'sale' | 'coupon';
export interface DiscountLabel {
  /** What kind of object it is. */
  object: 'discount';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: 'code' | 'sale' | OtherWord;
  /** What people call it. */
  name: string | null;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** Whether the amount is money or a percentage. */
  amountType: 'fixed' | 'percentage' | OtherWord;
  /** What the buyer enters. */
  discountCode: string | null;
}
export interface Dispute {
  /** What kind of object it is. */
  object: 'dispute';
  /** Its id. */
  id: string;
  /** `open`: not decided, also while a bank only asks. `closed`: an inquiry that came to nothing. */
  status: Open<DisputeStatus>;
  /** `inquiry`: a bank asks and has taken nothing. `open`: the money is gone while the bank decides. `won`, `lost`: decided. `none`: it came to nothing. */
  stage: 'inquiry' | 'open' | 'won' | 'lost' | 'none' | OtherWord;
  /** No more than what was left of the payment. */
  amount: Minor;
  /** The part of the amount that is tax. */
  tax: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** The processor’s word, such as `product_not_received`. */
  reason: string | null;
  /** Until when the bank takes an answer; null: it takes none. */
  evidenceDueAt: UnixMs | null;
  /** Where it is answered, at the processor. */
  processorUrl: string | null;
  /** What has become of the answer at the processor; null where it does not tell. */
  evidence: {
    /** An answer was given there. */
    submitted: boolean;
    /** The time for an answer is over. */
    pastDue: boolean;
  } | null;
  /** Of the charge. */
  chargeId: string;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** Of the payment. */
  paymentId: string;
  /** Of the payment, as buyers see it. */
  paymentNumber: string;
  /** Of the buyer. */
  userId: string;
  /** The buyer’s e-mail address. */
  userEmail: string | null;
  /** When it was opened (Unix ms). */
  openedAt: UnixMs;
  /** When it was closed (Unix ms); null before. */
  closedAt: UnixMs | null;
}
export type DisputeStatus = 'open' | 'won' | 'lost' | 'closed';
export interface Download {
  /** What the file is called. */
  fileName: string;
  /** Bytes. */
  size: number;
  /** Of which kind it is. */
  type: string;
  /** A text for people, of several lines. */
  description: string | null;
}
/** Of docs/errors.md; codes may be added. */
export type ErrorCode = 'invalid_input' | 'invalid_json' | 'duplicate_key' | 'invalid_idempotency_key' | 'amount_too_large' | 'offer_currency_mismatch' | 'free_product_price' | 'free_subscription' | 'recurring_interval_required' | 'recurring_interval_forbidden' | 'plans_need_subscription' | 'keys_on_subscription' | 'unknown_processor_customer' | 'unknown_reference' | 'file_purpose' | 'mixed_offers' | 'custom_fields_not_allowed' | 'custom_field_limit_reached' | 'custom_field_invalid' | 'discount_code_unknown' | 'discount_inactive' | 'discount_not_started' | 'discount_expired' | 'discount_exhausted' | 'discount_user_limit' | 'discount_not_applicable' | 'discount_wrong_currency' | 'consent_required' | 'method_not_offered' | 'amount_below_minimum' | 'amount_not_chargeable' | 'amount_mismatch' | 'card_data_refused' | 'payment_token_invalid' | 'card_invalid' | 'payment_method_required' | 'processor_key_of_a_copy' | 'processor_key_wrong_mode' | 'processor_key_refused' | 'processor_permission_missing' | 'price_changed' | 'offer_not_for_sale' | 'quantity_above_limit' | 'field_locked' | 'quantity_not_mutable' | 'test_mode_only' | 'paid_elsewhere' | 'refund_exceeds_paid' | 'accent_contrast' | 'export_limit_reached' | 'export_state' | 'import_state' | 'import_has_errors' | 'price_changes' | 'plan_changed' | 'import_limit_reached' | 'view_limit_reached' | 'invitation_invalid' | 'team_limit_reached' | 'workspace_limit_reached' | 'api_key_limit_reached' | 'webhook_limit_reached' | 'listener_limit_reached' | 'listener_ended' | 'webhook_url_blocked' | 'event_expired' | 'webhook_inactive' | 'webhook_secret_invalid' | 'workspace_required' | 'passkey_invalid' | 'link_invalid' | 'password_too_weak' | 'unauthorized' | 'session_required' | 'code_invalid' | 'sign_in_failed' | 'invalid_credentials' | 'invalid_code' | 'identity_unknown' | 'sign_in_expired' | 'secret_key_required' | 'proof_required' | 'insufficient_scope' | 'insufficient_permission' | 'sign_up_closed' | 'cross_site_request' | 'reauthentication_required' | 'second_factor_required' | 'ip_not_allowed' | 'workspace_suspended' | 'workspace_archived' | 'download_over' | 'download_limit_reached' | 'email_not_proved' | 'invitation_email_mismatch' | 'access_ended' | 'feature_disabled' | 'not_found' | 'workspace_not_found' | 'route_not_found' | 'method_not_allowed' | 'oidc_unavailable' | 'passkeys_unavailable' | 'passkey_limit_reached' | 'secrets_key_missing' | 'second_factor_set' | 'second_factor_missing' | 'last_admin' | 'mail_server_missing' | 'last_owner' | 'member_exists' | 'subscriptions_running' | 'workspace_state' | 'discount_running' | 'discount_code_taken' | 'payment_method_in_use' | 'internal_id_ambiguous' | 'email_taken' | 'slug_taken' | 'view_taken' | 'key_expired' | 'key_taken' | 'key_sold' | 'key_reserved' | 'sold_out' | 'offer_limit_reached' | 'archived' | 'order_state' | 'payment_state' | 'subscription_state' | 'subscription_running' | 'event_erased' | 'change_pending' | 'payment_pending' | 'payment_not_paid' | 'payment_disputed' | 'withdrawal_state' | 'notice_state' | 'mail_not_resendable' | 'processor_state' | 'processor_other_account' | 'processor_already_connected' | 'public_url_not_secure' | 'processor_in_use' | 'refund_state' | 'already_refunded' | 'charge_not_held' | 'payment_in_progress' | 'checkout_session_state' | 'checkout_expired' | 'processor_not_configured' | 'request_in_progress' | 'answer_not_kept' | 'clock_advancing' | 'edit_conflict' | 'body_too_large' | 'unsupported_media_type' | 'idempotency_key_reused' | 'too_many_attempts' | 'rate_limited' | 'too_many_declines' | 'too_many_codes' | 'too_many_open_orders' | 'internal' | 'list_too_wide' | 'store_held' | 'store_busy' | 'processor_unreachable' | 'unavailable';
export interface EventItem {
  /** What kind of object it is. */
  object: 'item';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Unit price before discount. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** Of the line in all, in minor units. */
  total: Minor;
  /** Whether the price holds its tax. */
  inclusive: boolean;
  /** Why so much tax is due. */
  taxReason: string;
  /** The rates that make up the tax. */
  taxRates: Array<TaxRate>;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The plan, in short; null without. */
  plan: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Answers to the merchant’s questions, by field key. */
  customFields: Record<string, string>;
  /** Licence keys. */
  keys: Array<{
    /** Of the key. */
    id: string;
    /** Its last 4 characters; null of a key of 8 or fewer. */
    last4: string | null;
  }>;
  /** How far its delivery has come. */
  fulfilment: Open<ItemFulfilment>;
}
export interface EventPayment {
  /** What kind of object it is. */
  object: 'payment';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<OrderType>;
  /** As buyers see it. */
  number: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
  /** What is asked for, in minor units. */
  value: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** What the processor kept, in minor units. */
  fee: Minor;
  /** What was given back so far, in minor units. */
  refundedValue: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** The order. */
  order: OrderLabel;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** The subscription; null without. */
  subscription: SubscriptionLabel | null;
  /** Of the checkout element that it was bought by; null of other ways. */
  checkoutId: string | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Of the invoice; null before it is issued. */
  invoiceNumber: string | null;
  /** The invoice's PDF: whoever has the link may open it; it does not expire. */
  invoiceUrl: string | null;
  /** Where the buyer authenticates or pays; null when there is nothing to do. */
  payUrl: string | null;
  /** Each try to take the money. */
  charges: Array<Charge>;
  /** Minor units that this refund gave back. */
  refundAmount?: Minor;
}
export type EventType = 'payment_success' | 'payment_refunded' | 'payment_failed' | 'subscription_created' | 'subscription_interval' | 'subscription_updated' | 'subscription_cancelled';
export interface EventUser {
  /** What kind of object it is. */
  object: 'user';
  /** Its id. */
  id: string;
  /** An e-mail address. */
  email: string | null;
  /** What the buyer is called. */
  username: string | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Of the mails to the user, where they are written in it; null: the browser’s. */
  language: string | null;
  /** Who is billed, and where. */
  details: BillingDetails;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
}
export interface ExpiredEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** One of payment_success, payment_refunded, payment_failed, subscription_created, subscription_interval, subscription_updated, subscription_cancelled; new types may be added. */
  type: string;
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** Always null: its body was let go. */
  data: null;
  /** When its body was let go. */
  expiredAt: UnixMs;
}
export interface Export {
  /** What kind of object it is. */
  object: 'export';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  kind: Open<ExportKind>;
  /** The list that it is a file of; of an archive its kind. */
  resource: string;
  /** The parameters of the list, as in an address. */
  query: string;
  /** Of an export of a user, the user. */
  ids: Array<string>;
  /** Paths of the rows’ fields; none of NDJSON: whole rows. */
  columns: Array<string>;
  /** What kind of file it is. */
  format: 'csv' | 'ndjson' | 'tar.gz' | OtherWord;
  /** Of a store: its secrets are in it. */
  withSecrets: boolean;
  /** Of age: who alone reads the file; none = whoever has it. */
  recipients: Array<string>;
  /** How far it has come. */
  status: 'queued' | 'running' | 'done' | 'failed' | 'canceled' | OtherWord;
  /** Why it failed: `too_large` (2 GiB), `no_room` on the disk, `failed` again and again, or the code by which the list refuses. */
  reason: string | null;
  /** So many have been written. */
  rows: number;
  /** So many there will be; null until they are counted. */
  total: number | null;
  /** In bytes. */
  sizeBytes: number;
  /** Where the file is, for 15 minutes, made anew with each answer; null until it is done. To a session a file of users or mails is shown within minutes of a proof of who it is. */
  url: string | null;
  /** As the audit log names who asks. */
  createdBy: string;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it ended (Unix ms); null before. */
  endedAt: UnixMs | null;
  /** When the file is let go, in real time. */
  expiresAt: UnixMs;
}
export type ExportKind = 'list' | 'store' | 'user';
export type FieldDemand = 'off' | 'optional' | 'required';
export interface HeardDelivery {
  /** What kind of object it is. */
  object: 'heard_delivery';
  /** Of the delivery: its result is reported by it. */
  id: string;
  /** Of the event. */
  eventId: string;
  /** What the event is about. */
  eventType: string;
  /** As a webhook gets them, signed at this moment. */
  headers: Record<string, string>;
  /** Byte for byte as a webhook gets it. */
  body: string;
}
export interface Import {
  /** What kind of object it is. */
  object: 'import';
  /** Its id. */
  id: string;
  /** Where it comes from, as the first line says. */
  source: string;
  /** How far it has come. */
  status: Open<ImportStatus>;
  /** Why it failed. */
  reason: string | null;
  /** Its subscriptions that are not activated. */
  waiting: number;
  /** As the audit log names who asks. */
  createdBy: string;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was brought in (Unix ms); null before. */
  committedAt: UnixMs | null;
  /** The plan, in short; null without. */
  plan: ImportPlan | null;
  /** How far a commit has come; null: none runs. */
  progress: {
    /** Lines that are seen to. */
    done: number;
    /** All of the plan. */
    total: number;
  } | null;
  /** What was tried before, in test mode; null: nothing was. */
  rehearsal: ImportRehearsal | null;
}
export interface ImportCharge {
  /** Of UTC, such as `2026-11-23`. */
  day: string;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** How many charges. */
  count: number;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
}
export interface ImportCounts {
  /** Of which kind it is. */
  kind: Open<ImportKind>;
  /** Lines that will be made here. */
  new: number;
  /** Lines whose object changes here, since they changed there. */
  changed: number;
  /** Lines that change nothing. */
  same: number;
  /** Lines that changed there and here: ours stays. */
  conflict: number;
  /** Lines that are not brought in. */
  refused: number;
}
export interface ImportFault {
  /** Of the file, from 1. */
  line: number;
  /** Of which kind it is. */
  kind: string | null;
  /** The id there. */
  ref: string | null;
  /** Why it is refused, as a word that does not change. */
  code: string;
  /** The field that is wrong. */
  path: string | null;
  /** For people. */
  message: string;
}
export type ImportKind = 'product' | 'variant' | 'offer' | 'discount' | 'customer' | 'payment_method' | 'purchase' | 'key' | 'subscription';
export interface ImportPlan {
  /** Names this very plan: a commit is given it. */
  hash: string;
  /** How many lines the file has. */
  lines: number;
  /** How many lines of each kind do what. */
  counts: Array<ImportCounts>;
  /** The first thousand. */
  warnings: Array<ImportWarning>;
  /** How many warnings there are in all. */
  warningCount: number;
  /** A thousand refused lines, those after `errorsAfter`. */
  errors: Array<ImportFault>;
  /** How many lines are refused in all. */
  errorCount: number;
  /** What will be charged within the first month, by day. */
  charges: Array<ImportCharge>;
  /** The first thousand. */
  priceChanges: Array<ImportPriceChange>;
  /** How many prices change in all. */
  priceChangeCount: number;
}
export interface ImportPriceChange {
  /** Of the file, from 1. */
  line: number;
  /** The id there. */
  ref: string;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** What the source would charge next. */
  theirs: Minor;
  /** What will be charged here instead. */
  ours: Minor;
}
export interface ImportRehearsal {
  /** Where the test clock was moved to. */
  until: UnixMs;
  /** How many the import has. */
  subscriptions: number;
  /** How many were charged. */
  charged: number;
  /** Charged at the moment and by the sum of the source. */
  equal: number;
  /** Not activated, for want of what an activation asks. */
  waiting: number;
  /** The first thousand. */
  differences: Array<RehearsedCharge>;
}
export type ImportStatus = 'planning' | 'planned' | 'committing' | 'committed' | 'failed';
export interface ImportWarning {
  /** Of the file, from 1. */
  line: number;
  /** Of which kind it is. */
  kind: Open<ImportKind>;
  /** The id there. */
  ref: string | null;
  /** What to look at, as a word that does not change. */
  code: string;
}
export interface ImportedFrom {
  /** The service that it was brought in from. */
  source: string;
  /** Its id there. */
  ref: string;
  /** What was paid there. */
  value: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** ISO 3166, two letters. */
  country: string | null;
}
export type Interval = 'day' | 'week' | 'month' | 'year';
export interface InventoryItem {
  /** What kind of object it is. */
  object: 'item';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Unit price before discount. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** Of the line in all, in minor units. */
  total: Minor;
  /** Whether the price holds its tax. */
  inclusive: boolean;
  /** Why so much tax is due. */
  taxReason: string;
  /** The rates that make up the tax. */
  taxRates: Array<TaxRate>;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The plan, in short; null without. */
  plan: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Answers to the merchant’s questions, by field key. */
  customFields: Record<string, string>;
  /** Licence keys. */
  keys: Array<{
    /** Its id. */
    id: string;
    /** Masked to its last 4 without the secret key. */
    key: string;
  }>;
  /** How far its delivery has come. */
  fulfilment: Open<ItemFulfilment>;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** What the subscription consists of now: after a change of plan not what was bought. */
  subscriptionItems: Array<SubscriptionItem> | null;
  /** When it was bought (Unix ms). */
  boughtAt: UnixMs;
  /** `active`: the user’s. `frozen`: withheld while the buyer’s bank disputes a payment of it. `ended`: shown only where `expiresAfter` lies behind. */
  status: 'active' | 'frozen' | 'ended' | OtherWord;
  /** When it ends unless more is paid: with the paid period or trial, with the grace after a failed renewal. Of what is not active: when it ended or was frozen. Null: never. */
  expiresAt: UnixMs | null;
}
export interface Invitation {
  /** What kind of object it is. */
  object: 'invitation';
  /** Its id. */
  id: string;
  /** An e-mail address. */
  email: string;
  /** What they may do in all; `permissions` says it by area. */
  role: Open<InvitedRole>;
  /** Of a Custom member: what is missing is none. */
  permissions: Permissions | null;
  /** What is told by mail; the Owner is told everything. */
  notifications: Array<Open<MemberNotification>>;
  /** How far it has come. */
  state: 'open' | 'expired' | 'accepted' | 'revoked' | OtherWord;
  /** `account:<id>`. */
  invitedBy: string;
  /** When it ends (Unix ms). */
  expiresAt: UnixMs;
  /** When it was accepted (Unix ms); null before. */
  acceptedAt: UnixMs | null;
  /** When it was revoked (Unix ms); null before. */
  revokedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export type InvitedRole = 'admin' | 'manager' | 'support' | 'developer' | 'custom';
export interface Invoice {
  /** What kind of object it is. */
  object: 'invoice';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  kind: 'invoice' | 'credit_note' | OtherWord;
  /** As buyers see it. */
  number: string;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** Of the payment. */
  paymentId: string;
  /** Of a credit note: the refund that it is about. */
  refundId: string | null;
  /** Of a credit note: the invoice that it lowers. */
  refersTo: string | null;
  /** Of the buyer. */
  userId: string;
  /** The buyer’s e-mail address. */
  userEmail: string | null;
  /** ISO 3166, two letters. */
  country: string | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** Tax in; of a credit note what it gives back. */
  total: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** The PDF: whoever has the link may open it; it does not expire. */
  url: string;
  /** When it was finalised. */
  createdAt: UnixMs;
}
export interface Item {
  /** What kind of object it is. */
  object: 'item';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Unit price before discount. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** Of the line in all, in minor units. */
  total: Minor;
  /** Whether the price holds its tax. */
  inclusive: boolean;
  /** Why so much tax is due. */
  taxReason: string;
  /** The rates that make up the tax. */
  taxRates: Array<TaxRate>;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The plan, in short; null without. */
  plan: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Answers to the merchant’s questions, by field key. */
  customFields: Record<string, string>;
  /** Licence keys. */
  keys: Array<{
    /** Its id. */
    id: string;
    /** Masked to its last 4 without the secret key. */
    key: string;
  }>;
  /** How far its delivery has come. */
  fulfilment: Open<ItemFulfilment>;
}
export type ItemFulfilment = 'none' | 'waiting' | 'delivered' | 'awaiting_stock' | 'revoked';
export type LedgerAccount = 'processor_clearing' | 'sales' | 'tax_payable' | 'fees' | 'refunds' | 'manual' | 'disputes' | 'conversion' | 'processor_other' | 'payouts' | 'refunds_payable';
export interface LedgerBalance {
  /** Which account of the books. */
  account: Open<LedgerAccount>;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Sum of what was debited; never negative. */
  debit: number;
  /** Sum of what was credited; never negative. */
  credit: number;
  /** Debit less credit. */
  balance: number;
}
export interface LedgerEntry {
  /** What kind of object it is. */
  object: 'ledger_entry';
  /** The lines of one movement of money have one id; they sum to nothing. */
  id: string;
  /** Of which kind it is. */
  kind: Open<LedgerKind>;
  /** Which account of the books. */
  account: Open<LedgerAccount>;
  /** Minor units; 0 of a credit. */
  debit: Minor;
  /** Minor units; 0 of a debit. */
  credit: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Of the payment. */
  paymentId: string | null;
  /** Of the payment, as buyers see it. */
  paymentNumber: string | null;
  /** Of the refund. */
  refundId: string | null;
  /** When (Unix ms). */
  at: UnixMs;
}
export type LedgerKind = 'charge' | 'refund' | 'reversal_in' | 'reversal_out' | 'dispute_opened' | 'dispute_won' | 'dispute_lost' | 'conversion_out' | 'conversion_in' | 'fee' | 'movement' | 'movement_out' | 'movement_in' | 'refund_returned' | 'return_settled';
export interface LedgerProof {
  /** Whether everything agrees. */
  ok: boolean;
  /** How many entries were looked at. */
  checkedEntries: number;
  /** Where the books differ from what they are of. */
  differences: Array<{
    /** Which account of the books. */
    account: Open<LedgerAccount>;
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
    /** Recomputed from payments, refunds and disputes. */
    expected: number;
    /** The balance in the ledger. */
    actual: number;
  }>;
}
export interface LineInput {
  /** Of the offer. */
  offerId?: string;
  /** What people call it. */
  name?: string;
  /** Of one, in minor units. */
  unitPrice?: Minor;
  /** ISO 4217, upper case. */
  currency?: Currency;
  /** How many. */
  quantity?: number;
}
export type LineKind = 'interval' | 'proration_credit' | 'proration_charge' | 'extra';
export type ListName = 'orders' | 'payments' | 'refunds' | 'disputes' | 'withdrawals' | 'cancellation-notices' | 'subscriptions' | 'users' | 'products' | 'offers' | 'discounts' | 'elements' | 'files' | 'custom-fields' | 'invoices' | 'ledger' | 'mails' | 'webhooks' | 'events' | 'requests' | 'audit-log' | 'api-keys' | 'members';
export interface ListedCheckoutElement {
  /** What kind of object it is. */
  object: 'checkoutElement';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string | null;
  /** The cart is one offer of a subscription. */
  subscriptionOffer: boolean;
  /** The cart in its order; an offer named twice is bought twice. */
  offers: Array<OfferOfElement>;
  /** Sites that may show it in a frame, fewer than authorizedDomains names; empty: all of those. */
  allowedOrigins: Array<string>;
  /** How far it has come. */
  status: 'active' | 'archived' | OtherWord;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** The hosted page, also what an overlay or frame opens. */
  url: string;
  /** Orders of it that were ever paid. */
  paidOrders: number;
}
export interface ListedEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** One of payment_success, payment_refunded, payment_failed, subscription_created, subscription_interval, subscription_updated, subscription_cancelled; new types may be added. */
  type: string;
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** As in the event of this type. */
  data: Record<string, unknown>;
  /** How many of its deliveries stand where. */
  deliveryCounts: DeliveryCounts;
}
export interface ListedExpiredEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** One of payment_success, payment_refunded, payment_failed, subscription_created, subscription_interval, subscription_updated, subscription_cancelled; new types may be added. */
  type: string;
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** Always null: its body was let go. */
  data: null;
  /** When its body was let go. */
  expiredAt: UnixMs;
  /** How many of its deliveries stand where. */
  deliveryCounts: DeliveryCounts;
}
export interface ListedFile {
  /** What kind of object it is. */
  object: 'file';
  /** Its id. */
  id: string;
  /** What the file is called. */
  fileName: string;
  /** Bytes. */
  size: number;
  /** The content type it was uploaded with. */
  type: string;
  /** A picture is shown to anybody, a download leaves by links of its buyers alone. */
  purpose: 'picture' | 'download' | OtherWord;
  /** Where a picture is shown; null for what leaves by signed links only. */
  url: string | null;
  /** A placeholder of a picture while it loads. */
  blurHash: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface ListedImport {
  /** What kind of object it is. */
  object: 'import';
  /** Its id. */
  id: string;
  /** Where it comes from, as the first line says. */
  source: string;
  /** How far it has come. */
  status: Open<ImportStatus>;
  /** Why it failed. */
  reason: string | null;
  /** Its subscriptions that are not activated. */
  waiting: number;
  /** As the audit log names who asks. */
  createdBy: string;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was brought in (Unix ms); null before. */
  committedAt: UnixMs | null;
  /** Of the file, with its first. */
  lines: number;
}
export interface ListedOrder {
  /** What kind of object it is. */
  object: 'order';
  /** Its id. */
  id: string;
  /** As buyers see it. */
  number: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
  /** Of which kind it is. */
  type: Open<OrderType>;
  /** What is asked for, in minor units. */
  value: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** What the processor kept, in minor units. */
  fee: Minor;
  /** What was given back so far, in minor units. */
  refundedValue: Minor;
  /** How many were bought in all. */
  totalItems: number;
  /** ISO 3166, two letters. */
  country: string | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was paid (Unix ms); null before. */
  paidAt: UnixMs | null;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the checkout element that it was bought by; null of other ways. */
  checkoutId: string | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Of the newest payment; null before the first. */
  lastPaymentId: string | null;
  /** Of the newest payment; null before the first. */
  lastPaymentNumber: string | null;
  /** The newest payment, in short; null before the first. */
  lastPayment: PaymentLabel | null;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** The subscription; null without. */
  subscription: SubscriptionLabel | null;
  /** What links it to something in the merchant’s own system. */
  reference: string | null;
  /** When a merchant last corrected its record by hand. */
  correctedAt: UnixMs | null;
  /** What the buyer agreed to at the checkout. */
  consents: Array<Consent>;
  /** Until when the buyer may withdraw. */
  withdrawableUntil: UnixMs | null;
  /** What it was where it was brought in from; null of what was sold here. */
  imported: ImportedFrom | null;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** Null without the secret key. */
  userEmail: string | null;
  /** Of the first three items. */
  itemNames: Array<string>;
  /** Product and variant of each of these, as far as its name leaves them out. */
  itemNotes: Array<string | null>;
  /** What the buyer answered at the checkout. Null without the secret key. */
  customFields: Record<string, string> | null;
  /** The first of these that an item of it has. */
  fulfilment: Open<OrderFulfilment>;
}
export interface ListedPayment {
  /** What kind of object it is. */
  object: 'payment';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<OrderType>;
  /** As buyers see it. */
  number: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
  /** What is asked for, in minor units. */
  value: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** What the processor kept, in minor units. */
  fee: Minor;
  /** What was given back so far, in minor units. */
  refundedValue: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** The order. */
  order: OrderLabel;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** The subscription; null without. */
  subscription: SubscriptionLabel | null;
  /** Of the checkout element that it was bought by; null of other ways. */
  checkoutId: string | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Of the invoice; null before it is issued. */
  invoiceNumber: string | null;
  /** The invoice's PDF: whoever has the link may open it; it does not expire. */
  invoiceUrl: string | null;
  /** Where the buyer authenticates or pays; null when there is nothing to do. */
  payUrl: string | null;
  /** Each try to take the money. */
  charges: Array<Charge>;
  /** Null without the secret key. */
  userEmail: string | null;
  /** What the buyer answered at the checkout. Null without the secret key. */
  customFields: Record<string, string> | null;
}
export interface ListedProduct {
  /** What kind of object it is. */
  object: 'product';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<ProductType>;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string;
  /** Unique in the store. */
  slug: string;
  /** A text for people, of several lines. */
  description: string | null;
  /** Who made it. */
  developer: string | null;
  /** Who publishes it. */
  publisher: string | null;
  /** From which age on it is for, by PEGI. */
  pegiRating: Open<PegiRating> | null;
  /** When it comes out (Unix ms). */
  releaseDate: UnixMs | null;
  /** What it runs on. */
  systems: Array<string>;
  /** Of which kinds it is. */
  genres: Array<string>;
  /** HIDDEN sells by link only, DRAFT does not sell. */
  status: Open<ProductStatus>;
  /** Address of the picture. */
  cover: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash: string | null;
  /** Address of the video. */
  coverVideo: string | null;
  /** Address of a video. */
  trailer: string | null;
  /** Addresses of pictures. */
  gallery: Array<{
    /** Address of the picture. */
    value: string;
    /** Stands for the picture while it loads. */
    blurHash: string | null;
  }>;
  /** What it offers, a line each. */
  features: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Of the merchant’s own project, which groups products. */
  projectId: string | null;
  /** What a buyer is asked: the definitions of the store and of the product’s project. */
  customFields: Array<CustomField>;
  /** Which right to withdraw a consumer has; by the type when it is not given. */
  withdrawal: Open<WithdrawalClass>;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was last changed (Unix ms). */
  updatedAt: UnixMs;
  /** Offers that are not archived. */
  offerCount: number;
  /** The lowest price of its ACTIVE offers. */
  fromPrice: Minor | null;
  /** Keys on the shelf; 1000 stands for as many or more. Null where it sells none, and without the secret key. */
  stock: number | null;
}
export interface ListedRefund {
  /** What kind of object it is. */
  object: 'refund';
  /** Its id. */
  id: string;
  /** How far it has come. */
  status: Open<RefundStatus>;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** The part of the amount that is tax. */
  tax: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Why. */
  reason: Open<RefundReason>;
  /** What somebody wrote about it. */
  note: string | null;
  /** Of the order. */
  orderId: string;
  /** Of the payment. */
  paymentId: string;
  /** No processor gives it back: it is pending until POST /v0/refunds/{refundId}/settle. */
  byHand: boolean;
  /** Of the credit note; null before it is issued. */
  creditNoteNumber: string | null;
  /** Where the credit note is read; null before it is issued. */
  creditNoteUrl: string | null;
  /** When a processor gave the money back to us after all. */
  returnedAt: UnixMs | null;
  /** Why the money came back; null where it did not. */
  returnReason: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** Of the buyer. */
  userId: string;
  /** The buyer’s e-mail address. */
  userEmail: string | null;
}
export interface ListedSubscription {
  /** What kind of object it is. */
  object: 'subscription';
  /** The initial order's number. */
  id: string;
  /** How far it has come. */
  status: Open<SubscriptionStatus>;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When the running interval began (Unix ms). */
  currentIntervalStart: UnixMs | null;
  /** When the running interval ends (Unix ms). */
  currentIntervalEnd: UnixMs | null;
  /** When the trial began (Unix ms); null without. */
  trialStart: UnixMs | null;
  /** When the trial ends (Unix ms); null without. */
  trialEnd: UnixMs | null;
  /** Whether it ends with the running interval. */
  cancelAtIntervalEnd: boolean;
  /** When it was cancelled (Unix ms); null before. */
  canceledAt: UnixMs | null;
  /** When it ended (Unix ms); null before. */
  endedAt: UnixMs | null;
  /** When collecting was paused (Unix ms); null while it runs. */
  pausedAt: UnixMs | null;
  /** When a pause ends by itself (Unix ms); null = when somebody ends it. */
  resumeAt: UnixMs | null;
  /** Why it was cancelled; null without a word. */
  cancelReason: string | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Unit price × quantity of one interval, before discount and tax. */
  value: Minor;
  /** How long one interval is, with its count. */
  recurringInterval: Open<Interval>;
  /** How many of these make one interval. */
  recurringIntervalCount: number;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** The order. */
  order: OrderLabel;
  /** Of the newest payment; null before the first. */
  lastPaymentId: string | null;
  /** Of the newest payment; null before the first. */
  lastPaymentNumber: string | null;
  /** The newest payment, in short; null before the first. */
  lastPayment: PaymentLabel | null;
  /** What it consists of. */
  items: Array<SubscriptionItem>;
  /** What it will become, and when; null: nothing is planned. */
  scheduledChange: {
    /** What it consists of. */
    items: Array<ScheduledItem>;
    /** The end of the period, where it takes effect. */
    at: UnixMs;
  } | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Who is billed, and where. */
  billingDetails: BillingDetails | null;
  /** How it is paid. */
  paymentMethod: StoredMethod | null;
  /** What was paid elsewhere for the running interval, of one that was brought in; null of others. */
  paidForPeriod: {
    /** What is asked for, in minor units. */
    value: Minor;
    /** The tax within or upon it, in minor units. */
    tax: Minor;
  } | null;
  /** It was imported and is not activated: nothing is charged and nothing is told. */
  waiting: boolean;
  /** Null without the secret key. */
  userEmail: string | null;
}
export interface ListedUser {
  /** What kind of object it is. */
  object: 'user';
  /** Its id. */
  id: string;
  /** An e-mail address. */
  email: string | null;
  /** What the buyer is called. */
  username: string | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Of the mails to the user, where they are written in it; null: the browser’s. */
  language: string | null;
  /** Who is billed, and where. */
  details: BillingDetails;
  /** The customer’s ids at processors. */
  paymentData: PaymentData;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** What was paid and not given back, in the store’s currency. Null without the secret key. */
  spent: number | null;
  /** Subscriptions that run. */
  subscriptionCount: number;
  /** The wish to be erased; null: nobody asked for it. */
  deletion: UserDeletion | null;
}
export interface Listener {
  /** What kind of object it is. */
  object: 'listener';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** The types of events that are told. */
  events: Array<Open<EventType>>;
  /** Signs its deliveries; shown here alone. */
  secret: string;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface LoggedRequest {
  /** What kind of object it is. */
  object: 'request';
  /** The request id: the header `x-request-id` of the answer. */
  id: string;
  /** The same. */
  requestId: string;
  /** `key:<id>` or `account:<id>`. */
  actor: string;
  /** Of the key. */
  keyId: string | null;
  /** Whether the secret key was sent. */
  withSecret: boolean;
  /** Of HTTP. */
  method: string;
  /** Without its query. */
  path: string;
  /** The operation id of the description. */
  operation: string;
  /** Of the answer. */
  status: number;
  /** Of a refusal. */
  code: string | null;
  /** Where it came from. */
  address: string;
  /** How long it took (ms). */
  durationMs: number;
  /** Known parameters alone. */
  query: Record<string, unknown> | null;
  /** Declared fields that hold no secret; null beyond 16 KiB. */
  requestBody: Record<string, unknown> | null;
  /** Declared fields that hold no secret; null beyond 16 KiB. */
  responseBody: Record<string, unknown> | null;
  /** Real time. */
  createdAt: UnixMs;
}
export interface Mail {
  /** What kind of object it is. */
  object: 'mail';
  /** Its id. */
  id: string;
  /** One of receipt, free_claim, key_delivery, subscription_started, trial_started, subscription_renewed, payment_failed, refund, subscription_changed, subscription_ending, subscription_cancelled, trial_ending, renewal_reminder, card_expiring, payment_method_wanted, payment_method_gone, payment_overdue, subscription_unpaid, webhook_blocked, webhook_failing, webhook_recovering, webhook_disabled, low_stock, awaiting_stock, dispute_opened, dispute_inquiry, dispute_excess, early_fraud_warning, portal_guarded, charge_held, processor_changed, processor_broken, processor_silent, processor_event_parked, processor_report, processor_refund_returned, processor_refund_lost, processor_refund_failed, refund_delayed, transfer_awaited, payment_processing, checkout_reminder, payer_proof, withdrawal_received, notice_received, withdrawal_decided, notice_decided, withdrawal_waiting, notice_waiting, magic_link, email_change_code, email_change_note, email_change_taken, password_reset, team_invitation, inactivity_warning; new kinds may be added. */
  kind: string;
  /** The address that it goes to. */
  to: string;
  /** Name and address; null until the mail is written. */
  from: string | null;
  /** Where answers go; null: to nobody. */
  replyTo: string | null;
  /** Null until the mail is written, moments after it is queued. */
  subject: string | null;
  /** Null until it is written. In live mode codes, links and tokens stand as dots, so that nobody who reads mails gets in by one. */
  html: string | null;
  /** The plain-text twin. */
  text: string | null;
  /** ISO 639, such as de. */
  language: string;
  /** kept: it is read here, since there is no mail server, or too many of its kind were asked for with its address (see lastError). failed: given up, see lastError. dropped: not to be sent any more. */
  status: Open<MailStatus>;
  /** Tries at the mail server. */
  attempts: number;
  /** Why the last try failed; null where none did. */
  lastError: string | null;
  /** Of the event. */
  eventId: string | null;
  /** Of the order. */
  orderId: string | null;
  /** Of the payment. */
  paymentId: string | null;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was sent (Unix ms); null before. */
  sentAt: UnixMs | null;
  /** When its texts were let go. */
  expiredAt: UnixMs | null;
}
export type MailKind = 'receipt' | 'free_claim' | 'key_delivery' | 'subscription_started' | 'trial_started' | 'subscription_renewed' | 'payment_failed' | 'refund' | 'subscription_changed' | 'subscription_ending' | 'subscription_cancelled' | 'trial_ending' | 'renewal_reminder' | 'card_expiring' | 'payment_method_wanted' | 'payment_method_gone' | 'payment_overdue' | 'subscription_unpaid' | 'webhook_blocked' | 'webhook_failing' | 'webhook_recovering' | 'webhook_disabled' | 'low_stock' | 'awaiting_stock' | 'dispute_opened' | 'dispute_inquiry' | 'dispute_excess' | 'early_fraud_warning' | 'portal_guarded' | 'charge_held' | 'processor_changed' | 'processor_broken' | 'processor_silent' | 'processor_event_parked' | 'processor_report' | 'processor_refund_returned' | 'processor_refund_lost' | 'processor_refund_failed' | 'refund_delayed' | 'transfer_awaited' | 'payment_processing' | 'checkout_reminder' | 'payer_proof' | 'withdrawal_received' | 'notice_received' | 'withdrawal_decided' | 'notice_decided' | 'withdrawal_waiting' | 'notice_waiting' | 'magic_link' | 'email_change_code' | 'email_change_note' | 'email_change_taken' | 'password_reset' | 'team_invitation' | 'inactivity_warning';
export type MailStatus = 'queued' | 'sent' | 'kept' | 'failed' | 'dropped';
export interface Member {
  /** What kind of object it is. */
  object: 'member';
  /** Its id. */
  id: string;
  /** Of the account. */
  accountId: string;
  /** An e-mail address. */
  email: string;
  /** What people call it. */
  name: string;
  /** What they may do in all; `permissions` says it by area. */
  role: Open<Role>;
  /** Of a Custom member: what is missing is none. */
  permissions: Permissions | null;
  /** What is told by mail; the Owner is told everything. */
  notifications: Array<Open<MemberNotification>>;
  /** Whether the installation closed the account. */
  isDisabled: boolean;
  /** Whether their account has a second factor. */
  hasSecondFactor: boolean;
  /** When they last used a session that still lives. */
  lastSeenAt: UnixMs | null;
  /** Raised by each change of role or permissions. */
  version: number;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export type MemberNotification = 'disputes' | 'processors' | 'webhooks' | 'stock' | 'withdrawals' | 'workspace';
export type Metric = 'grossVolume' | 'refunds' | 'fees' | 'taxCollected' | 'accountFees' | 'netVolume' | 'orders' | 'newCustomers' | 'averageOrderValue' | 'failedPaymentRate' | 'recoveredRate' | 'refundRate' | 'disputeRate' | 'checkoutConversion' | 'trialConversion' | 'mrr' | 'arr' | 'activeSubscriptions' | 'mrrNew' | 'mrrExpansion' | 'mrrContraction' | 'mrrChurn' | 'mrrReactivation' | 'mrrPaused' | 'mrrResumed' | 'mrrImported' | 'subscriberChurnRate' | 'mrrChurnRate';
export type MetricUnit = 'minor' | 'count' | 'ratio';
export interface NewApiKeyData {
  /** The key pair, without its secret half. */
  apiKey: ApiKey;
  /** The half of the pair that is no secret. */
  publicKey: string;
  /** Shown only now. */
  secretKey: string;
}
export interface NextDeliveriesBody {
  /** How many ms to wait until there is something; 0 when missing. */
  wait?: number;
  /** 50 when missing. */
  take?: number;
}
export interface Note {
  /** What kind of object it is. */
  object: 'note';
  /** Its id. */
  id: string;
  /** What it is noted at. */
  on: {
    /** What kind of object it is. */
    object: Open<NoteObject>;
    /** Its id. */
    id: string;
  };
  /** What was noted. */
  text: string;
  /** As audit rows name who asks. */
  author: string;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export type NoteObject = 'order' | 'payment' | 'subscription' | 'user';
export interface Offer {
  /** What kind of object it is. */
  object: 'offer';
  /** Its id. */
  id: string;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Of the product. */
  productId: string;
  /** Of the variant. */
  variantId: string | null;
  /** Of one, in minor units. */
  price: Minor;
  /** The price that is shown struck through. */
  originalPrice: Minor | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** How long one interval is, with its count. */
  recurringInterval: Open<Interval> | null;
  /** How many of these make one interval. */
  recurringIntervalCount: number | null;
  /** How long the trial is, with its count. */
  trialInterval: Open<Interval> | null;
  /** How many of these make the trial. */
  trialIntervalCount: number | null;
  /** Most sales; null = no limit, and null without the secret key. */
  limit: number | null;
  /** Most that a buyer may choose where the quantity is theirs to choose; null = 10 of an offer with keys or a limit, else no bound. A quantity that the merchant sets is not held to it. */
  maxPerOrder: number | null;
  /** Paid quantity of first sales; refunds do not give it back. Null without the secret key. */
  soldItems: number | null;
  /** How often a buyer may download, per item; copied at purchase. Null = no limit. */
  downloadLimit: number | null;
  /** For how many days from the payment; copied at purchase. Null = for ever. */
  downloadDays: number | null;
  /** Whether it costs nothing; then the price is 0. */
  freeProduct: boolean;
  /** How far it has come. */
  status: 'DRAFT' | 'ACTIVE' | OtherWord;
  /** What people call it. */
  name: string | null;
  /** A text for people, of several lines. */
  description: string | null;
  /** Address of the picture. */
  cover: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash: string | null;
  /** Of the country, or of the world where it can be used. */
  region: string;
  /** Where it is used. */
  platform: string;
  /** The number that trade knows it by. */
  gtin: string | null;
  /** What buyers are told before they buy. */
  warningMessage: string | null;
  /** Whether the buyer may choose the quantity. */
  mutableQuantity: boolean;
  /** Whether the price includes the tax; null: as the settings say. */
  taxBehavior: 'inclusive' | 'exclusive' | null | OtherWord;
  /** A running sale lowers this offer now. */
  hasDiscount: boolean;
  /** What can be downloaded; null: nothing. */
  download: Download | null;
  /** Words that the merchant sorts by. */
  tags: Array<{
    /** Its id. */
    id: string;
    /** What people call it. */
    name: string;
  }>;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface OfferKey {
  /** What kind of object it is. */
  object: 'offer_key';
  /** Its id. */
  id: string;
  /** Of the offer. */
  offerId: string;
  /** How far it has come. */
  status: Open<OfferKeyStatus>;
  /** Null for a key of eight characters or fewer. */
  last4: string | null;
  /** What the file is called. */
  fileName: string | null;
  /** Of the order. */
  orderId: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was sold (Unix ms); null before. */
  soldAt: UnixMs | null;
}
export type OfferKeyStatus = 'available' | 'reserved' | 'sold' | 'revoked';
export interface OfferLabel {
  /** What kind of object it is. */
  object: 'offer';
  /** Its id. */
  id: string;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string | null;
}
export interface OfferOfElement {
  /** Its id. */
  id: string;
  /** What kind of object it is. */
  object: 'offer';
  /** The merchant’s own id. */
  internalId: string | null;
}
export type OfferStatusFilter = 'DRAFT' | 'ACTIVE' | 'archived';
export interface Order {
  /** What kind of object it is. */
  object: 'order';
  /** Its id. */
  id: string;
  /** As buyers see it. */
  number: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
  /** Of which kind it is. */
  type: Open<OrderType>;
  /** What is asked for, in minor units. */
  value: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** What the processor kept, in minor units. */
  fee: Minor;
  /** What was given back so far, in minor units. */
  refundedValue: Minor;
  /** How many were bought in all. */
  totalItems: number;
  /** ISO 3166, two letters. */
  country: string | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was paid (Unix ms); null before. */
  paidAt: UnixMs | null;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the checkout element that it was bought by; null of other ways. */
  checkoutId: string | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Of the newest payment; null before the first. */
  lastPaymentId: string | null;
  /** Of the newest payment; null before the first. */
  lastPaymentNumber: string | null;
  /** The newest payment, in short; null before the first. */
  lastPayment: PaymentLabel | null;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** The subscription; null without. */
  subscription: SubscriptionLabel | null;
  /** What links it to something in the merchant’s own system. */
  reference: string | null;
  /** When a merchant last corrected its record by hand. */
  correctedAt: UnixMs | null;
  /** What the buyer agreed to at the checkout. */
  consents: Array<Consent>;
  /** Until when the buyer may withdraw. */
  withdrawableUntil: UnixMs | null;
  /** What it was where it was brought in from; null of what was sold here. */
  imported: ImportedFrom | null;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
}
export type OrderFulfilment = 'awaiting_stock' | 'waiting' | 'delivered' | 'revoked' | 'none';
export interface OrderItem {
  /** What kind of object it is. */
  object: 'item';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Unit price before discount. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** Of the line in all, in minor units. */
  total: Minor;
  /** Whether the price holds its tax. */
  inclusive: boolean;
  /** Why so much tax is due. */
  taxReason: string;
  /** The rates that make up the tax. */
  taxRates: Array<TaxRate>;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The plan, in short; null without. */
  plan: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Answers to the merchant’s questions, by field key. */
  customFields: Record<string, string>;
  /** Licence keys. */
  keys: Array<{
    /** Its id. */
    id: string;
    /** Masked to its last 4 without the secret key. */
    key: string;
  }>;
  /** How far its delivery has come. */
  fulfilment: Open<ItemFulfilment>;
  /** The file that its buyer may download; null where it is none, and without the secret key. */
  download: {
    /** What the file is called. */
    fileName: string;
    /** Bytes. */
    size: number;
    /** Downloads that were counted; none are without a limit. */
    used: number;
    /** Most downloads; null = no limit. */
    limit: number | null;
    /** Until when it may be downloaded; null = for ever. */
    until: UnixMs | null;
  } | null;
}
export interface OrderLabel {
  /** What kind of object it is. */
  object: 'order';
  /** Its id. */
  id: string;
  /** As buyers see it. */
  number: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
}
export type OrderType = 'one_time' | 'subscription_initial' | 'subscription_update' | 'subscription_interval' | 'subscription_extra' | 'claim_free';
export interface OtherEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** A type of a later version. */
  type: string;
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What the type says. */
  data: LaterData<PaymentEventData & SubscriptionEventData>;
}
export interface PauseSubscriptionBody {
  /** What each interval that passes leaves: no payment, an unpaid one, or one that is given up. */
  invoicingBehavior?: 'void' | 'keep_as_draft' | 'mark_uncollectible';
  /** When a pause ends by itself (Unix ms); null = when somebody ends it. */
  resumeAt?: UnixMs | null;
}
export interface Payment {
  /** What kind of object it is. */
  object: 'payment';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<OrderType>;
  /** As buyers see it. */
  number: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
  /** What is asked for, in minor units. */
  value: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** What the processor kept, in minor units. */
  fee: Minor;
  /** What was given back so far, in minor units. */
  refundedValue: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** The order. */
  order: OrderLabel;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** The subscription; null without. */
  subscription: SubscriptionLabel | null;
  /** Of the checkout element that it was bought by; null of other ways. */
  checkoutId: string | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Of the invoice; null before it is issued. */
  invoiceNumber: string | null;
  /** The invoice's PDF: whoever has the link may open it; it does not expire. */
  invoiceUrl: string | null;
  /** Where the buyer authenticates or pays; null when there is nothing to do. */
  payUrl: string | null;
  /** Each try to take the money. */
  charges: Array<Charge>;
}
export interface PaymentData {
  /** Of the customer at Stripe. */
  stripeCustomerId: string | null;
  /** Of the customer at PayPal. */
  paypalCustomerId: string | null;
  /** Test mode: `card_<brand>_<last four digits>` of the stored card; null without. */
  sandboxCustomerId: string | null;
}
export interface PaymentDataInput {
  /** Of the customer at Stripe. */
  stripeCustomerId?: string | null;
  /** Of the customer at PayPal. */
  paypalCustomerId?: string | null;
  /** The connected processor that knows the customer, where there are several of a kind; missing: the first by priority. */
  connectionId?: string;
  /** Test mode only: `card_<sandbox card number>` gives the user that stored card. Answered as `card_<brand>_<last four digits>`, which changes nothing when it is sent back. */
  sandboxCustomerId?: string | null;
}
export interface PaymentEventData {
  /** Of `subscription_*` events what the subscription consists of, of others what the payment paid for. */
  items: Array<EventItem>;
  /** The custom fields of all items as one. */
  customFields?: Record<string, unknown>;
  /** The order. */
  order: Order;
  /** The payment that the event is about, or the latest one; without a link that pays. */
  payment: EventPayment;
  /** The user who bought. */
  customer: EventUser;
  /** The same as `customer`. */
  user: EventUser;
  /** Of `payment_refunded`: what was given back. */
  refund?: Refund;
  /** The subscription, when one is involved. */
  subscription?: Subscription;
  /** The subscription’s latest payment; null before the first. */
  lastPayment?: PaymentLabel | null;
}
export interface PaymentFailedEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'payment_failed';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: PaymentEventData;
}
export interface PaymentLabel {
  /** What kind of object it is. */
  object: 'payment';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<OrderType>;
  /** As buyers see it. */
  number: string;
  /** How far it has come. */
  status: Open<PaymentStatus>;
  /** What is asked for, in minor units. */
  value: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
}
export interface PaymentLine {
  /** What kind of object it is. */
  object: 'line';
  /** Of which kind it is. */
  kind: Open<LineKind>;
  /** What people call it. */
  name: string;
  /** A text for people, of several lines. */
  description: string | null;
  /** Of the offer. */
  offerId: string | null;
  /** Unit price before discount; negative for a credit. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** Of the line in all, in minor units. */
  total: Minor;
  /** Whether the tax is within the price. */
  inclusive: boolean;
  /** Why so much tax is due. */
  taxReason: string;
  /** The rates that make up the tax. */
  taxRates: Array<TaxRate>;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** When what is billed begins (Unix ms). */
  periodStart: UnixMs | null;
  /** When what is billed ends (Unix ms). */
  periodEnd: UnixMs | null;
}
export interface PaymentMethod {
  /** Its id. */
  id: string;
  /** `card`, or another word of the processor. */
  type: string;
  /** Of the card. */
  brand: string | null;
  /** The last 4 characters. */
  last4: string | null;
  /** Null where the processor does not tell. */
  expMonth: number | null;
  /** The year in which the card ends. */
  expYear: number | null;
  /** Charged where none is named. */
  isDefault: boolean;
}
export interface PaymentRefundedEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'payment_refunded';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: PaymentEventData;
}
export type PaymentStatus = 'PENDING' | 'PAID' | 'FAILED' | 'UNPAID' | 'CANCELLED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | 'EXPIRED';
export interface PaymentSuccessEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'payment_success';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: PaymentEventData;
}
export type PegiRating = '3' | '7' | '12' | '16' | '18' | '!';
export type PermissionLevel = 'none' | 'read' | 'write';
export interface Permissions {
  /** What they may do with the area products. */
  products?: Open<PermissionLevel>;
  /** What they may do with the area offers. */
  offers?: Open<PermissionLevel>;
  /** What they may do with the area offer-keys. */
  'offer-keys'?: Open<PermissionLevel>;
  /** What they may do with the area discounts. */
  discounts?: Open<PermissionLevel>;
  /** What they may do with the area elements. */
  elements?: Open<PermissionLevel>;
  /** What they may do with the area custom-fields. */
  'custom-fields'?: Open<PermissionLevel>;
  /** What they may do with the area files. */
  files?: Open<PermissionLevel>;
  /** What they may do with the area orders. */
  orders?: Open<PermissionLevel>;
  /** What they may do with the area payments. */
  payments?: Open<PermissionLevel>;
  /** What they may do with the area refunds. */
  refunds?: Open<PermissionLevel>;
  /** What they may do with the area subscriptions. */
  subscriptions?: Open<PermissionLevel>;
  /** What they may do with the area users. */
  users?: Open<PermissionLevel>;
  /** What they may do with the area checkout-sessions. */
  'checkout-sessions'?: Open<PermissionLevel>;
  /** What they may do with the area portal-sessions. */
  'portal-sessions'?: Open<PermissionLevel>;
  /** What they may do with the area withdrawals. */
  withdrawals?: Open<PermissionLevel>;
  /** What they may do with the area corrections. */
  corrections?: Open<PermissionLevel>;
  /** What they may do with the area charges. */
  charges?: Open<PermissionLevel>;
  /** What they may do with the area processors. */
  processors?: Open<PermissionLevel>;
  /** What they may do with the area imports. */
  imports?: Open<PermissionLevel>;
  /** What they may do with the area invoices. */
  invoices?: Open<PermissionLevel>;
  /** What they may do with the area tax. */
  tax?: Open<PermissionLevel>;
  /** What they may do with the area ledger. */
  ledger?: Open<PermissionLevel>;
  /** What they may do with the area reports. */
  reports?: Open<PermissionLevel>;
  /** What they may do with the area exports. */
  exports?: Open<PermissionLevel>;
  /** What they may do with the area mails. */
  mails?: Open<PermissionLevel>;
  /** What they may do with the area webhooks. */
  webhooks?: Open<PermissionLevel>;
  /** What they may do with the area events. */
  events?: Open<PermissionLevel>;
  /** What they may do with the area settings. */
  settings?: Open<PermissionLevel>;
  /** What they may do with the area test-clock. */
  'test-clock'?: Open<PermissionLevel>;
  /** What they may do with the area api-keys. */
  'api-keys'?: Open<PermissionLevel>;
  /** What they may do with the area request-log. */
  'request-log'?: Open<PermissionLevel>;
}
export type PlanChange = 'product' | 'listed' | 'off';
export type PortalFlow = 'overview' | 'orders' | 'library' | 'billing_details' | 'payment_method' | 'subscription' | 'subscription_change' | 'subscription_cancel' | 'subscription_pay';
export interface PortalSession {
  /** What kind of object it is. */
  object: 'portal_session';
  /** Its id. */
  id: string;
  /** Of the buyer. */
  userId: string;
  /** Opens once; shown when it is made and never again. */
  url: string | null;
  /** A bearer for your own pages; shown when it is made. */
  token: string | null;
  /** What the session was opened for; null: anything. */
  flow: Open<PortalFlow>;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string | null;
  /** Of the offer. */
  offerId: string | null;
  /** Where buyers go back to. */
  returnUrl: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** Until when `url` opens it (Unix ms). */
  openUntil: UnixMs;
  /** When it was opened (Unix ms). */
  openedAt: UnixMs | null;
  /** When it ends (Unix ms). */
  expiresAt: UnixMs;
  /** When it was revoked (Unix ms); null before. */
  revokedAt: UnixMs | null;
}
export interface PreviewSubscriptionUpdateBody {
  /** What it consists of. */
  items?: Array<LineInput>;
  /** Of the offer. */
  offerId?: string;
  /** How many. */
  quantity?: number;
  /** Whether time that is left is charged with the next payment, at once, or not at all. */
  prorationBehavior?: Proration;
  /** Whether it ends with the running interval. */
  cancelAtIntervalEnd?: boolean;
  /** As of when time is divided (Unix ms). */
  prorationDate?: UnixMs;
  /** Put on the subscription: used at once, it counts from the next interval. */
  discountCode?: string;
  /** Who is billed, and where. */
  billingDetails?: BillingDetailsInput;
  /** One of the user's `paymentMethods`. */
  paymentMethodId?: string;
}
export interface Processor {
  /** What kind of object it is. */
  object: 'processor';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  kind: 'sandbox' | 'manual' | 'paypal' | 'stripe' | OtherWord;
  /** What people call it. */
  name: string;
  /** `retired`: no new charge; refunds and disputes of its charges go on. */
  status: 'active' | 'paused' | 'retired' | OtherWord;
  /** Whether it works. */
  health: {
    /** How far it has come. */
    state: 'ok' | 'degraded' | 'broken' | 'silent' | OtherWord;
    /** In real time. */
    since: UnixMs;
    /** Why. */
    reason: string | null;
    /** What waits for it. */
    waiting: {
      /** Charges and renewals that go on once it is well, or active again. */
      charges: number;
      /** Refunds that go on once it is well. */
      refunds: number;
    };
    /** Hosts of this service and of the setting `authorizedDomains` whose pages are to show wallets. */
    domains: Array<{
      /** A host that is reached by https. */
      host: string;
      /** `inactive`: the processor shows not all of its wallets there; `refused`: it takes no such host; `pending`: it has not answered yet. */
      state: 'active' | 'inactive' | 'refused' | 'pending' | OtherWord;
    }>;
  };
  /** The lowest that fits is asked first. */
  priority: number;
  /** None = all. */
  currencies: Array<Open<Currency>>;
  /** Of buyers. None = all. */
  countries: Array<string>;
  /** What buyers can pay by. */
  methods: Array<{
    /** Of which kind it is. */
    type: Open<ProcessorMethod>;
    /** How far it has come. */
    status: 'active' | 'off' | OtherWord;
    /** Why. */
    reason: string | null;
  }>;
  /** Of the account. */
  accountId: string | null;
  /** ISO 3166, two letters; null where it does not tell. */
  accountCountry: string | null;
  /** The currency that the account is settled in (ISO 4217); null where it does not tell. */
  accountCurrency: string | null;
  /** The last 4 characters of its secret key; null without one. */
  keyLast4: string | null;
  /** What the buyer reads beside the account, by language. */
  instructions: Texts | null;
  /** Of the account that buyers transfer to. */
  iban: string | null;
  /** Of the bank. */
  bic: string | null;
  /** Whose account it is. */
  holder: string | null;
  /** How many days a buyer has to transfer; null of other kinds. */
  dueDays: number | null;
  /** How it tells what happened. */
  webhook: {
    /** `polling`: it can tell this address nothing, and is asked. `none`: it never tells anything. */
    state: 'active' | 'polling' | 'none' | OtherWord;
    /** When it last told something, in real time. */
    lastEventAt: UnixMs | null;
  };
  /** The last comparison of its books with ours; null before the first. */
  lastReport: ProcessorReport | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was given up (Unix ms); null while it is in use. */
  retiredAt: UnixMs | null;
}
export interface ProcessorCredentialsInput {
  /** Of Stripe: the secret key. */
  secretKey?: string;
  /** Of Stripe: the key that pages may hold. */
  publishableKey?: string;
  /** Of PayPal: the app’s id. */
  clientId?: string;
  /** Of PayPal: the app’s secret. */
  clientSecret?: string;
}
export interface ProcessorEvent {
  /** What kind of object it is. */
  object: 'processor_event';
  /** Its id. */
  id: string;
  /** Of the connected account. */
  processorId: string;
  /** As the processor names it. */
  eventId: string;
  /** As the processor calls it. */
  type: string;
  /** `waiting`: to be read. `done`: what it is about was looked at. `ignored`: nothing waited for it. `parked`: it could not be read, and waits for you. */
  status: Open<ProcessorEventStatus>;
  /** That failed. */
  tries: number;
  /** Why the last try failed; null where none did. */
  lastError: string | null;
  /** In real time, as the processor says. */
  happenedAt: UnixMs;
  /** In real time. */
  receivedAt: UnixMs;
}
export type ProcessorEventStatus = 'waiting' | 'done' | 'ignored' | 'parked';
export type ProcessorMethod = 'transfer' | 'paypal' | 'card' | 'link' | 'ideal' | 'bancontact' | 'eps' | 'p24' | 'klarna' | 'sepa_debit' | 'bacs_debit';
export interface ProcessorReport {
  /** What kind of object it is. */
  object: 'processor_report';
  /** Its id. */
  id: string;
  /** Of the connected account. */
  processorId: string;
  /** In real time, as all times of a report. */
  from: UnixMs;
  /** Where it ends (Unix ms). */
  to: UnixMs;
  /** How many of each kind were found. */
  counts: {
    /** What was there and not yet here, and was brought here. */
    repaired: number;
    /** Refunds that were made there, and were written here. */
    imported: number;
    /** Charges there whose row here was lost, and was written anew. */
    adopted: number;
    /** Charges that are paid here and not there. */
    missing_money: number;
    /** Money there that is of no payment here. */
    unknown_money: number;
    /** Charges of another sum there than here. */
    amount_differs: number;
    /** What other programs did over the same account. */
    foreign: number;
  };
  /** The first 1,000; `counts` has all. */
  rows: Array<{
    /** Of which kind it is. */
    kind: 'repaired' | 'imported' | 'adopted' | 'missing_money' | 'unknown_money' | 'amount_differs' | 'foreign' | OtherWord;
    /** As the processor names it. */
    processorId: string | null;
    /** Of the charge. */
    chargeId: string | null;
    /** Minor units here; null: it is not here. */
    ours: Minor | null;
    /** Minor units there; null: it is not there. */
    theirs: Minor | null;
    /** ISO 4217, upper case. */
    currency: Open<Currency> | null;
  }>;
  /** What the account holds, by currency. */
  sums: Array<{
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
    /** What your ledger says that the account holds, less pending refunds that have left it there. */
    ours: number;
    /** What it holds, with what is on its way into it. */
    theirs: number;
  }>;
  /** When somebody acknowledged it (Unix ms); null before. */
  acknowledgedAt: UnixMs | null;
  /** Of who has acknowledged it, or before it all that it found. */
  note: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface Product {
  /** What kind of object it is. */
  object: 'product';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<ProductType>;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string;
  /** Unique in the store. */
  slug: string;
  /** A text for people, of several lines. */
  description: string | null;
  /** Who made it. */
  developer: string | null;
  /** Who publishes it. */
  publisher: string | null;
  /** From which age on it is for, by PEGI. */
  pegiRating: Open<PegiRating> | null;
  /** When it comes out (Unix ms). */
  releaseDate: UnixMs | null;
  /** What it runs on. */
  systems: Array<string>;
  /** Of which kinds it is. */
  genres: Array<string>;
  /** HIDDEN sells by link only, DRAFT does not sell. */
  status: Open<ProductStatus>;
  /** Address of the picture. */
  cover: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash: string | null;
  /** Address of the video. */
  coverVideo: string | null;
  /** Address of a video. */
  trailer: string | null;
  /** Addresses of pictures. */
  gallery: Array<{
    /** Address of the picture. */
    value: string;
    /** Stands for the picture while it loads. */
    blurHash: string | null;
  }>;
  /** What it offers, a line each. */
  features: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Of the merchant’s own project, which groups products. */
  projectId: string | null;
  /** What a buyer is asked: the definitions of the store and of the product’s project. */
  customFields: Array<CustomField>;
  /** Which right to withdraw a consumer has; by the type when it is not given. */
  withdrawal: Open<WithdrawalClass>;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was last changed (Unix ms). */
  updatedAt: UnixMs;
}
export interface ProductData {
  /** The product, in short. */
  product: WholeProduct;
  /** Its variants. */
  variants: Array<Variant>;
  /** The variants again, for a Subscription product. */
  plans: Array<Variant>;
  /** Its offers. */
  offers: Array<Offer>;
}
export interface ProductLabel {
  /** What kind of object it is. */
  object: 'product';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: string;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string;
}
export interface ProductShort {
  /** What kind of object it is. */
  object: 'product';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<ProductType>;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string;
}
export type ProductStatus = 'DRAFT' | 'ACTIVE' | 'HIDDEN';
export type ProductStatusFilter = 'DRAFT' | 'ACTIVE' | 'HIDDEN' | 'archived';
export type ProductType = 'DigitalDownload' | 'Game' | 'GiftCard' | 'SoftwareKey' | 'VirtualCurrency' | 'VirtualItem' | 'Subscription' | 'OneTimePayment';
export type Proration = 'create_prorations' | 'always_invoice' | 'none';
export interface ReceivePaymentBody {
  /** As it has come, in minor units: what the payment asks for. */
  amount: Minor;
  /** When it came in (Unix ms). */
  receivedAt: UnixMs;
  /** What the transfer is known by at the bank. */
  reference: string;
}
export interface ReconcileProcessorBody {
  /** In real time. */
  from: UnixMs;
  /** Later than `from`, and no later than now. */
  to: UnixMs;
}
export type RedirectParameter = 'svc-order-id' | 'svc-user-email' | 'svc-product-internal-id';
export interface Refund {
  /** What kind of object it is. */
  object: 'refund';
  /** Its id. */
  id: string;
  /** How far it has come. */
  status: Open<RefundStatus>;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** The part of the amount that is tax. */
  tax: Minor;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Why. */
  reason: Open<RefundReason>;
  /** What somebody wrote about it. */
  note: string | null;
  /** Of the order. */
  orderId: string;
  /** Of the payment. */
  paymentId: string;
  /** No processor gives it back: it is pending until POST /v0/refunds/{refundId}/settle. */
  byHand: boolean;
  /** Of the credit note; null before it is issued. */
  creditNoteNumber: string | null;
  /** Where the credit note is read; null before it is issued. */
  creditNoteUrl: string | null;
  /** When a processor gave the money back to us after all. */
  returnedAt: UnixMs | null;
  /** Why the money came back; null where it did not. */
  returnReason: string | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface RefundData {
  /** What is given back. */
  refund: Refund;
  /** The order. */
  order: Order;
  /** The payment. */
  payment: Payment;
}
export interface RefundOrderBody {
  /** Minor units; all that is left when missing. */
  amount?: Minor;
  /** One of the order's payments; the newest with money left when missing. */
  paymentId?: string;
  /** Why. */
  reason?: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other';
  /** What somebody wrote about it. */
  note?: string | null;
}
export type RefundReason = 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other' | 'dispute';
export type RefundStatus = 'pending' | 'succeeded' | 'failed';
export interface RehearsedCharge {
  /** The id there. */
  ref: string;
  /** Of the subscription: its first order’s number. */
  subscriptionId: string;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** When the source would charge, and what; null: it would not. */
  theirs: {
    /** When (Unix ms). */
    at: UnixMs;
    /** In minor units of the currency, or in % of a percentage. */
    amount: Minor | null;
  } | null;
  /** When we charged, and what; null: we did not. */
  ours: {
    /** When (Unix ms). */
    at: UnixMs;
    /** In minor units of the currency, or in % of a percentage. */
    amount: Minor;
  } | null;
}
export interface ReportDeliveriesBody {
  /** What became of each delivery. */
  results: Array<{
    /** Of the delivery. */
    id: string;
    /** What was answered; null where nothing was. */
    statusCode?: number | null;
    /** Why there was no status. */
    error?: 'timeout' | 'connection' | 'dns' | 'tls' | null;
    /** In ms. */
    durationMs: number;
    /** The beginning of the answer; null without one. */
    responseText?: string | null;
  }>;
}
export interface ResendEventBody {
  /** Missing = all active webhooks that hear its type now. */
  webhookId?: string;
}
export interface ResendWebhookEventsBody {
  /** At most 14 days back. */
  since: UnixMs;
}
export interface ResetTestClockBody {
  /** Must be true: everything in the test store is deleted. */
  confirm: boolean;
}
export interface ResumeSubscriptionBody {
  /** A later moment at which it resumes by itself; missing = now. */
  resumeAt?: UnixMs | null;
}
export interface ReturnChargeBody {
  /** Why it is decided so: kept with the charge and in the audit log. */
  note: string;
}
export type Role = 'owner' | 'admin' | 'manager' | 'support' | 'developer' | 'custom';
export interface RollApiKeyBody {
  /** How long the old pair keeps working; 24 when missing. */
  graceHours?: number;
}
export interface RotateProcessorCredentialsBody {
  /** Of `stripe`: `secretKey` and `publishableKey`, a pair of the mode. Of `paypal`: `clientId` and `clientSecret`. Kept sealed, and told by no answer. */
  credentials: ProcessorCredentialsInput;
}
export interface RotateWebhookSecretBody {
  /** After whsec_: base64 of 16 bytes or more. */
  secret?: string;
}
export type SaleOrder = 'createdAt' | 'orderNumber' | 'value';
export type SaleStatusFilter = 'PENDING' | 'PAID' | 'FAILED' | 'UNPAID' | 'CANCELLED' | 'REFUNDED' | 'PARTIALLY_REFUNDED' | 'EXPIRED' | 'archived';
export interface ScheduledItem {
  /** What kind of object it is. */
  object: 'item';
  /** Null until it takes effect, of an item that is new. */
  id: string | null;
  /** What people call it. */
  name: string;
  /** Unit price before discount. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Of the offer. */
  offerId: string | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The plan, in short; null without. */
  plan: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** Answers to the merchant’s questions, by field key. */
  customFields: Record<string, string>;
}
export interface SendTestEventBody {
  /** Of which kind it is. */
  type?: EventType;
  /** Only to this webhook, if it hears the type. */
  webhookId?: string;
}
export interface Settings {
  /** What kind of object it is. */
  object: 'settings';
  /** Who sells, as documents name it. */
  seller: {
    /** Null: the name of the workspace. */
    name: string | null;
    /** Street and number. */
    address: string | null;
    /** What else the address needs. */
    addressLine2: string | null;
    /** Town. */
    city: string | null;
    /** How far it has come. */
    state: string | null;
    /** As the country writes it. */
    postalCode: string | null;
    /** As invoices show it. Null: the number of the registration in `sellerCountry`, if there is one. */
    taxNumber: string | null;
    /** The entry in a register of companies. */
    registrationNumber: string | null;
    /** For questions of buyers. */
    email: string | null;
  };
  /** IANA name: in which times are told and days are counted. */
  timezone: string;
  /** Null: outside the EU. */
  sellerCountry: string | null;
  /** Where tax is charged: everywhere that it is due, where the seller is registered, or nowhere. */
  taxCollection: Open<TaxCollection>;
  /** For offers whose taxBehavior is null. */
  pricesIncludeTax: boolean;
  /** `vies` asks online; without an answer a number counts as not valid. */
  taxNumberCheck: 'format' | 'vies' | OtherWord;
  /** Where a buyer is sent after paying. */
  redirectUrl: string | null;
  /** What is added to redirectUrl, signed. */
  redirectParameters: Array<Open<RedirectParameter>>;
  /** Added to redirectUrl as they are. */
  redirectFixedParameters: Record<string, string>;
  /** Sites that may show the checkout in a frame, such as https://shop.example. */
  authorizedDomains: Array<string>;
  /** Who takes what is paid on the pages of the test store; of a live store it says nothing. */
  testCheckout: 'sandbox' | 'processors' | OtherWord;
  /** Offers with keys or a `limit`, and codes with a `purchaseLimit`, may be paid by methods that take days: what was ordered is held until the money has come, or has not. */
  delayedForStock: boolean;
  /** What follows when a card’s issuer warns that a charge may be a fraud: a mail, or a refund of all that is left, too. */
  earlyFraudWarning: 'notify' | 'refund' | OtherWord;
  /** What invoice numbers begin with. */
  invoicePrefix: string;
  /** What numbers of credit notes begin with. */
  creditNotePrefix: string;
  /** The `url` of a picture that was uploaded here. */
  invoiceLogo: string | null;
  /** What stands at the foot of documents; null: nothing. */
  invoiceFooter: string | null;
  /** How long access stays after a renewal failed. */
  graceDays: number;
  /** A webhook that failed as often within webhookDisableHours is disabled. */
  webhookDisableFailures: number;
  /** In how many hours failures are counted. */
  webhookDisableHours: number;
  /** The owner is told when an offer has as many keys left or fewer; 0: never. */
  lowStockThreshold: number;
  /** At the checkout a buyer has one trial of a product; the API may give more. */
  oneTrial: boolean;
  /** How often an hour each key pair may move money by a tool of an assistant; 0: never. */
  mcpMoneyCallsPerHour: number;
  /** Where the seller is registered for tax. */
  registrations: Array<{
    /** ISO 3166-1 alpha-2, or EU for a one-stop-shop registration. */
    country: string;
    /** A US state or Canadian province; null: the whole country. */
    region: string | null;
    /** As the tax office has given it. */
    number: string | null;
  }>;
  /** What happens when a renewal fails. */
  dunning: {
    /** Days before each further try of a failed renewal, one after the other. */
    retryDays: Array<number>;
    /** What follows the last failed try. */
    end: 'unpaid' | 'canceled' | OtherWord;
  };
  /** How the pages of the shop look. */
  branding: {
    /** Logo: the `url` of a picture that was uploaded here. */
    logo: string | null;
    /** Icon: the `url` of a picture that was uploaded here. */
    icon: string | null;
    /** Must be readable on white. */
    accent: string | null;
    /** Light, dark, or as the browser asks. */
    theme: Open<Theme>;
    /** Terms of sale. */
    termsUrl: string | null;
    /** Privacy policy. */
    privacyUrl: string | null;
    /** Who runs the shop. */
    imprintUrl: string | null;
    /** The shop itself. */
    websiteUrl: string | null;
  };
  /** What buyers may do in the portal. */
  portal: {
    /** `product`: to active offers of the same product; `listed`: to planChangeOffers. */
    planChange: Open<PlanChange>;
    /** Ids of the offers that buyers may change to, where planChange is `listed`. */
    planChangeOffers: Array<string>;
    /** Whether the difference to a dearer plan is paid at once or with the next payment. */
    upgradeProration: 'always_invoice' | 'create_prorations' | OtherWord;
    /** Whether the rest of a dearer plan is credited with the next payment or not at all. */
    downgradeProration: 'create_prorations' | 'none' | OtherWord;
    /** Whether buyers may change the quantity. */
    quantityChange: boolean;
    /** Whether buyers may pause. */
    pause: boolean;
    /** How long a buyer’s pause may last (days). */
    pauseMaxDays: number;
    /** When a buyer’s cancellation ends it: with the interval, at once, or as the buyer chooses. */
    cancelTiming: Open<CancelTiming>;
    /** What buyers can choose from as their reason to cancel. */
    cancelReasons: Array<Open<CancelReason>>;
    /** Offered once to whoever is about to cancel. */
    stayDiscountId: string | null;
    /** Whether buyers may change their e-mail address. */
    emailChange: boolean;
    /** Whether buyers may sign in by password. */
    passwordSignIn: boolean;
    /** Whether a buyer’s wish to be erased waits for the merchant (`request`) or for time alone (`automatic`). */
    deletion: 'request' | 'automatic' | OtherWord;
    /** Where the portal leads back to. */
    returnUrl: string | null;
    /** What stands above the portal; null: nothing. */
    headline: string | null;
  };
  /** What consumers’ law asks of the shop. */
  consumer: {
    /** Who may withdraw. */
    withdrawal: Open<WithdrawalRight>;
    /** Whether buyers are asked to agree that delivery begins at once, must agree, or are not asked. */
    consent: Open<ConsentHandling>;
    /** Whether withdrawals take effect by themselves or wait for the merchant. */
    withdrawalHandling: 'automatic' | 'manual' | OtherWord;
    /** Whether a withdrawal from what was begun without consent waits for the merchant or takes effect by itself. */
    deliveredContent: 'manual' | 'automatic' | OtherWord;
    /** `auto`: buyers can cancel without signing in once a subscription is sold. */
    cancellationPage: 'auto' | 'off' | OtherWord;
  };
  /** What the checkout asks, and whom it reminds. */
  checkout: {
    /** Of the checkout where the browser asks for none that is there; null: the browser’s. */
    defaultLanguage: string | null;
    /** Whether buyers are asked for their name. */
    buyerName: Open<FieldDemand>;
    /** Whether buyers are asked for their address. */
    buyerAddress: Open<FieldDemand>;
    /** Who is reminded of an unfinished purchase: nobody, who has asked for it, or everybody. */
    reminder: Open<CheckoutReminder>;
    /** How long after the last visit (minutes). */
    reminderMinutes: number;
    /** Of the discount that the reminder offers; null: none. */
    reminderDiscountId: string | null;
    /** How long a receipt shows what was bought. */
    receiptDays: number;
  };
  /** Win over the table from their day on. */
  taxRateOverrides: Array<{
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** A state, province or territory by its code; null: the whole country. */
    region: string | null;
    /** Of these goods alone; null: of all. */
    category: Open<TaxCategory> | null;
    /** 19 = 19 %; four decimals count. */
    percentage: number;
    /** From when on it holds (Unix ms). */
    validFrom: UnixMs;
    /** Until when it holds (Unix ms); null: for good. */
    validTo: UnixMs | null;
    /** What somebody wrote about it. */
    note: string | null;
  }>;
  /** Signs what is added to redirectUrl: `svc-signature` is the HMAC-SHA256 in hex of the raw query before it. Whole where the settings are read, masked to its last 4 where they are changed. */
  redirectSecret: string;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** Where the portal of the workspace is found; the same in both modes. */
  portalSlug: string;
  /** Of all that is sold, as the workspace was made or its first offer says it; null: of nothing yet. Only told. */
  currency: Open<Currency> | null;
}
export interface SettleRefundBody {
  /** What the transfer is known by, such as its number at the bank. */
  reference: string;
}
export interface StoredFile {
  /** What kind of object it is. */
  object: 'file';
  /** Its id. */
  id: string;
  /** What the file is called. */
  fileName: string;
  /** Bytes. */
  size: number;
  /** The content type it was uploaded with. */
  type: string;
  /** A picture is shown to anybody, a download leaves by links of its buyers alone. */
  purpose: 'picture' | 'download' | OtherWord;
  /** Where a picture is shown; null for what leaves by signed links only. */
  url: string | null;
  /** A placeholder of a picture while it loads. */
  blurHash: string | null;
}
export interface StoredMethod {
  /** Its id. */
  id: string;
  /** `card`, or another word of the processor. */
  type: string;
  /** Of the card. */
  brand: string | null;
  /** The last 4 characters. */
  last4: string | null;
  /** Null where the processor does not tell. */
  expMonth: number | null;
  /** The year in which the card ends. */
  expYear: number | null;
}
export interface Subscription {
  /** What kind of object it is. */
  object: 'subscription';
  /** The initial order's number. */
  id: string;
  /** How far it has come. */
  status: Open<SubscriptionStatus>;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When the running interval began (Unix ms). */
  currentIntervalStart: UnixMs | null;
  /** When the running interval ends (Unix ms). */
  currentIntervalEnd: UnixMs | null;
  /** When the trial began (Unix ms); null without. */
  trialStart: UnixMs | null;
  /** When the trial ends (Unix ms); null without. */
  trialEnd: UnixMs | null;
  /** Whether it ends with the running interval. */
  cancelAtIntervalEnd: boolean;
  /** When it was cancelled (Unix ms); null before. */
  canceledAt: UnixMs | null;
  /** When it ended (Unix ms); null before. */
  endedAt: UnixMs | null;
  /** When collecting was paused (Unix ms); null while it runs. */
  pausedAt: UnixMs | null;
  /** When a pause ends by itself (Unix ms); null = when somebody ends it. */
  resumeAt: UnixMs | null;
  /** Why it was cancelled; null without a word. */
  cancelReason: string | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Unit price × quantity of one interval, before discount and tax. */
  value: Minor;
  /** How long one interval is, with its count. */
  recurringInterval: Open<Interval>;
  /** How many of these make one interval. */
  recurringIntervalCount: number;
  /** Of the buyer. */
  userId: string;
  /** The buyer. */
  user: UserLabel;
  /** Of the order. */
  orderId: string;
  /** Of the order, as buyers see it. */
  orderNumber: string;
  /** The order. */
  order: OrderLabel;
  /** Of the newest payment; null before the first. */
  lastPaymentId: string | null;
  /** Of the newest payment; null before the first. */
  lastPaymentNumber: string | null;
  /** The newest payment, in short; null before the first. */
  lastPayment: PaymentLabel | null;
  /** What it consists of. */
  items: Array<SubscriptionItem>;
  /** What it will become, and when; null: nothing is planned. */
  scheduledChange: {
    /** What it consists of. */
    items: Array<ScheduledItem>;
    /** The end of the period, where it takes effect. */
    at: UnixMs;
  } | null;
  /** What was taken off. */
  discount: DiscountLabel | null;
  /** Who is billed, and where. */
  billingDetails: BillingDetails | null;
  /** How it is paid. */
  paymentMethod: StoredMethod | null;
  /** What was paid elsewhere for the running interval, of one that was brought in; null of others. */
  paidForPeriod: {
    /** What is asked for, in minor units. */
    value: Minor;
    /** The tax within or upon it, in minor units. */
    tax: Minor;
  } | null;
  /** It was imported and is not activated: nothing is charged and nothing is told. */
  waiting: boolean;
}
export interface SubscriptionCancelledEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'subscription_cancelled';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: SubscriptionEventData;
}
export interface SubscriptionCreatedEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'subscription_created';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: SubscriptionEventData;
}
export interface SubscriptionEventData {
  /** Of `subscription_*` events what the subscription consists of, of others what the payment paid for. */
  items: Array<SubscriptionItem>;
  /** The custom fields of all items as one. */
  customFields?: Record<string, unknown>;
  /** The order. */
  order: Order;
  /** The payment that the event is about, or the latest one; without a link that pays. */
  payment: EventPayment;
  /** The user who bought. */
  customer: EventUser;
  /** The same as `customer`. */
  user: EventUser;
  /** Of `payment_refunded`: what was given back. */
  refund?: Refund;
  /** The subscription, when one is involved. */
  subscription?: Subscription;
  /** The subscription’s latest payment; null before the first. */
  lastPayment?: PaymentLabel | null;
}
export interface SubscriptionIntervalEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'subscription_interval';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: SubscriptionEventData;
}
export interface SubscriptionItem {
  /** What kind of object it is. */
  object: 'item';
  /** Its id. */
  id: string;
  /** What people call it. */
  name: string;
  /** Unit price before discount. */
  value: Minor;
  /** How many. */
  quantity: number;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Of the offer. */
  offerId: string | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** The product, in short. */
  product: ProductLabel | null;
  /** The variant, in short; null without. */
  variant: VariantLabel | null;
  /** The plan, in short; null without. */
  plan: VariantLabel | null;
  /** The offer, in short; null without. */
  offer: OfferLabel | null;
  /** Answers to the merchant’s questions, by field key. */
  customFields: Record<string, string>;
}
export interface SubscriptionLabel {
  /** What kind of object it is. */
  object: 'subscription';
  /** The initial order's number. */
  id: string;
  /** How far it has come. */
  status: Open<SubscriptionStatus>;
}
export interface SubscriptionPreview {
  /** What kind of object it is. */
  object: 'subscription_preview';
  /** What it consists of, a line each. */
  lines: Array<PaymentLine>;
  /** The value of the payment that the update would make now; 0 when none. */
  amountDue: Minor;
  /** The sum of `returns`: what the change pays back. */
  amountReturned: Minor;
  /** What goes back, by payment. */
  returns: Array<{
    /** Of the payment. */
    paymentId: string;
    /** Goes back when the change holds, or with the next payment where its lines wait. */
    amount: Minor;
    /** The part of the amount that is tax. */
    tax: Minor;
  }>;
  /** The next payment; null where none will follow. */
  nextPayment: UpcomingPayment | null;
}
export type SubscriptionStatus = 'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'trialing' | 'paused' | 'unpaid';
export type SubscriptionStatusFilter = 'all' | 'active' | 'canceled' | 'incomplete' | 'incomplete_expired' | 'past_due' | 'trialing' | 'paused' | 'unpaid';
export interface SubscriptionUpdatedEvent {
  /** What kind of object it is. */
  object: 'event';
  /** Its id. */
  id: string;
  /** Of what happened. */
  type: 'subscription_updated';
  /** The same on every attempt and resend. */
  idempotencyKey: string;
  /** Whether it is of the test store. */
  testMode: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** How often the store had been restored from a backup by then; missing = never. */
  epoch?: number;
  /** What it is about, as it was then. */
  data: SubscriptionEventData;
}
export interface Tax {
  /** What kind of object it is. */
  object: 'tax';
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** Whether every price holds its tax. */
  inclusive: boolean;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The code that was given is valid, and was not used: a running sale takes as much off or more, or the code takes nothing off. */
  codeUnused: boolean;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** Of the line in all, in minor units. */
  total: Minor;
  /** Why. */
  reason: Open<TaxReason>;
  /** What it consists of, a line each. */
  lines: Array<{
    /** What kind of object it is. */
    object: 'tax_line';
    /** Of the offer. */
    offerId: string | null;
    /** Of the product. */
    productId: string;
    /** What people call it. */
    name: string;
    /** Of one, in minor units. */
    unitPrice: Minor;
    /** How many. */
    quantity: number;
    /** Unit price × quantity, in the price’s own tax behaviour. */
    subtotal: Minor;
    /** What was taken off, in minor units. */
    discount: Minor;
    /** The tax within or upon it, in minor units. */
    tax: Minor;
    /** What is paid for the line. */
    total: Minor;
    /** Whether the price holds its tax. */
    inclusive: boolean;
    /** Why. */
    reason: Open<TaxReason>;
    /** The rates that make up the tax. */
    rates: Array<{
      /** What people call it. */
      name: string;
      /** ISO 3166, two letters. */
      country: string;
      /** Of the country, or of the world where it can be used. */
      region: string | null;
      /** In %. */
      percentage: number;
      /** What the tax is of, in minor units. */
      taxable: Minor;
      /** In minor units of the currency, or in % of a percentage. */
      amount: Minor;
      /** Why. */
      reason: Open<TaxReason>;
    }>;
  }>;
}
export type TaxCategory = 'digital_good' | 'software' | 'saas' | 'digital_service' | 'voucher';
export type TaxCollection = 'everywhere' | 'registered' | 'off';
export interface TaxRate {
  /** What people call it. */
  name: string;
  /** ISO 3166, two letters. */
  country: string;
  /** Of the country, or of the world where it can be used. */
  region: string | null;
  /** In %. */
  percentage: number;
  /** What the tax is of, in minor units. */
  taxable: Minor;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** Why. */
  reason: string;
}
export type TaxReason = 'standard' | 'reduced' | 'reverse_charge' | 'not_registered' | 'exempt' | 'zero_rated' | 'outside_scope';
export interface TaxSummaryRow {
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Null of what the books have and no document tells of. */
  country: string | null;
  /** Of the country, or of the world where it can be used. */
  region: string | null;
  /** What people call it. */
  name: string | null;
  /** In %. */
  percentage: number | null;
  /** What the tax is of, in minor units. */
  taxable: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** How many payments it is the sum of. */
  payments: number;
}
export interface TaxTableRate {
  /** What kind of object it is. */
  object: 'tax_table_rate';
  /** ISO 3166, two letters. */
  country: string;
  /** Of the country, or of the world where it can be used. */
  region: string | null;
  /** `any`, or the kind of good that it is told apart for. */
  category: string;
  /** What people call it. */
  name: string;
  /** What is charged: 19 = 19 %. */
  percentage: number;
  /** What the table says; null where it does not tell this apart. */
  tablePercentage: number | null;
  /** Whether this kind of good is taxed there at all. */
  taxable: boolean;
  /** From when on it holds (Unix ms). */
  validFrom: UnixMs;
  /** Until when it holds (Unix ms); null: for good. */
  validTo: UnixMs | null;
  /** Where the rate is written. */
  source: string;
  /** The day on which it was last compared with public references. */
  checked: string | null;
  /** What the merchant’s settings say instead; null: nothing. */
  override: {
    /** In %. */
    percentage: number;
    /** From when on it holds (Unix ms). */
    validFrom: UnixMs;
    /** Until when it holds (Unix ms); null: for good. */
    validTo: UnixMs | null;
    /** What somebody wrote about it. */
    note: string | null;
  } | null;
}
export interface TaxThreshold {
  /** What kind of object it is. */
  object: 'tax_threshold';
  /** The word for it that does not change. */
  scheme: string;
  /** What people call it. */
  name: string;
  /** A country, or EU. */
  country: string;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** In minor units of the currency, or in % of a percentage. */
  amount: Minor;
  /** From when on it holds (Unix ms). */
  validFrom: UnixMs;
  /** Until when it holds (Unix ms); null: for good. */
  validTo: UnixMs | null;
  /** Where the sum is written. */
  source: string;
  /** Over which time sales are added up. */
  period: 'calendar_year' | 'twelve_months' | OtherWord;
  /** Whose sales count: those to its countries, of these what crosses a border, or all. */
  counted: 'there' | 'cross_border' | 'everywhere' | OtherWord;
  /** Whether a seller of this country may stay below it; others owe the tax from the first sale on. */
  applies: boolean;
  /** Where it begins (Unix ms). */
  from: UnixMs;
  /** Where it ends (Unix ms). */
  to: UnixMs;
  /** Net of tax and refunds, by currency; sales to businesses are among them. */
  sales: Array<{
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
    /** In minor units of the currency, or in % of a percentage. */
    amount: Minor;
  }>;
  /** Of the sales in its own currency alone, 6 places; null without such. */
  ratio: number | null;
}
export interface TestClock {
  /** What kind of object it is. */
  object: 'test_clock';
  /** The store's time: real time + offsetMs. */
  now: UnixMs;
  /** How far it is before real time (ms). */
  offsetMs: number;
  /** Where an advance that is under way goes to. */
  advancingTo: UnixMs | null;
  /** What falls due next, at most 20. */
  upcoming: Array<{
    /** When (Unix ms). */
    at: UnixMs;
    /** What is to be done; new kinds may be added. */
    kind: string;
    /** What it is done to. */
    object: string;
    /** Its id. */
    id: string;
  }>;
  /** Of an advance: how much of each kind was done. */
  done: Record<string, number> | null;
}
export interface Texts {
  /** In English. */
  en?: string;
  /** In German. */
  de?: string;
  /** In French. */
  fr?: string;
  /** In Spanish. */
  es?: string;
  /** In Italian. */
  it?: string;
  /** In Dutch. */
  nl?: string;
  /** In Polish. */
  pl?: string;
  /** In Brazilian Portuguese. */
  'pt-BR'?: string;
  /** In Japanese. */
  ja?: string;
}
export interface TextsInput {
  /** In English. */
  en?: string;
  /** In German. */
  de?: string;
  /** In French. */
  fr?: string;
  /** In Spanish. */
  es?: string;
  /** In Italian. */
  it?: string;
  /** In Dutch. */
  nl?: string;
  /** In Polish. */
  pl?: string;
  /** In Brazilian Portuguese. */
  'pt-BR'?: string;
  /** In Japanese. */
  ja?: string;
}
export type Theme = 'auto' | 'light' | 'dark';
export interface TimelineEntry {
  /** What kind of object it is. */
  object: 'timeline_entry';
  /** Of what it tells of: an event, a charge, a mail … */
  id: string;
  /** Of which kind it is. */
  type: Open<TimelineEntryType>;
  /** When (Unix ms). */
  at: UnixMs;
  /** Of a note its text. */
  title: string;
  /** Who did it; null of what happened by itself. */
  actor: string | null;
  /** What else is known of it, by its type. */
  data: Record<string, unknown>;
}
export type TimelineEntryType = 'event' | 'charge' | 'refund' | 'dispute' | 'mail' | 'delivery' | 'audit' | 'note';
export interface UnarchiveProductBody {
  /** Takes back, too, the offers that were archived with it. */
  withOffers?: boolean;
}
export interface UpcomingPayment {
  /** What kind of object it is. */
  object: 'upcoming_payment';
  /** Of the subscription: its first order’s number. */
  subscriptionId: string;
  /** When it will be charged (Unix ms). */
  date: UnixMs;
  /** When what is billed begins (Unix ms). */
  periodStart: UnixMs;
  /** When what is billed ends (Unix ms). */
  periodEnd: UnixMs;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** Decimals of the currency: amounts are minor units of that many. */
  currencyDecimals: Minor;
  /** Before discount, in minor units. */
  subtotal: Minor;
  /** What was taken off, in minor units. */
  discount: Minor;
  /** The tax within or upon it, in minor units. */
  tax: Minor;
  /** What is asked for, in minor units. */
  value: Minor;
  /** What it consists of, a line each. */
  lines: Array<PaymentLine>;
  /** The tax by rate. */
  taxBreakdown: Array<{
    /** What people call it. */
    name: string;
    /** ISO 3166, two letters. */
    country: string;
    /** Of the country, or of the world where it can be used. */
    region: string | null;
    /** In %. */
    percentage: number;
    /** What the tax is of, in minor units. */
    taxable: Minor;
    /** In minor units of the currency, or in % of a percentage. */
    amount: Minor;
    /** Whether the tax is within the price. */
    inclusive: boolean;
    /** Why. */
    reason: string;
  }>;
}
export interface UpdateApiKeyBody {
  /** What people call it. */
  name?: string;
  /** Such as `orders:read`. */
  scopes?: Array<string> | null;
  /** Networks such as 203.0.113.0/24, or single addresses. */
  ipAllowList?: Array<string> | null;
  /** By default true in live mode. Whoever has the public key of an open pair reads orders and buyers. */
  readRequiresSecret?: boolean;
  /** What unit prices of its requests are written in; answers are always minor units. */
  amounts?: 'minor' | 'major';
  /** When it stops working; in the future. */
  expiresAt?: UnixMs | null;
}
export interface UpdateCheckoutElementBody {
  /** Of the offers that are sold. */
  offersIds?: Array<string>;
  /** What people call it. */
  name?: string | null;
  /** Hosts or origins that authorizedDomains covers; in test mode of the own machine, too. */
  allowedOrigins?: Array<string>;
  /** Ignored: what is sold is the offers’ to say. */
  type?: unknown;
  /** Always refused: fields are defined per store. */
  customFields?: unknown;
}
export interface UpdateCustomFieldBody {
  /** Names the value in an item’s customFields and prefills it in a URL. */
  key?: string;
  /** What buyers are asked. */
  label?: string;
  /** Of which kind it is. */
  type?: 'text' | 'dropdown';
  /** Whether an answer must be given. */
  required?: boolean;
  /** What buyers choose from, of a `dropdown`. */
  options?: Array<string>;
  /** RE2 syntax, which the whole value must match; null: anything. */
  pattern?: string | null;
  /** Where an answer is checked; null: nowhere. */
  validationUrl?: string | null;
  /** Signs what the validationUrl is asked; null: nothing signs it. */
  validationSecret?: string | null;
  /** Of the merchant’s own project, which groups products. */
  projectId?: string | null;
}
export interface UpdateDiscountBody {
  /** Of which kind it is. */
  type?: DiscountInputType;
  /** In minor units of the currency, or in % of a percentage. */
  amount?: Minor;
  /** Whether the amount is money or a percentage. */
  amountType?: 'fixed' | 'percentage';
  /** How far it has come. */
  status?: 'active' | 'inactive';
  /** ISO 4217, upper case. */
  currency?: Currency | null;
  /** What people call it. */
  name?: string | null;
  /** What the buyer enters. */
  discountCode?: string | null;
  /** From when on it holds (Unix ms). */
  validFrom?: UnixMs | null;
  /** Until when it holds (Unix ms). */
  validUntil?: UnixMs | null;
  /** IANA name, or an offset such as +02:00. */
  timezone?: string;
  /** How often it can be used in all; null: as often as one likes. */
  purchaseLimit?: number | null;
  /** How often each buyer can use it; null: as often as one likes. */
  limitPerUser?: number | null;
  /** On create true where neither it nor `includedOffers` is given, else false. */
  includesAllOffers?: boolean;
  /** Ids of the offers that it holds for. */
  includedOffers?: Array<string>;
  /** Ids of the offers that it does not hold for. */
  excludedOffers?: Array<string>;
  /** How long it lowers a subscription: its first interval, `durationIntervals` of them, or all. */
  duration?: DiscountDuration;
  /** How many intervals of a subscription it lowers. */
  durationIntervals?: number | null;
}
export interface UpdateOfferBody {
  /** Never changes: it may only be repeated. */
  productId?: string;
  /** Of the variant. */
  variantId?: string | null;
  /** Of one, in minor units. */
  price?: Minor;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** Shown struck through beside the price (minor units). */
  originalPrice?: Minor | null;
  /** The store's, which its first offer sets. */
  currency?: Currency;
  /** How long one interval is, with its count. */
  recurringInterval?: Interval | null;
  /** How many of these make one interval. */
  recurringIntervalCount?: number | null;
  /** How long the trial is, with its count. */
  trialInterval?: Interval | null;
  /** How many of these make the trial. */
  trialIntervalCount?: number | null;
  /** How many may be sold in all; null: any number. */
  limit?: number | null;
  /** How many one order may have; null: any number. */
  maxPerOrder?: number | null;
  /** How often it may be downloaded; null: as often as one likes. */
  downloadLimit?: number | null;
  /** For how many days from the payment buyers may download; null: for ever. */
  downloadDays?: number | null;
  /** Whether it costs nothing; then the price is 0. */
  freeProduct?: boolean;
  /** How far it has come. */
  status?: 'DRAFT' | 'ACTIVE';
  /** What people call it. */
  name?: string | null;
  /** A text for people, of several lines. */
  description?: string | null;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Of the country, or of the world where it can be used. */
  region?: string;
  /** Where it is used. */
  platform?: string;
  /** The number that trade knows it by. */
  gtin?: string | null;
  /** What buyers are told before they buy. */
  warningMessage?: string | null;
  /** Whether buyers choose how many. */
  mutableQuantity?: boolean;
  /** Whether the price includes the tax; null: as the settings say. */
  taxBehavior?: 'inclusive' | 'exclusive' | null;
  /** Of the file that buyers download. */
  downloadFileId?: string | null;
  /** What buyers are told of the download. */
  downloadDescription?: string | null;
  /** Words that the merchant sorts by. */
  tags?: Array<{
    /** Its id. */
    id: string;
    /** What people call it. */
    name: string;
  }>;
}
export interface UpdateOrderBody {
  /** How far it has come. */
  status?: PaymentStatus | null;
  /** Minor units, tax in; null leaves it as it is. */
  value?: Minor | null;
  /** Minor units, a part of the value; null leaves it as it is. */
  tax?: Minor | null;
  /** Minor units; null leaves it as it is. */
  fee?: Minor | null;
  /** ISO 4217, upper case. */
  currency?: Currency | null;
}
export interface UpdatePlanBody {
  /** What people call it. */
  name?: string;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** A text for people, of several lines. */
  description?: string | null;
  /** What it offers, a line each. */
  features?: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Address of the video. */
  coverVideo?: string | null;
  /** Its place among the product’s variants, smallest first. */
  order?: number;
}
export interface UpdateProcessorBody {
  /** What people call it. */
  name?: string;
  /** How far it has come. */
  status?: 'active' | 'paused';
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Only those of one of these (ISO 3166). */
  countries?: Array<Country>;
  /** None = all that its kind takes. */
  methods?: Array<ProcessorMethod>;
  /** The lowest that fits is asked first. */
  priority?: number;
  /** What the buyer reads beside the account, by language. */
  instructions?: TextsInput;
  /** Of the account that buyers transfer to. */
  iban?: string | null;
  /** Of the bank. */
  bic?: string | null;
  /** Whose account it is. */
  holder?: string | null;
  /** 14 unless said. */
  dueDays?: number;
}
export interface UpdateProductBody {
  /** Of which kind it is. */
  type?: ProductType;
  /** What people call it. */
  name?: string;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** Unique in the store; made from the name when missing. */
  slug?: string;
  /** A text for people, of several lines. */
  description?: string | null;
  /** Who made it. */
  developer?: string | null;
  /** Who publishes it. */
  publisher?: string | null;
  /** From which age on it is for, by PEGI. */
  pegiRating?: PegiRating | null;
  /** When it comes out (Unix ms). */
  releaseDate?: UnixMs | null;
  /** What it runs on. */
  systems?: Array<string>;
  /** Of which kinds it is. */
  genres?: Array<string>;
  /** How far it has come. */
  status?: ProductStatus;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Address of the video. */
  coverVideo?: string | null;
  /** Address of a video. */
  trailer?: string | null;
  /** Addresses of pictures. */
  gallery?: Array<{
    /** Address of the picture. */
    value: string;
    /** Stands for the picture while it loads. */
    blurHash?: string | null;
  }>;
  /** What it offers, a line each. */
  features?: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Of the merchant’s own project, which groups products. */
  projectId?: string | null;
  /** Which right to withdraw a consumer has; by the type when it is not given. */
  withdrawal?: WithdrawalClass;
}
export interface UpdateSettingsBody {
  /** Who sells, as documents name it. */
  seller?: {
    /** Null: the name of the workspace. */
    name?: string | null;
    /** Street and number. */
    address?: string | null;
    /** What else the address needs. */
    addressLine2?: string | null;
    /** Town. */
    city?: string | null;
    /** How far it has come. */
    state?: string | null;
    /** As the country writes it. */
    postalCode?: string | null;
    /** As invoices show it. Null: the number of the registration in `sellerCountry`, if there is one. */
    taxNumber?: string | null;
    /** The entry in a register of companies. */
    registrationNumber?: string | null;
    /** For questions of buyers. */
    email?: string | null;
  };
  /** IANA name: in which times are told and days are counted. */
  timezone?: string;
  /** Null: outside the EU. */
  sellerCountry?: string | null;
  /** Where tax is charged: everywhere that it is due, where the seller is registered, or nowhere. */
  taxCollection?: TaxCollection;
  /** For offers whose taxBehavior is null. */
  pricesIncludeTax?: boolean;
  /** `vies` asks online; without an answer a number counts as not valid. */
  taxNumberCheck?: 'format' | 'vies';
  /** Where a buyer is sent after paying. */
  redirectUrl?: string | null;
  /** What is added to redirectUrl, signed. */
  redirectParameters?: Array<RedirectParameter>;
  /** Added to redirectUrl as they are. */
  redirectFixedParameters?: Record<string, string>;
  /** Sites that may show the checkout in a frame, such as https://shop.example. */
  authorizedDomains?: Array<string>;
  /** Who takes what is paid on the pages of the test store; of a live store it says nothing. */
  testCheckout?: 'sandbox' | 'processors';
  /** Offers with keys or a `limit`, and codes with a `purchaseLimit`, may be paid by methods that take days: what was ordered is held until the money has come, or has not. */
  delayedForStock?: boolean;
  /** What follows when a card’s issuer warns that a charge may be a fraud: a mail, or a refund of all that is left, too. */
  earlyFraudWarning?: 'notify' | 'refund';
  /** What invoice numbers begin with. */
  invoicePrefix?: string;
  /** What numbers of credit notes begin with. */
  creditNotePrefix?: string;
  /** The `url` of a picture that was uploaded here. */
  invoiceLogo?: string | null;
  /** What stands at the foot of documents; null: nothing. */
  invoiceFooter?: string | null;
  /** How long access stays after a renewal failed. */
  graceDays?: number;
  /** A webhook that failed as often within webhookDisableHours is disabled. */
  webhookDisableFailures?: number;
  /** In how many hours failures are counted. */
  webhookDisableHours?: number;
  /** The owner is told when an offer has as many keys left or fewer; 0: never. */
  lowStockThreshold?: number;
  /** At the checkout a buyer has one trial of a product; the API may give more. */
  oneTrial?: boolean;
  /** How often an hour each key pair may move money by a tool of an assistant; 0: never. */
  mcpMoneyCallsPerHour?: number;
  /** Where the seller is registered for tax. */
  registrations?: Array<{
    /** ISO 3166-1 alpha-2, or EU for a one-stop-shop registration. */
    country: string;
    /** A US state or Canadian province; null: the whole country. */
    region?: string | null;
    /** As the tax office has given it. */
    number?: string | null;
  }>;
  /** What happens when a renewal fails. */
  dunning?: {
    /** Days before each further try of a failed renewal, one after the other. */
    retryDays?: Array<number>;
    /** What follows the last failed try. */
    end?: 'unpaid' | 'canceled';
  };
  /** How the pages of the shop look. */
  branding?: {
    /** Logo: the `url` of a picture that was uploaded here. */
    logo?: string | null;
    /** Icon: the `url` of a picture that was uploaded here. */
    icon?: string | null;
    /** Must be readable on white. */
    accent?: string | null;
    /** Light, dark, or as the browser asks. */
    theme?: Theme;
    /** Terms of sale. */
    termsUrl?: string | null;
    /** Privacy policy. */
    privacyUrl?: string | null;
    /** Who runs the shop. */
    imprintUrl?: string | null;
    /** The shop itself. */
    websiteUrl?: string | null;
  };
  /** What buyers may do in the portal. */
  portal?: {
    /** `product`: to active offers of the same product; `listed`: to planChangeOffers. */
    planChange?: PlanChange;
    /** Ids of the offers that buyers may change to, where planChange is `listed`. */
    planChangeOffers?: Array<string>;
    /** Whether the difference to a dearer plan is paid at once or with the next payment. */
    upgradeProration?: 'always_invoice' | 'create_prorations';
    /** Whether the rest of a dearer plan is credited with the next payment or not at all. */
    downgradeProration?: 'create_prorations' | 'none';
    /** Whether buyers may change the quantity. */
    quantityChange?: boolean;
    /** Whether buyers may pause. */
    pause?: boolean;
    /** How long a buyer’s pause may last (days). */
    pauseMaxDays?: number;
    /** When a buyer’s cancellation ends it: with the interval, at once, or as the buyer chooses. */
    cancelTiming?: CancelTiming;
    /** What buyers can choose from as their reason to cancel. */
    cancelReasons?: Array<CancelReason>;
    /** Offered once to whoever is about to cancel. */
    stayDiscountId?: string | null;
    /** Whether buyers may change their e-mail address. */
    emailChange?: boolean;
    /** Whether buyers may sign in by password. */
    passwordSignIn?: boolean;
    /** Whether a buyer’s wish to be erased waits for the merchant (`request`) or for time alone (`automatic`). */
    deletion?: 'request' | 'automatic';
    /** Where the portal leads back to. */
    returnUrl?: string | null;
    /** What stands above the portal; null: nothing. */
    headline?: string | null;
  };
  /** What consumers’ law asks of the shop. */
  consumer?: {
    /** Who may withdraw. */
    withdrawal?: WithdrawalRight;
    /** Whether buyers are asked to agree that delivery begins at once, must agree, or are not asked. */
    consent?: ConsentHandling;
    /** Whether withdrawals take effect by themselves or wait for the merchant. */
    withdrawalHandling?: 'automatic' | 'manual';
    /** Whether a withdrawal from what was begun without consent waits for the merchant or takes effect by itself. */
    deliveredContent?: 'manual' | 'automatic';
    /** `auto`: buyers can cancel without signing in once a subscription is sold. */
    cancellationPage?: 'auto' | 'off';
  };
  /** What the checkout asks, and whom it reminds. */
  checkout?: {
    /** Of the checkout where the browser asks for none that is there; null: the browser’s. */
    defaultLanguage?: string | null;
    /** Whether buyers are asked for their name. */
    buyerName?: FieldDemand;
    /** Whether buyers are asked for their address. */
    buyerAddress?: FieldDemand;
    /** Who is reminded of an unfinished purchase: nobody, who has asked for it, or everybody. */
    reminder?: CheckoutReminder;
    /** How long after the last visit (minutes). */
    reminderMinutes?: number;
    /** Of the discount that the reminder offers; null: none. */
    reminderDiscountId?: string | null;
    /** How long a receipt shows what was bought. */
    receiptDays?: number;
  };
  /** Null makes a new one; the old one signs nothing more. */
  redirectSecret?: null;
  /** Win over the table from their day on; the list replaces the one before. */
  taxRateOverrides?: Array<{
    /** ISO 3166-1 alpha-2. */
    country: string;
    /** A state, province or territory by its code; null: the whole country. */
    region?: string | null;
    /** Of these goods alone; null: of all. */
    category?: TaxCategory | null;
    /** 19 = 19 %; four decimals count. */
    percentage: number;
    /** From when on it holds (Unix ms). */
    validFrom: UnixMs;
    /** Until when it holds (Unix ms); null: for good. */
    validTo?: UnixMs | null;
    /** What somebody wrote about it. */
    note?: string | null;
  }>;
}
export interface UpdateSubscriptionBody {
  /** What it consists of. */
  items?: Array<LineInput>;
  /** Of the offer. */
  offerId?: string;
  /** How many. */
  quantity?: number;
  /** Whether time that is left is charged with the next payment, at once, or not at all. */
  prorationBehavior?: Proration;
  /** Whether it ends with the running interval. */
  cancelAtIntervalEnd?: boolean;
  /** As of when time is divided (Unix ms). */
  prorationDate?: UnixMs;
  /** Put on the subscription: used at once, it counts from the next interval. */
  discountCode?: string;
  /** Who is billed, and where. */
  billingDetails?: BillingDetailsInput;
  /** One of the user's `paymentMethods`. */
  paymentMethodId?: string;
}
export interface UpdateUserBody {
  /** An e-mail address. */
  email?: string | null;
  /** With at least one special character, one digit and one upper-case letter. */
  password?: string | null;
  /** What the buyer is called. */
  username?: string | null;
  /** A BCP 47 tag, such as de or pt-BR. */
  language?: string | null;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** Who is billed, and where. */
  billingDetails?: BillingDetailsInput;
  /** The customer’s ids at processors. */
  paymentData?: PaymentDataInput;
}
export interface UpdateVariantBody {
  /** What people call it. */
  name?: string;
  /** The merchant’s own id. */
  internalId?: string | null;
  /** A text for people, of several lines. */
  description?: string | null;
  /** What it offers, a line each. */
  features?: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Address of the picture. */
  cover?: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash?: string | null;
  /** Address of the video. */
  coverVideo?: string | null;
  /** Its place among the product’s variants, smallest first. */
  order?: number;
}
export interface UpdateViewBody {
  /** What people call it. */
  name?: string;
  /** The parameters of the list, as in an address. */
  query?: string;
  /** Which columns are shown, in their order. */
  columns?: Array<string>;
  /** Needs settings:write. */
  shared?: boolean;
}
export interface UpdateWebhookBody {
  /** http(s), and its host must resolve to a public address. */
  url?: string;
  /** The types of events that are told. */
  events?: Array<EventType>;
  /** How far it has come. */
  status?: 'active' | 'inactive';
  /** After whsec_: base64 of 16 bytes or more. */
  secret?: string;
  /** A text for people, of several lines. */
  description?: string | null;
}
export interface User {
  /** What kind of object it is. */
  object: 'user';
  /** Its id. */
  id: string;
  /** An e-mail address. */
  email: string | null;
  /** What the buyer is called. */
  username: string | null;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Of the mails to the user, where they are written in it; null: the browser’s. */
  language: string | null;
  /** Who is billed, and where. */
  details: BillingDetails;
  /** The customer’s ids at processors. */
  paymentData: PaymentData;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
}
export interface UserDeletion {
  /** What kind of object it is. */
  object: 'user_deletion';
  /** Of the buyer. */
  userId: string;
  /** How far it has come. */
  status: 'requested' | 'accepted' | 'erased' | OtherWord;
  /** When it was asked for (Unix ms). */
  requestedAt: UnixMs;
  /** When the user is erased; until then the request can be taken back. */
  dueAt: UnixMs;
}
export interface UserLabel {
  /** What kind of object it is. */
  object: 'user';
  /** Its id. */
  id: string;
  /** What the buyer is called. */
  username: string | null;
}
export interface Variant {
  /** What kind of object it is. */
  object: 'variant';
  /** Its id. */
  id: string;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Of the product. */
  productId: string;
  /** What people call it. */
  name: string;
  /** A text for people, of several lines. */
  description: string | null;
  /** What it offers, a line each. */
  features: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Address of the picture. */
  cover: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash: string | null;
  /** Address of the video. */
  coverVideo: string | null;
  /** Its place among the product’s variants, smallest first. */
  order: number;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
}
export interface VariantLabel {
  /** What kind of object it is. */
  object: 'variant';
  /** Its id. */
  id: string;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string;
}
export interface View {
  /** What kind of object it is. */
  object: 'view';
  /** Its id. */
  id: string;
  /** The list, such as orders. */
  resource: string;
  /** What people call it. */
  name: string;
  /** The parameters of the list, as in an address. */
  query: string;
  /** Which columns are shown, in their order. */
  columns: Array<string>;
  /** Whether everybody in the workspace sees it. */
  shared: boolean;
  /** Whether whoever asks has made it. */
  isOwn: boolean;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was last changed (Unix ms). */
  updatedAt: UnixMs;
}
export type WalletType = 'amex_express_checkout' | 'apple_pay' | 'google_pay' | 'link' | 'masterpass' | 'samsung_pay' | 'visa_checkout';
export interface Webhook {
  /** What kind of object it is. */
  object: 'webhook';
  /** Its id. */
  id: string;
  /** Where events are sent. */
  url: string;
  /** How far it has come. */
  status: 'active' | 'inactive' | OtherWord;
  /** `failing`: its last tries failed; `blocked`: its address is not a public one; `disabled`: it failed too often. */
  health: Open<WebhookHealth>;
  /** Masked to its last 4 without the secret key. */
  secret: string;
  /** The types of events that are told. */
  events: Array<Open<EventType>>;
  /** A text for people, of several lines. */
  description: string | null;
  /** When a try was last taken (Unix ms). */
  lastSuccessAt: UnixMs | null;
  /** When a try last failed (Unix ms). */
  lastFailureAt: UnixMs | null;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was archived. */
  deletedAt: UnixMs | null;
}
export interface WebhookAttempt {
  /** What kind of object it is. */
  object: 'webhook_attempt';
  /** Its id. */
  id: string;
  /** Of a listener: its id. */
  webhookId: string;
  /** Of the event. */
  eventId: string;
  /** Attempts of one delivery are counted by `sequence`. */
  deliveryId: string;
  /** The delivery that was sent again. */
  resendOf: string | null;
  /** What the event is about. */
  eventType: string | null;
  /** 0 is the first try. */
  sequence: number;
  /** null when the request itself failed. */
  statusCode: number | null;
  /** Why there was no status. */
  error: 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked' | null | OtherWord;
  /** The same in a line for people. */
  errorDetail: string | null;
  /** The body that was sent. */
  request: Record<string, unknown> | null;
  /** The answer, where it is a JSON object and was read whole. */
  response: Record<string, unknown> | null;
  /** The first 64 KiB of the answer. */
  responseText: string | null;
  /** How long it took (ms). */
  durationMs: number;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
export interface WebhookDelivery {
  /** What kind of object it is. */
  object: 'webhook_delivery';
  /** Its id. */
  id: string;
  /** Null once the event is gone. */
  eventId: string | null;
  /** What the event is about. */
  eventType: string | null;
  /** Null once the webhook is gone, and of what a listener got. */
  webhookId: string | null;
  /** The listener that got it; null of what a webhook got. */
  listenerId: string | null;
  /** How far it has come. */
  status: Open<DeliveryStatus>;
  /** Why it was dropped or given up. */
  reason: string | null;
  /** The delivery that was sent again. */
  resendOf: string | null;
  /** Each try to send it. */
  attempts: Array<WebhookAttempt>;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
}
/** What a webhook gets, told apart by `type`; types may be added. */
export type WebhookEvent = PaymentSuccessEvent | PaymentRefundedEvent | PaymentFailedEvent | SubscriptionCreatedEvent | SubscriptionIntervalEvent | SubscriptionUpdatedEvent | SubscriptionCancelledEvent | OtherEvent;
export type WebhookHealth = 'ok' | 'failing' | 'blocked' | 'disabled';
export interface WholeOffer {
  /** What kind of object it is. */
  object: 'offer';
  /** Its id. */
  id: string;
  /** The merchant’s own id. */
  internalId: string | null;
  /** Of the product. */
  productId: string;
  /** Of the variant. */
  variantId: string | null;
  /** Of one, in minor units. */
  price: Minor;
  /** The price that is shown struck through. */
  originalPrice: Minor | null;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** How long one interval is, with its count. */
  recurringInterval: Open<Interval> | null;
  /** How many of these make one interval. */
  recurringIntervalCount: number | null;
  /** How long the trial is, with its count. */
  trialInterval: Open<Interval> | null;
  /** How many of these make the trial. */
  trialIntervalCount: number | null;
  /** Most sales; null = no limit, and null without the secret key. */
  limit: number | null;
  /** Most that a buyer may choose where the quantity is theirs to choose; null = 10 of an offer with keys or a limit, else no bound. A quantity that the merchant sets is not held to it. */
  maxPerOrder: number | null;
  /** Paid quantity of first sales; refunds do not give it back. Null without the secret key. */
  soldItems: number | null;
  /** How often a buyer may download, per item; copied at purchase. Null = no limit. */
  downloadLimit: number | null;
  /** For how many days from the payment; copied at purchase. Null = for ever. */
  downloadDays: number | null;
  /** Whether it costs nothing; then the price is 0. */
  freeProduct: boolean;
  /** How far it has come. */
  status: 'DRAFT' | 'ACTIVE' | OtherWord;
  /** What people call it. */
  name: string | null;
  /** A text for people, of several lines. */
  description: string | null;
  /** Address of the picture. */
  cover: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash: string | null;
  /** Of the country, or of the world where it can be used. */
  region: string;
  /** Where it is used. */
  platform: string;
  /** The number that trade knows it by. */
  gtin: string | null;
  /** What buyers are told before they buy. */
  warningMessage: string | null;
  /** Whether the buyer may choose the quantity. */
  mutableQuantity: boolean;
  /** Whether the price includes the tax; null: as the settings say. */
  taxBehavior: 'inclusive' | 'exclusive' | null | OtherWord;
  /** A running sale lowers this offer now. */
  hasDiscount: boolean;
  /** What can be downloaded; null: nothing. */
  download: Download | null;
  /** Words that the merchant sorts by. */
  tags: Array<{
    /** Its id. */
    id: string;
    /** What people call it. */
    name: string;
  }>;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** The product, in short. */
  product: ProductShort;
  /** The variant, in short; null without. */
  variant: Variant | null;
  /** Licence keys. */
  keys: {
    /** Keys that can be sold. */
    available: number;
    /** Keys that are held for payments under way. */
    reserved: number;
    /** Keys that were sold. */
    sold: number;
  } | null;
}
export interface WholeProduct {
  /** What kind of object it is. */
  object: 'product';
  /** Its id. */
  id: string;
  /** Of which kind it is. */
  type: Open<ProductType>;
  /** The merchant’s own id. */
  internalId: string | null;
  /** What people call it. */
  name: string;
  /** Unique in the store. */
  slug: string;
  /** A text for people, of several lines. */
  description: string | null;
  /** Who made it. */
  developer: string | null;
  /** Who publishes it. */
  publisher: string | null;
  /** From which age on it is for, by PEGI. */
  pegiRating: Open<PegiRating> | null;
  /** When it comes out (Unix ms). */
  releaseDate: UnixMs | null;
  /** What it runs on. */
  systems: Array<string>;
  /** Of which kinds it is. */
  genres: Array<string>;
  /** HIDDEN sells by link only, DRAFT does not sell. */
  status: Open<ProductStatus>;
  /** Address of the picture. */
  cover: string | null;
  /** Stands for the picture while it loads. */
  coverBlurHash: string | null;
  /** Address of the video. */
  coverVideo: string | null;
  /** Address of a video. */
  trailer: string | null;
  /** Addresses of pictures. */
  gallery: Array<{
    /** Address of the picture. */
    value: string;
    /** Stands for the picture while it loads. */
    blurHash: string | null;
  }>;
  /** What it offers, a line each. */
  features: Array<{
    /** One of them. */
    value: string;
  }>;
  /** Of the merchant’s own project, which groups products. */
  projectId: string | null;
  /** What a buyer is asked: the definitions of the store and of the product’s project. */
  customFields: Array<CustomField>;
  /** Which right to withdraw a consumer has; by the type when it is not given. */
  withdrawal: Open<WithdrawalClass>;
  /** Raised by each edit; the answer’s ETag, and what If-Match is compared with. */
  version: number;
  /** When it was archived (Unix ms); null while it is in use. */
  archivedAt: UnixMs | null;
  /** When it was made (Unix ms). */
  createdAt: UnixMs;
  /** When it was last changed (Unix ms). */
  updatedAt: UnixMs;
  /** Its variants. */
  variants: Array<Variant>;
  /** The variants again, for a Subscription product. */
  plans: Array<Variant>;
  /** Its offers. */
  offers: Array<Offer>;
}
export interface Withdrawal {
  /** What kind of object it is. */
  object: 'withdrawal';
  /** Its id. */
  id: string;
  /** As buyers see it. */
  number: string;
  /** As it was typed. */
  orderNumber: string;
  /** As it was typed: which part of the order. */
  part: string | null;
  /** Null while it names no order of its sender’s. */
  orderId: string | null;
  /** Of the buyer. */
  userId: string | null;
  /** What people call it. */
  name: string;
  /** An e-mail address. */
  email: string;
  /** Items that were ticked; null = the whole order. */
  items: Array<string> | null;
  /** Whether it was stated on the open page or in the portal. */
  source: 'page' | 'portal' | OtherWord;
  /** When it came in (Unix ms). */
  receivedAt: UnixMs;
  /** When the receipt was mailed to the address given. */
  acknowledgedAt: UnixMs | null;
  /** How far it has come. */
  status: Open<WithdrawalStatus>;
  /** Why the law gives no right, or why the merchant has refused. */
  reason: Open<WithdrawalReason> | null;
  /** Of the refunds that it led to. */
  refundIds: Array<string>;
  /** Of the canonical JSON (RFC 8785) of what was stated. */
  sha256: string;
}
export type WithdrawalClass = 'service' | 'content' | 'excluded';
export type WithdrawalReason = 'late' | 'waived' | 'business' | 'excluded' | 'elsewhere' | 'other';
export type WithdrawalRight = 'eu' | 'everyone' | 'off';
export type WithdrawalStatus = 'received' | 'unmatched' | 'stopped' | 'refunded' | 'refused';
export type WorkspaceState = 'active' | 'suspended' | 'archived';
export interface WhoamiData {
  /** Whose keys these are. */
  workspace: {
    /** Its id. */
    id: string;
    /** What people call it. */
    name: string;
    /** How far it has come. */
    state: Open<WorkspaceState>;
  };
  /** Of the store that is asked in. */
  mode: 'live' | 'test' | OtherWord;
  /** The pair that asks; null of a session. */
  key: {
    /** The half of the pair that is no secret. */
    publicKey: string;
    /** What people call it. */
    name: string;
    /** `<area>:read` or `:write`; null = all but what needs naming. */
    scopes: Array<string> | null;
    /** Whether the public key alone reads nothing. */
    readRequiresSecret: boolean;
    /** When it ends (Unix ms). */
    expiresAt: UnixMs | null;
  } | null;
  /** In which the store tells times: its setting. */
  timezone: string;
  /** Of the product, such as 1.4.0. */
  version: string;
}
export interface ListProductsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Part of the name, slug or internalId, or the id. */
  term?: string;
  /** Only these. */
  ids?: Array<string>;
  /** Only those with one of these. */
  statuses?: Array<ProductStatusFilter>;
  /** Only those of one of these. */
  types?: Array<ProductType>;
  /** Of the merchant’s own project, which groups products. */
  projectId?: string;
  /** An offer of it has as few keys left as lowStockThreshold, or fewer. Needs the secret key. */
  lowStock?: boolean;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
  /** Which end comes first. */
  orderDirection?: 'ASC' | 'DESC';
}
export interface UpdateProductData {
  /** The product, in short. */
  product: Product;
}
export interface ArchiveProductData {
  /** The product, in short. */
  product: Product;
}
export interface UnarchiveProductData {
  /** The product, in short. */
  product: Product;
}
export interface AddVariantData {
  /** The variant, in short; null without. */
  variant: Variant;
}
export interface UpdateVariantData {
  /** The variant, in short; null without. */
  variant: Variant;
}
export interface ArchiveVariantData {
  /** The variant, in short; null without. */
  variant: Variant;
}
export interface UnarchiveVariantData {
  /** The variant, in short; null without. */
  variant: Variant;
}
export interface AddPlanData {
  /** The plan, in short; null without. */
  plan: Variant;
}
export interface UpdatePlanData {
  /** The plan, in short; null without. */
  plan: Variant;
}
export interface ArchivePlanData {
  /** The plan, in short; null without. */
  plan: Variant;
}
export interface UnarchivePlanData {
  /** The plan, in short; null without. */
  plan: Variant;
}
export interface ListOffersQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Offers of this product. */
  product?: string;
  /** Offers of products of these types. */
  'product.types'?: Array<ProductType>;
  /** Part of the name, of the product’s name, of the internalId or of the GTIN, or the id. */
  term?: string;
  /** Only these. */
  ids?: Array<string>;
  /** Only those with one of these. */
  statuses?: Array<OfferStatusFilter>;
  /** As few keys left as lowStockThreshold, or fewer. Needs the secret key. */
  lowStock?: boolean;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
}
export interface GetOfferData {
  /** The offer, in short; null without. */
  offer: WholeOffer;
}
export interface CreateOfferData {
  /** The offer, in short; null without. */
  offer: Offer;
}
export interface UpdateOfferData {
  /** The offer, in short; null without. */
  offer: Offer;
}
export interface ArchiveOfferData {
  /** The offer, in short; null without. */
  offer: Offer;
}
export interface UnarchiveOfferData {
  /** The offer, in short; null without. */
  offer: Offer;
}
export interface ListOfferKeysQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<OfferKeyStatus>;
}
export interface AddOfferKeysData {
  /** Whether it was done. */
  success: boolean;
  /** How many were added. */
  added: number;
  /** Keys named twice or stocked in this offer already. */
  duplicates: number;
  /** Keys that cannot be stocked: of a dry run alone, since an add refuses them. */
  invalid: Array<{
    /** Its place in the request. */
    index: number;
    /** For people. */
    message: string;
  }>;
}
export interface RemoveUnsoldOfferKeyData {
  /** Whether it was done. */
  success: boolean;
  /** How many were removed. */
  removed: number;
}
export interface RemoveAllUnsoldOfferKeysData {
  /** Whether it was done. */
  success: boolean;
  /** How many were removed. */
  removed: number;
}
export interface ListDiscountsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Of which kind it is. */
  type?: 'code' | 'sale';
  /** Only those with one of these. */
  statuses?: Array<ActiveStatusFilter>;
  /** Part of the name or of the code. */
  term?: string;
  /** Only these. */
  ids?: Array<string>;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
}
export interface GetDiscountData {
  /** What was taken off. */
  discount: Discount;
}
export interface CreateDiscountData {
  /** What was taken off. */
  discount: Discount;
}
export interface UpdateDiscountData {
  /** What was taken off. */
  discount: Discount;
}
export interface ArchiveDiscountData {
  /** What was taken off. */
  discount: Discount;
}
export interface UnarchiveDiscountData {
  /** What was taken off. */
  discount: Discount;
}
export interface ListCheckoutElementsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<'active' | 'archived'>;
  /** Part of its name. */
  term?: string;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
}
export interface GetCheckoutElementData {
  /** The checkout element. */
  checkoutElement: CheckoutElement;
}
export interface CreateCheckoutElementData {
  /** The checkout element. */
  checkoutElement: CheckoutElement;
}
export interface UpdateCheckoutElementData {
  /** The checkout element. */
  checkoutElement: CheckoutElement;
}
export interface ArchiveCheckoutElementData {
  /** The checkout element. */
  checkoutElement: CheckoutElement;
}
export interface UnarchiveCheckoutElementData {
  /** The checkout element. */
  checkoutElement: CheckoutElement;
}
export interface CreateCheckoutSessionData {
  /** The checkout session. */
  checkoutSession: CheckoutSession;
}
export interface GetCheckoutSessionData {
  /** The checkout session. */
  checkoutSession: CheckoutSession;
}
export interface ExpireCheckoutSessionData {
  /** The checkout session. */
  checkoutSession: CheckoutSession;
}
export interface ListCustomFieldsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Of the merchant’s own project, which groups products. */
  projectId?: string;
  /** Part of its key or label. */
  term?: string;
  /** Only those with one of these. */
  statuses?: Array<'active' | 'archived'>;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
}
export interface CreateCustomFieldData {
  /** The question. */
  customField: CustomField;
}
export interface UpdateCustomFieldData {
  /** The question. */
  customField: CustomField;
}
export interface ArchiveCustomFieldData {
  /** The question. */
  customField: CustomField;
}
export interface UnarchiveCustomFieldData {
  /** The question. */
  customField: CustomField;
}
export interface ListFilesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** A picture is shown to anybody, a download leaves by links of its buyers alone. */
  purpose?: Array<'picture' | 'download'>;
  /** Part of the name. */
  term?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface UploadFileData {
  /** The file as it is kept. */
  file: StoredFile;
}
export interface ListOrdersQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Which end comes first. */
  orderDirection?: 'ASC' | 'DESC';
  /** What the rows are sorted by. */
  orderBy?: SaleOrder;
  /** At least so many minor units. */
  valueFrom?: Minor;
  /** At most so many minor units. */
  valueTo?: Minor;
  /** As buyers see it. */
  number?: string;
  /** Bought by one of these checkout elements. */
  checkoutIds?: Array<string>;
  /** URL-encoded JSON object of field key (or id) to value. */
  customFields?: string;
  /** Only those with one of these. */
  statuses?: Array<SaleStatusFilter>;
  /** Only those of one of these. */
  types?: Array<OrderType>;
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Only those of one of these (ISO 3166). */
  countries?: Array<string>;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Paid at or after (Unix ms, or ISO 8601). */
  paidFrom?: UnixMs;
  /** Paid at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  paidTo?: UnixMs;
  /** An item of the order is of one of these products. */
  productIds?: Array<string>;
  /** An item of the order is of one of these offers. */
  offerIds?: Array<string>;
  /** It was bought with this discount. */
  discountId?: string;
  /** The first of these that an item of the order has. */
  fulfilment?: Array<OrderFulfilment>;
  /** Whether a buyer’s bank disputes it now. */
  disputed?: boolean;
  /** Whether a charge of it waits for a person. */
  held?: boolean;
  /** Only these. */
  ids?: Array<string>;
  /** Of the buyer. */
  userId?: string;
  /** Of the subscription: its first order’s number. */
  subscriptionId?: string;
  /** The whole reference. */
  reference?: string;
  /** Number, e-mail or processor transaction id. */
  term?: string;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetOrderData {
  /** The order. */
  order: Order;
  /** What it consists of. */
  items: Array<OrderItem>;
  /** The payments. */
  payments: Array<Payment>;
  /** What was given back. */
  refunds: Array<Refund>;
  /** The subscription; null without. */
  subscription: Subscription | null;
}
export interface UpdateOrderData {
  /** The order. */
  order: Order;
}
export interface CancelOrderData {
  /** The order. */
  order: Order;
}
export interface RevealOrderKeysData {
  /** Licence keys. */
  keys: Array<{
    /** Of the item. */
    itemId: string;
    /** Its id. */
    id: string;
    /** The key, whole. */
    key: string;
  }>;
}
export interface ResetItemDownloadsData {
  /** The item. */
  item: OrderItem;
}
export interface ListPaymentsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Which end comes first. */
  orderDirection?: 'ASC' | 'DESC';
  /** What the rows are sorted by. */
  orderBy?: SaleOrder;
  /** At least so many minor units. */
  valueFrom?: Minor;
  /** At most so many minor units. */
  valueTo?: Minor;
  /** As buyers see it. */
  number?: string;
  /** Bought by one of these checkout elements. */
  checkoutIds?: Array<string>;
  /** URL-encoded JSON object of field key (or id) to value. */
  customFields?: string;
  /** Only those with one of these. */
  statuses?: Array<SaleStatusFilter>;
  /** Only those of one of these. */
  types?: Array<OrderType>;
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Only those of one of these (ISO 3166). */
  countries?: Array<string>;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Paid at or after (Unix ms, or ISO 8601). */
  paidFrom?: UnixMs;
  /** Paid at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  paidTo?: UnixMs;
  /** An item of the order is of one of these products. */
  productIds?: Array<string>;
  /** An item of the order is of one of these offers. */
  offerIds?: Array<string>;
  /** It was bought with this discount. */
  discountId?: string;
  /** The first of these that an item of the order has. */
  fulfilment?: Array<OrderFulfilment>;
  /** Whether a buyer’s bank disputes it now. */
  disputed?: boolean;
  /** Whether a charge of it waits for a person. */
  held?: boolean;
  /** Only these. */
  ids?: Array<string>;
  /** Of the buyer. */
  userId?: string;
  /** Of the subscription: its first order’s number. */
  subscriptionId?: string;
  /** The whole reference. */
  reference?: string;
  /** Number, e-mail or processor transaction id. */
  term?: string;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetPaymentData {
  /** The payment. */
  payment: Payment;
  /** Its lines as in its events, each with the inputs of its sum. */
  items: Array<Item>;
}
export interface CancelPaymentData {
  /** The payment. */
  payment: Payment;
}
export interface ReceivePaymentData {
  /** The payment. */
  payment: Payment;
}
export interface AcceptChargeData {
  /** The payment. */
  payment: Payment;
}
export interface ReturnChargeData {
  /** The payment. */
  payment: Payment;
}
export interface ListRefundsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<RefundStatus>;
  /** Only those with one of these. */
  reasons?: Array<RefundReason>;
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Of the order. */
  orderId?: string;
  /** Of the payment. */
  paymentId?: string;
  /** Of the buyer. */
  userId?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Order’s number, e-mail or the processor’s id of the refund. */
  term?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface PreviewRefundQuery {
  /** Minor units; all that is left when missing. */
  amount?: Minor;
  /** One of the order's payments; the newest with money left when missing. */
  paymentId?: string;
}
export interface PreviewRefundData {
  /** What a refund would give back. */
  refundPreview: {
    /** What kind of object it is. */
    object: 'refund_preview';
    /** Of the payment. */
    paymentId: string;
    /** In minor units of the currency, or in % of a percentage. */
    amount: Minor;
    /** The part of the amount that is tax. */
    tax: Minor;
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
    /** No processor gives it back. */
    byHand: boolean;
  };
}
export interface ListDisputesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<DisputeStatus>;
  /** Of the order. */
  orderId?: string;
  /** Of the payment. */
  paymentId?: string;
  /** Of the buyer. */
  userId?: string;
  /** Opened at this moment or later. */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Order’s number, e-mail or the processor’s id of the dispute. */
  term?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetDisputeData {
  /** The dispute. */
  dispute: Dispute;
}
export interface ListProcessorsData {
  /** The connected accounts. */
  processors: Array<Processor>;
}
export interface GetProcessorData {
  /** The connected account. */
  processor: Processor;
}
export interface ConnectProcessorData {
  /** The connected account. */
  processor: Processor;
}
export interface UpdateProcessorData {
  /** The connected account. */
  processor: Processor;
}
export interface ArchiveProcessorData {
  /** The connected account. */
  processor: Processor;
}
export interface RotateProcessorCredentialsData {
  /** The connected account. */
  processor: Processor;
}
export interface RotateProcessorWebhookData {
  /** The connected account. */
  processor: Processor;
}
export interface CheckProcessorData {
  /** The connected account. */
  processor: Processor;
}
export interface InviteProcessorCardsData {
  /** Subscriptions whose buyers are mailed. */
  sent: number;
}
export interface ListProcessorEventsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<ProcessorEventStatus>;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface RetryProcessorEventData {
  /** What the processor told. */
  processorEvent: ProcessorEvent;
}
export interface ListProcessorReportsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface ReconcileProcessorData {
  /** The report. */
  report: ProcessorReport;
}
export interface AcknowledgeProcessorReportData {
  /** The report. */
  report: ProcessorReport;
}
export interface ListWithdrawalsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<WithdrawalStatus>;
  /** Why the law gives no right, or why the merchant has refused. */
  reasons?: Array<WithdrawalReason>;
  /** Of the order. */
  orderId?: string;
  /** Of the buyer. */
  userId?: string;
  /** To be decided at this moment or later: 14 days after it came. */
  dueFrom?: UnixMs;
  /** To be decided at this moment or earlier. */
  dueTo?: UnixMs;
  /** Its number, the order’s as typed, or the e-mail. */
  term?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetWithdrawalData {
  /** The withdrawal. */
  withdrawal: Withdrawal;
}
export interface DecideWithdrawalData {
  /** The withdrawal. */
  withdrawal: Withdrawal;
}
export interface ListCancellationNoticesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<CancellationNoticeStatus>;
  /** Only those of one of these. */
  types?: Array<'ordinary' | 'cause'>;
  /** Of the buyer. */
  userId?: string;
  /** To be decided at this moment or later: 14 days after it came. */
  dueFrom?: UnixMs;
  /** To be decided at this moment or earlier. */
  dueTo?: UnixMs;
  /** Its number, the contract’s as typed, or the e-mail. */
  term?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetCancellationNoticeData {
  /** The notice. */
  notice: CancellationNotice;
}
export interface DecideCancellationNoticeData {
  /** The notice. */
  notice: CancellationNotice;
}
export interface ListInvoicesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  kinds?: Array<'invoice' | 'credit_note'>;
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Of the buyer. */
  userId?: string;
  /** Of the order. */
  orderId?: string;
  /** Of the payment. */
  paymentId?: string;
  /** The whole number. */
  number?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetInvoiceData {
  /** The document. */
  invoice: Invoice;
}
export interface ListSubscriptionsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 10 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<SubscriptionStatusFilter>;
  /** Of the buyer. */
  userId?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** The number, or part of the user’s e-mail. */
  term?: string;
  /** Of which an item is now. */
  offerIds?: Array<string>;
  /** Of which an item is now. */
  productIds?: Array<string>;
  /** Whether it ends with the running interval. */
  cancelAtIntervalEnd?: boolean;
  /** Its interval ends at this moment or later, and it goes on then. */
  renewsFrom?: UnixMs;
  /** Its interval ends at this moment or earlier. */
  renewsTo?: UnixMs;
  /** The import that brought it; it waits for its activation. */
  waitingOf?: string;
  /** By `currentIntervalEnd` those that never began are left out. */
  orderBy?: 'createdAt' | 'currentIntervalEnd' | 'value';
  /** Which end comes first. */
  orderDirection?: 'ASC' | 'DESC';
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetSubscriptionData {
  /** The subscription; null without. */
  subscription: Subscription;
  /** What it consists of. */
  items: Array<SubscriptionItem>;
  /** The newest payment, in short; null before the first. */
  lastPayment: Payment | null;
  /** The buyer. */
  user: User;
}
export interface CancelSubscriptionData {
  /** Whether it was done. */
  success: boolean;
  /** The subscription; null without. */
  subscription: Subscription;
}
export interface PreviewCancelData {
  /** What an end at this moment would give back. */
  cancelPreview: {
    /** What kind of object it is. */
    object: 'cancel_preview';
    /** What an end at this moment, with `refund`, gives back. */
    amount: Minor;
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
  };
}
export interface PauseSubscriptionData {
  /** Whether it was done. */
  success: boolean;
  /** The subscription; null without. */
  subscription: Subscription;
}
export interface ResumeSubscriptionData {
  /** Whether it was done. */
  success: boolean;
  /** The subscription; null without. */
  subscription: Subscription;
}
export interface EndTrialData {
  /** The subscription; null without. */
  subscription: Subscription;
  /** The payment. */
  payment: Payment | null;
}
export interface CreateSubscriptionData {
  /** The subscription; null without. */
  subscription: Subscription;
  /** The order. */
  order: Order;
  /** The payment. */
  payment: Payment;
  /** The code that was given is valid, and was not used: a running sale takes as much off or more, or the code takes nothing off. */
  codeUnused: boolean;
}
export interface UpdateSubscriptionData {
  /** Whether it was done. */
  success: boolean;
  /** The subscription; null without. */
  subscription: Subscription;
  /** The payment. */
  payment: Payment | null;
}
export interface PreviewSubscriptionUpdateData {
  /** What the change would bring, before it is made. */
  preview: SubscriptionPreview;
}
export interface ChargeSubscriptionData {
  /** The payment. */
  payment: Payment;
}
export interface GetUpcomingPaymentData {
  /** The next payment; null where none will follow. */
  upcomingPayment: UpcomingPayment | null;
}
export interface CreateImportData {
  /** The import. */
  import: Import;
}
export interface ListImportsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
}
export interface GetImportQuery {
  /** Refused lines after this one; missing = from the first. */
  errorsAfter?: number;
}
export interface GetImportData {
  /** The import. */
  import: Import;
}
export interface CommitImportData {
  /** The import. */
  import: Import;
}
export interface ActivateImportData {
  /** The import. */
  import: Import;
  /** What became of each subscription. */
  results: Array<Activation>;
}
export interface CreateTestPurchaseData {
  /** The order. */
  order: Order;
  /** The payment. */
  payment: Payment;
  /** The subscription; null without. */
  subscription: Subscription | null;
  /** The code that was given is valid, and was not used: a running sale takes as much off or more, or the code takes nothing off. */
  codeUnused: boolean;
}
export interface GetTestClockData {
  /** The clock of the test store. */
  testClock: TestClock;
}
export interface AdvanceTestClockData {
  /** The clock of the test store. */
  testClock: TestClock;
}
export interface ResetTestClockData {
  /** The clock of the test store. */
  testClock: TestClock;
}
export interface ListWebhooksQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<ActiveStatusFilter>;
  /** Only those that fare so. */
  health?: Array<WebhookHealth>;
  /** Only these. */
  ids?: Array<string>;
  /** Part of its url or description. */
  term?: string;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
}
export interface SendTestEventData {
  /** The event; once its body was let go, without data. */
  event: WebhookEvent;
  /** How many webhooks will get it. */
  webhooks: number;
}
export interface GetWebhookData {
  /** The webhook. */
  webhook: Webhook;
}
export interface ListWebhookAttemptsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** What the event is about. */
  eventType?: EventType;
  /** Whether the receiver answered 2xx. */
  success?: boolean;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface CreateWebhookData {
  /** The webhook. */
  webhook: Webhook;
}
export interface UpdateWebhookData {
  /** The webhook. */
  webhook: Webhook;
}
export interface ArchiveWebhookData {
  /** The webhook. */
  webhook: Webhook;
}
export interface UnarchiveWebhookData {
  /** The webhook. */
  webhook: Webhook;
}
export interface RotateWebhookSecretData {
  /** The webhook. */
  webhook: Webhook;
}
export interface ResendWebhookEventsData {
  /** The webhook. */
  webhook: Webhook;
  /** How many events are sent again: at most 10,000, oldest first. */
  deliveries: number;
  /** Where to go on when there were more. */
  nextSince: UnixMs | null;
}
export interface CreateListenerData {
  /** The listener. */
  listener: Listener;
}
export interface NextDeliveriesData {
  /** What is on its way, with the event. */
  deliveries: Array<HeardDelivery>;
}
export interface ReportDeliveriesData {
  /** How many attempts were noted: a delivery that has ended is left as it is. */
  recorded: number;
}
export interface ListEventsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  types?: Array<EventType>;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Of the order. */
  orderId?: string;
  /** The subscription's id: its initial order's number. */
  subscriptionId?: string;
  /** Its id, or the number of its order or subscription. */
  term?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetEventData {
  /** The event; once its body was let go, without data. */
  event: WebhookEvent | ExpiredEvent;
}
export interface ResendEventData {
  /** The event; once its body was let go, without data. */
  event: WebhookEvent;
  /** How many webhooks will get it. */
  webhooks: number;
}
export interface ListWebhookDeliveriesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<DeliveryStatus>;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface ListEventDeliveriesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those with one of these. */
  statuses?: Array<DeliveryStatus>;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface RevealWebhookSecretData {
  /** Signs its deliveries. */
  secret: string;
  /** Signs along until previousSecretUntil. */
  previousSecret: string | null;
  /** Until when the one before signs along (Unix ms); null: it does not. */
  previousSecretUntil: UnixMs | null;
}
export interface ListMailsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  kinds?: Array<MailKind>;
  /** Only those with one of these. */
  statuses?: Array<MailStatus>;
  /** The whole address. */
  recipient?: string;
  /** Part of the address or of the subject. */
  term?: string;
  /** Of the order. */
  orderId?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetMailData {
  /** The mail. */
  mail: Mail;
}
export interface ResendMailData {
  /** The mail. */
  mail: Mail;
}
export interface ListUsersQuery {
  /** Which page of `limit` rows, from 1. */
  page?: number;
  /** Rows to leave out at the start. */
  skip?: number;
  /** 10 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** The whole e-mail, without case. */
  email?: string;
  /** Part of the e-mail, username or internalId. */
  term?: string;
  /** This moment or later. */
  createdAfter?: UnixMs;
  /** This moment or earlier. */
  createdBefore?: UnixMs;
  /** Of the billing details. */
  countries?: Array<string>;
  /** Whether a subscription of theirs runs. */
  hasSubscription?: boolean;
  /** Who asked to be erased, and is not yet. */
  deletion?: 'requested' | 'accepted';
  /** Only those with one of these. */
  statuses?: Array<'active' | 'archived'>;
  /** Only what is archived. */
  archived?: boolean;
  /** What is archived, too. */
  withArchived?: boolean;
}
export interface GetUserData {
  /** The buyer. */
  user: User;
  /** Null where the secret key is not sent. */
  paymentMethods: Array<PaymentMethod> | null;
  /** The wish to be erased; null: nobody asked for it. */
  deletion: UserDeletion | null;
}
export interface ListInventoryQuery {
  /** Which page of `limit` rows, from 1. */
  page?: number;
  /** 10 when missing. */
  limit?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Bought of products of this type. */
  productType?: ProductType;
  /** Leaves out what ends, or has ended, at this moment or before. Missing: now, so that all that is left is the user’s. */
  expiresAfter?: UnixMs;
}
export interface CreateUserData {
  /** The buyer. */
  user: User;
}
export interface UpdateUserData {
  /** The buyer. */
  user: User;
}
export interface ArchiveUserData {
  /** The buyer. */
  user: User;
}
export interface UnarchiveUserData {
  /** The buyer. */
  user: User;
}
export interface AcceptUserDeletionData {
  /** The wish to be erased; null: nobody asked for it. */
  deletion: UserDeletion;
}
export interface CreatePortalSessionData {
  /** The session of the portal. */
  portalSession: PortalSession;
}
export interface RevokePortalSessionData {
  /** The session of the portal. */
  portalSession: PortalSession;
}
export interface CalculateTaxData {
  /** What tax is due. */
  tax: Tax;
}
export interface ListTaxRatesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** ISO 3166, two letters. */
  country?: string;
  /** Now when missing. */
  at?: UnixMs;
}
export interface GetTaxSummaryQuery {
  /** Where it begins (Unix ms). */
  from: UnixMs;
  /** Where it ends (Unix ms). */
  to: UnixMs;
}
export interface GetTaxSummaryData {
  /** One for each rate and currency. */
  rows: Array<TaxSummaryRow>;
}
export interface ListTaxThresholdsData {
  /** The sums from which on tax is due elsewhere. */
  thresholds: Array<TaxThreshold>;
}
export interface GetSettingsData {
  /** The settings as they are now. */
  settings: Settings;
}
export interface UpdateSettingsData {
  /** The settings as they are now. */
  settings: Settings;
}
export interface ListLedgerBalancesData {
  /** What stands on each account of the books. */
  balances: Array<LedgerBalance>;
}
export interface ProveLedgerData {
  /** What the books prove. */
  proof: LedgerProof;
}
export interface ListLedgerEntriesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those on one of these accounts of the books. */
  accounts?: Array<LedgerAccount>;
  /** Only those of one of these. */
  kinds?: Array<LedgerKind>;
  /** Only those in one of these (ISO 4217). */
  currencies?: Array<Currency>;
  /** Of the payment. */
  paymentId?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Number of the payment or its order, or e-mail. */
  term?: string;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface GetReportOverviewQuery {
  /** Begin of the window, which belongs to it. */
  from: UnixMs;
  /** End of the window, which does not belong to it. */
  to: UnixMs;
  /** Missing = each one that was sold in. */
  currency?: Currency;
  /** IANA name; missing = the store's setting. */
  timezone?: string;
  /** `previous`: as many whole days, weeks or months before where the window is such in the zone, else as many ms. Default `previous`. */
  compare?: 'previous' | 'year' | 'none';
}
export interface GetReportOverviewData {
  /** IANA name: in which days are counted. */
  timezone: string;
  /** The window that it is compared with; null: none. */
  compared: {
    /** Where it begins (Unix ms). */
    from: UnixMs;
    /** Where it ends (Unix ms). */
    to: UnixMs;
  } | null;
  /** The figures. */
  metrics: Array<{
    /** Which figure. */
    metric: Open<Metric>;
    /** `minor`: minor units of the currency. */
    unit: Open<MetricUnit>;
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
    /** Null where it is not known, and for a ratio over 0. */
    value: number | null;
    /** The same in the window before; null where it is not known. */
    previous: number | null;
  }>;
}
export interface GetReportTimeseriesQuery {
  /** Begin of the window, which belongs to it. */
  from: UnixMs;
  /** End of the window, which does not belong to it. */
  to: UnixMs;
  /** Missing = each one that was sold in. */
  currency?: Currency;
  /** IANA name; missing = the store's setting. */
  timezone?: string;
  /** Which figures. */
  metrics: Array<Metric>;
  /** At most 400 buckets. */
  interval: 'hour' | 'day' | 'week' | 'month';
  /** Of the payment. For flows of money, orders and customers. */
  groupBy?: 'type' | 'country';
}
export interface GetReportTimeseriesData {
  /** IANA name: in which days are counted. */
  timezone: string;
  /** One for each figure, currency and group. */
  series: Array<{
    /** Which figure. */
    metric: Open<Metric>;
    /** `minor`: of the currency’s smallest unit; `count`: of things; `ratio`: 1 is 100 %. */
    unit: Open<MetricUnit>;
    /** ISO 4217, upper case. */
    currency: Open<Currency>;
    /** The group of this line; null without `groupBy`, or where it has none. */
    group: string | null;
    /** The buckets, in order. */
    points: Array<{
      /** Where it begins (Unix ms). */
      from: UnixMs;
      /** Where it ends (Unix ms). */
      to: UnixMs;
      /** Null also where the bucket has not begun. */
      value: number | null;
      /** False where the bucket is not over, or cut by the window. */
      complete: boolean;
    }>;
  }>;
}
export interface ListReportRowsQuery {
  /** Begin of the window, which belongs to it. */
  from: UnixMs;
  /** End of the window, which does not belong to it. */
  to: UnixMs;
  /** Which figure. */
  metric: Metric;
  /** Missing = the store's. */
  currency?: Currency;
  /** By what it is told apart. */
  groupBy?: 'type' | 'country';
  /** With `groupBy`; missing = payments that have none. */
  group?: string;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
}
export interface ListReportRowsData {
  /** Which figure. */
  metric: Open<Metric>;
  /** `minor`: of the currency’s smallest unit; `count`: of things; `ratio`: 1 is 100 %. */
  unit: Open<MetricUnit>;
  /** ISO 4217, upper case. */
  currency: Open<Currency>;
  /** The figure of the window, to the unit. */
  total: number | null;
  /** What the figure is the sum of. */
  rows: Array<{
    /** What kind of object it is. */
    object: 'payment' | 'order' | 'subscription' | 'user' | OtherWord;
    /** Its id. */
    id: string;
    /** As buyers see it. */
    number: string | null;
    /** What it adds to the figure, or to its part. */
    amount: number;
    /** When (Unix ms). */
    at: UnixMs;
    /** Of the buyer. */
    userId: string;
    /** Of a ratio, which side it stands on; null of others. */
    part: 'numerator' | 'denominator' | null | OtherWord;
  }>;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor: string | null;
  /** Whether another page follows. */
  hasMore: boolean;
}
export interface GetCheckoutReportQuery {
  /** Begin of the window, which belongs to it. */
  from: UnixMs;
  /** End of the window, which does not belong to it. */
  to: UnixMs;
  /** Missing = by both. What is summed over is null. */
  groupBy?: 'date' | 'frame';
  /** Checkout elements. */
  checkoutIds?: Array<string>;
  /** Offers that were sold without an element. */
  offersIds?: Array<string>;
}
export interface GetCheckoutReportData {
  /** ISO 4217, upper case. */
  currency: Open<Currency> | null;
  /** One for each checkout element or day. */
  rows: Array<{
    /** `YYYY-MM-DD` */
    date: string | null;
    /** `page`: it stood by itself. */
    frame: 'page' | 'overlay' | 'embed' | null | OtherWord;
    /** Checkouts whose page was in sight for a second. */
    viewed: number;
    /** Of these, those with a valid e-mail address. */
    started: number;
    /** Of these, those with an order. */
    submitted: number;
    /** Of these, those of which a charge failed. */
    declined: number;
    /** Of these, those that were paid. */
    paid: number;
    /** Minor units that were paid at once. */
    value: Minor;
  }>;
}
export interface ListReportDefinitionsData {
  /** What each figure is. */
  definitions: Array<{
    /** Which figure. */
    metric: Open<Metric>;
    /** `minor`: of the currency’s smallest unit; `count`: of things; `ratio`: 1 is 100 %. */
    unit: Open<MetricUnit>;
    /** Of which kind it is. */
    kind: 'flow' | 'level' | 'ratio' | OtherWord;
    /** By what it can be told apart. */
    groupBy: Array<'type' | 'country' | OtherWord>;
    /** How it is computed. */
    formula: string;
    /** What it means. */
    sentence: string;
  }>;
}
export interface SearchQuery {
  /** A number or id, the beginning of an e-mail, a key or its last four characters, or words. Missing: nothing. */
  q?: string;
  /** Of each kind; 5 when missing. */
  take?: number;
}
export interface SearchData {
  /** What was found, by kind. */
  groups: Array<{
    /** What kind of object it is. */
    object: string;
    /** The best, as many as `take`. */
    hits: Array<{
      /** Its id. */
      id: string;
      /** What it is called. */
      title: string;
      /** What tells it apart; null: nothing. */
      subtitle: string | null;
      /** Its page in the dashboard. */
      path: string;
    }>;
  }>;
}
export interface GetOrderTimelineQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  types?: Array<TimelineEntryType>;
}
export interface GetPaymentTimelineQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  types?: Array<TimelineEntryType>;
}
export interface GetSubscriptionTimelineQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  types?: Array<TimelineEntryType>;
}
export interface GetUserTimelineQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Only those of one of these. */
  types?: Array<TimelineEntryType>;
}
export interface CreateNoteData {
  /** What somebody wrote about it. */
  note: Note;
}
export interface DeleteNoteData {
  /** What somebody wrote about it. */
  note: Note;
}
export interface ListViewsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** The list, such as orders. */
  resource?: ListName;
}
export interface CreateViewData {
  /** The view. */
  view: View;
}
export interface UpdateViewData {
  /** The view. */
  view: View;
}
export interface DeleteViewData {
  /** The view. */
  view: View;
}
export interface ListApiKeysQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** With pairs that are revoked or over. */
  withEnded?: boolean;
  /** Part of its name, or the last of its public key. */
  term?: string;
}
export interface UpdateApiKeyData {
  /** The key pair, without its secret half. */
  apiKey: ApiKey;
}
export interface RevokeApiKeyData {
  /** The key pair, without its secret half. */
  apiKey: ApiKey;
}
export interface ListRequestsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Of HTTP. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A status, or 4 for all from 400 to 499. */
  status?: number;
  /** Of the key. */
  keyId?: string;
  /** Of the request, as logs and support know it. */
  requestId?: string;
  /** Part of the path or the operation’s name, or its id. */
  term?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface ListAuditEntriesQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Who did it: `account:<id>` or `key:<id>`. */
  actor?: string;
  /** The operation id of the description. */
  operation?: string;
  /** Of the object that it is about. */
  objectId?: string;
  /** Of the request, as logs and support know it. */
  requestId?: string;
  /** Part of the operation’s name; or the id of an object, a request or who did it. */
  term?: string;
  /** Made at or after (Unix ms, or ISO 8601). */
  createdFrom?: UnixMs;
  /** Made at or before (Unix ms, or ISO 8601; a date alone is the whole day, UTC). */
  createdTo?: UnixMs;
  /** Whether all matches are counted, however many. */
  returnCount?: boolean;
}
export interface ListMembersQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** Part of the name or the e-mail. */
  term?: string;
}
export interface ListInvitationsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
  /** With those that were accepted or revoked. */
  withClosed?: boolean;
}
export interface ListExportsQuery {
  /** Rows to leave out at the start. */
  skip?: number;
  /** Rows of a page, 1 to 100; 20 when missing. */
  take?: number;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor?: string;
}
export interface GetExportData {
  /** The export. */
  export: Export;
}
export interface CreateExportData {
  /** The export. */
  export: Export;
}
export interface CancelExportData {
  /** The export. */
  export: Export;
}
export interface ListChangesQuery {
  /** Missing: from now on. */
  cursor?: string;
  /** 100 when missing. */
  take?: number;
}
export interface ListChangesData {
  /** What was written, oldest first. */
  changes: Array<{
    /** What was told before is told apart by it and the object: rows of the last 10 s come again. */
    changeId: string;
    /** What was changed, such as order. */
    object: string;
    /** Of the object, as its operation or event named it. */
    id: string | null;
    /** The operation that was called, or the type of the event. */
    operation: string;
    /** Who asked; null of what happened by itself. */
    actor: string | null;
    /** When it was made (Unix ms). */
    createdAt: UnixMs;
  }>;
  /** Where the page goes on: the `cursor` of the page before. */
  cursor: string;
  /** The cursor is too old, or the test store was emptied: what is shown is to be read anew. */
  reset: boolean;
}