import type { LockedField } from '../../domain/checkout/locked-fields.ts';
import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';

export interface CheckoutTables {
  customFields: CustomFieldsTable;
  checkoutElements: CheckoutElementsTable;
  checkoutElementOffers: CheckoutElementOffersTable;
  checkoutSessions: CheckoutSessionsTable;
  remindedAddresses: RemindedAddressesTable;
  checkoutDays: CheckoutDaysTable;
}

export interface CustomFieldsTable extends Scoped {
  id: string;
  key: string;
  label: string;
  type: 'text' | 'dropdown';
  required: Defaulted<boolean>;
  options: JsonDefault<string[]>;
  pattern: string | null;
  validationUrl: string | null;
  validationSecret: string | null;
  projectId: string | null;
  archivedAt: number | null;
  createdAt: number;
  /** Raised by edits alone. */
  version: Defaulted<number>;
}

export interface CheckoutElementsTable extends Scoped {
  id: string;
  name: string | null;
  subscriptionOffer: boolean;
  allowedOrigins: Defaulted<string[]>;
  archivedAt: number | null;
  createdAt: number;
  /** Raised by edits alone. */
  version: Defaulted<number>;
  /** Orders of it that were ever paid. */
  paidOrders: Defaulted<number>;
}

export interface CheckoutElementOffersTable extends Scoped {
  elementId: string;
  position: number;
  offerId: string;
}

export interface CheckoutSessionsTable extends Scoped {
  id: string;
  /** The word of its link; the id opens nothing. */
  token: string;
  elementId: string | null;
  offerIds: Defaulted<string[]>;
  orderId: string | null;
  form: JsonDefault<Record<string, unknown>>;
  lastError: Json<{ code: string; message: string } | null> | null;
  /** The e-mail that was told here that its trial is spent. */
  trialSpentBy: string | null;
  ipAddress: string | null;
  language: string | null;
  /** Made by the merchant: for whom, what they called it, where its buyer goes, and what they may not change. */
  byMerchant: Defaulted<boolean>;
  userId: Defaulted<string | null>;
  reference: Defaulted<string | null>;
  redirectUrl: Defaulted<string | null>;
  cancelUrl: Defaulted<string | null>;
  /** The site that alone may frame it. */
  origin: Defaulted<string | null>;
  lockedFields: Defaulted<LockedField[]>;
  setQuantities: JsonDefault<Record<string, number>>;
  createdAt: number;
  expiresAt: number;
  /** Of what the browser keeps that opened it first; null = none has, or it is of no user. */
  openedByHash: Defaulted<string | null>;
  /** When its page was first looked at; null = never. */
  viewedAt: Defaulted<number | null>;
  /** Null = it stands by itself. */
  frame: Defaulted<'overlay' | 'embed' | null>;
  /** Somebody typed an e-mail address. */
  started: Defaulted<boolean>;
  /** The buyer wants a mail if they do not finish. */
  reminderAsked: Defaulted<boolean>;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
}

/** Times are of the workspace's clock. */
export interface RemindedAddressesTable extends Scoped {
  addressHash: string;
  remindedAt: number;
  /** Nothing goes to it from then on. */
  stoppedAt: Defaulted<number | null>;
}

/** Of sessions that are gone. */
export interface CheckoutDaysTable extends Scoped {
  /** Since 1970-01-01, in UTC. */
  day: number;
  frame: string;
  cart: string;
  elementId: string | null;
  offerIds: string[];
  viewed: number;
  started: number;
  /** Of sessions that made an order and have gone since. */
  submitted: Defaulted<number>;
  declined: Defaulted<number>;
  paid: Defaulted<number>;
  /** What those came to that were paid. */
  value: Defaulted<bigint>;
}
