/**
 * The tables as the query layer sees them: camelCase names over the snake_case columns of
 * `migrations/`, money as bigint minor units, times as integer ms. Rows never leave the query layer
 * except through a resource's `to…` converter.
 */
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Account } from '../domain/ledger/entries.ts';

/** jsonb: read parsed, written as text (the driver would turn a bare array into a PostgreSQL array). */
export type Json<T> = ColumnType<T, string, string>;
type JsonDefault<T> = ColumnType<T, string | undefined, string>;
type Defaulted<T> = ColumnType<T, T | undefined, T>;

export interface Scoped {
  workspaceId: string;
  testMode: boolean;
}

export interface WorkspacesTable {
  id: string;
  name: string;
  state: Defaulted<'active' | 'suspended' | 'archived'>;
  /** Where its portal is found, in both modes. */
  portalSlug: Defaulted<string>;
  /** Real time; null while it is not archived. */
  archivedAt: number | null;
  createdAt: number;
}

export interface StoresTable extends Scoped {
  currency: string | null;
  settings: JsonDefault<Record<string, unknown>>;
  clockOffsetMs: Defaulted<number>;
  clockAdvancingTo: number | null;
  /** Real time until which an advance of the test clock holds the store. */
  clockLeaseUntilMs: Defaulted<number | null>;
  /** Grows with each hold of the clock. */
  clockFence: Defaulted<number>;
}

/** What is done for the store as a whole, by one process at a time. */
export interface UpkeepTable {
  name: string;
  leaseUntilMs: Defaulted<number>;
  /** The process that does it, where it is not done in turns. */
  holder: Defaulted<string | null>;
  /** When a worker last did it (real time); 0 = never. */
  workerAtMs: Defaulted<number>;
}

export interface MembersTable {
  workspaceId: string;
  id: string;
  email: string;
  emailNormal: string;
  passwordHash: string;
  role: string;
  createdAt: number;
}

export interface ApiKeysTable extends Scoped {
  id: string;
  name: string;
  publicKey: string;
  secretHash: string;
  scopes: Json<string[] | null> | null;
  readRequiresSecret: Defaulted<boolean>;
  /** What prices in the pair's requests are written in. */
  amounts: Defaulted<'minor' | 'major'>;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

export interface IdempotencyKeysTable extends Scoped {
  /** Who asks with it: `keys` = the store's key pairs together. */
  asker: string;
  key: string;
  fingerprint: string;
  resourceId: string | null;
  response: string | null;
  /** What was made, where the answer held a secret and is not kept. */
  made: Json<Array<{ object: string; id: string }>> | null;
  leaseUntil: number;
  createdAt: number;
}

export interface AuditLogTable extends Scoped {
  id: string;
  actor: string;
  operation: string;
  objectId: string | null;
  before: Json<unknown> | null;
  after: Json<unknown> | null;
  requestId: string;
  createdAt: number;
}

export interface ProductsTable extends Scoped {
  id: string;
  type: string;
  internalId: string | null;
  name: string;
  slug: string;
  description: string | null;
  developer: string | null;
  publisher: string | null;
  pegiRating: string | null;
  releaseDate: number | null;
  systems: Defaulted<string[]>;
  genres: Defaulted<string[]>;
  status: 'DRAFT' | 'ACTIVE' | 'HIDDEN';
  cover: string | null;
  coverBlurHash: string | null;
  coverVideo: string | null;
  trailer: string | null;
  gallery: JsonDefault<Array<{ value: string; blurHash: string | null }>>;
  features: JsonDefault<Array<{ value: string }>>;
  projectId: string | null;
  withdrawal: Defaulted<'service' | 'content' | 'excluded'>;
  archivedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface VariantsTable extends Scoped {
  id: string;
  productId: string;
  internalId: string | null;
  name: string;
  description: string | null;
  features: JsonDefault<Array<{ value: string }>>;
  cover: string | null;
  coverBlurHash: string | null;
  coverVideo: string | null;
  position: number;
  archivedAt: number | null;
  createdAt: number;
}

export interface FilesTable extends Scoped {
  id: string;
  fileName: string;
  sizeBytes: number;
  contentType: string;
  /** A picture is shown to anybody, a download leaves by links of its buyers alone. */
  purpose: 'picture' | 'download';
  blurHash: string | null;
  createdAt: number;
}

export type IntervalUnit = 'day' | 'week' | 'month' | 'year';

export interface OffersTable extends Scoped {
  id: string;
  internalId: string | null;
  productId: string;
  variantId: string | null;
  price: bigint;
  originalPrice: bigint | null;
  currency: string;
  recurringInterval: IntervalUnit | null;
  recurringIntervalCount: number | null;
  trialInterval: IntervalUnit | null;
  trialIntervalCount: number | null;
  salesLimit: number | null;
  maxPerOrder: number | null;
  heldCount: Defaulted<number>;
  soldCount: Defaulted<number>;
  freeProduct: Defaulted<boolean>;
  status: 'DRAFT' | 'ACTIVE';
  name: string | null;
  description: string | null;
  cover: string | null;
  coverBlurHash: string | null;
  region: Defaulted<string>;
  platform: Defaulted<string>;
  gtin: string | null;
  warningMessage: string | null;
  mutableQuantity: Defaulted<boolean>;
  taxBehavior: 'inclusive' | 'exclusive' | null;
  downloadFileId: string | null;
  downloadDescription: string | null;
  tags: JsonDefault<Array<{ id: string; name: string }>>;
  hasKeys: Defaulted<boolean>;
  archivedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface OfferKeysTable extends Scoped {
  id: string;
  offerId: string;
  status: 'available' | 'reserved' | 'sold' | 'revoked';
  keyText: string;
  fileName: string | null;
  orderId: string | null;
  orderItemId: string | null;
  createdAt: number;
  soldAt: number | null;
}

export interface DiscountsTable extends Scoped {
  id: string;
  type: 'code' | 'sale';
  amountType: 'fixed' | 'percentage';
  amount: bigint;
  currency: string | null;
  name: string | null;
  discountCode: string | null;
  codeNormal: string | null;
  status: 'active' | 'inactive';
  validFrom: number | null;
  validUntil: number | null;
  timezone: Defaulted<string>;
  purchaseLimit: number | null;
  limitPerUser: number | null;
  includesAllOffers: Defaulted<boolean>;
  includedOffers: Defaulted<string[]>;
  excludedOffers: Defaulted<string[]>;
  duration: Defaulted<'once' | 'repeating' | 'forever'>;
  durationIntervals: number | null;
  heldCount: Defaulted<number>;
  usedCount: Defaulted<number>;
  archivedAt: number | null;
  createdAt: number;
  updatedAt: number;
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
}

export interface CheckoutElementsTable extends Scoped {
  id: string;
  name: string | null;
  subscriptionOffer: boolean;
  allowedOrigins: Defaulted<string[]>;
  archivedAt: number | null;
  createdAt: number;
}

export interface CheckoutElementOffersTable extends Scoped {
  elementId: string;
  position: number;
  offerId: string;
}

export interface UsersTable extends Scoped {
  id: string;
  email: string | null;
  emailNormal: string | null;
  username: string | null;
  internalId: string | null;
  language: string | null;
  billingDetails: JsonDefault<BillingDetailsJson>;
  paymentData: JsonDefault<Record<string, string | null>>;
  passwordHash: string | null;
  archivedAt: number | null;
  deletionRequestedAt: number | null;
  deletionAcceptedAt: number | null;
  erasedAt: number | null;
  createdAt: number;
}

/** Billing details as stored: every field is optional, absent when unset. */
export interface BillingDetailsJson {
  type?: 'individual' | 'company';
  firstName?: string;
  lastName?: string;
  companyName?: string;
  dialCode?: string;
  phoneNumber?: string;
  address?: string;
  addressLine2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
  countryCode?: string;
  taxIdType?: string;
  taxNumber?: string;
}

export interface PaymentMethodsTable extends Scoped {
  id: string;
  userId: string;
  processor: string;
  reference: string;
  details: Json<unknown>;
  /** Whether it is the user's to be chosen for anything; false = given for a subscription alone. */
  kept: Defaulted<boolean>;
  expMonth: number | null;
  expYear: number | null;
  /** When it was last chosen: the latest is charged when none is named. Null = never. */
  chosenAt: number | null;
  createdAt: number;
}

export interface SubscriptionsTable extends Scoped {
  id: string;
  number: string;
  orderId: string;
  userId: string;
  status: string;
  currency: string;
  value: bigint;
  recurringInterval: IntervalUnit;
  recurringIntervalCount: number;
  anchorAt: number | null;
  currentIntervalStart: number | null;
  currentIntervalEnd: number | null;
  trialStart: number | null;
  trialEnd: number | null;
  cancelAtIntervalEnd: Defaulted<boolean>;
  canceledAt: number | null;
  endedAt: number | null;
  pausedAt: number | null;
  resumeAt: number | null;
  cancelReason: string | null;
  /** By which it is billed and taxed, whatever its user's are; null = none. */
  billingDetails: Json<BillingDetailsJson> | null;
  paymentMethodId: string | null;
  discount: Json<unknown> | null;
  discountUses: Defaulted<number>;
  discountSince: number | null;
  discountBefore: Json<unknown> | null;
  pendingChange: Json<unknown> | null;
  pendingPaymentId: string | null;
  scheduledChange: Json<unknown> | null;
  skipNotifications: Defaulted<boolean>;
  dunningStartedAt: number | null;
  dunningFailures: Defaulted<number>;
  dunningErrors: Defaulted<number>;
  dunningHard: Defaulted<boolean>;
  retryAt: number | null;
  /** Until when its workspace was archived last: periods that began before went by unpaid. */
  stoodStillUntil: number | null;
  pauseBehavior: 'void' | 'keep_as_draft' | 'mark_uncollectible' | null;
  lastPaymentId: string | null;
  version: Defaulted<number>;
  createdAt: number;
}

export interface OrdersTable extends Scoped {
  id: string;
  number: string;
  status: string;
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
  sessionId: string | null;
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
  frozenAt: number | null;
  archivedAt: number | null;
  version: Defaulted<number>;
  createdAt: number;
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
  createdAt: number;
  expiresAt: number;
  /** Real time; null = written before it was kept. */
  writtenRealMs: Defaulted<number | null>;
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
  createdAt: number;
}

export interface PaymentsTable extends Scoped {
  id: string;
  orderId: string;
  orderNumber: string;
  number: string;
  type: string;
  status: string;
  value: bigint;
  tax: bigint;
  fee: Defaulted<bigint>;
  refundedValue: Defaulted<bigint>;
  currency: string;
  country: string | null;
  userId: string;
  subscriptionId: string | null;
  checkoutId: string | null;
  discount: Json<unknown> | null;
  invoiceNumber: string | null;
  payToken: string;
  periodStart: number | null;
  periodEnd: number | null;
  taxDecision: JsonDefault<unknown>;
  paidAt: number | null;
  archivedAt: number | null;
  version: Defaulted<number>;
  createdAt: number;
}

/** A line of a later payment of a subscription, or one that waits for the next. Credits are negative. */
export interface PaymentLinesTable extends Scoped {
  id: string;
  subscriptionId: string;
  paymentId: string | null;
  position: number;
  kind: 'interval' | 'proration_credit' | 'proration_charge' | 'extra';
  subscriptionItemId: string | null;
  offerId: string | null;
  productId: string | null;
  variantId: string | null;
  name: string;
  description: string | null;
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
  periodStart: number | null;
  periodEnd: number | null;
  sourceLineId: string | null;
  carried: Defaulted<boolean>;
  lapsedAt: number | null;
  createdAt: number;
}

export interface ChargesTable extends Scoped {
  id: string;
  paymentId: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: bigint;
  currency: string;
  fee: Defaulted<bigint>;
  processor: string;
  processorId: string | null;
  offSession: boolean;
  ipAddress: string | null;
  paymentMethod: Json<unknown> | null;
  decline: string | null;
  declineReason: string | null;
  declineMessage: string | null;
  actionPath: string | null;
  lookCount: Defaulted<number>;
  silentLooks: Defaulted<number>;
  hold: 'discrepancy' | null;
  takenAmount: bigint | null;
  takenCurrency: string | null;
  holdNote: string | null;
  settledAt: number | null;
  reversedAt: number | null;
  paymentMethodId: string | null;
  keepsMethod: Defaulted<boolean>;
  createdAt: number;
}

export interface RefundsTable extends Scoped {
  id: string;
  orderId: string;
  paymentId: string;
  chargeId: string;
  status: 'pending' | 'succeeded' | 'failed';
  amount: bigint;
  tax: bigint;
  currency: string;
  reason: 'requested_by_customer' | 'duplicate' | 'fraudulent' | 'other' | 'dispute';
  note: string | null;
  processor: string;
  processorId: string | null;
  failureReason: string | null;
  creditNoteNumber: string | null;
  lookCount: Defaulted<number>;
  version: Defaulted<number>;
  paysBack: Defaulted<boolean>;
  creditLines: JsonDefault<unknown[]>;
  createdAt: number;
  settledAt: number | null;
}

export interface DisputesTable extends Scoped {
  chargeId: string;
  orderId: string;
  paymentId: string;
  status: 'open' | 'won' | 'lost';
  amount: bigint;
  tax: bigint;
  currency: string;
  processorId: string | null;
  openedAt: number;
  closedAt: number | null;
}

export interface SubscriptionItemsTable extends Scoped {
  id: string;
  subscriptionId: string;
  position: number;
  offerId: string | null;
  productId: string | null;
  variantId: string | null;
  name: string;
  internalId: string | null;
  unitPrice: bigint;
  quantity: number;
  currency: string;
  inclusive: boolean;
  taxReason: string;
  taxRates: JsonDefault<unknown[]>;
  product: Json<unknown> | null;
  variant: Json<unknown> | null;
  offer: Json<unknown> | null;
  customFields: JsonDefault<Record<string, string>>;
  createdAt: number;
}

export interface DiscountRedemptionsTable extends Scoped {
  id: string;
  discountId: string;
  orderId: string;
  userId: string;
  status: 'held' | 'used' | 'released';
  putOn: Defaulted<boolean>;
  createdAt: number;
}

export interface InvoiceSeriesTable extends Scoped {
  series: string;
  lastNumber: number;
  lastAt: Defaulted<number>;
}

/** Finalised documents: the store refuses every change but the PDF's, once. */
export interface InvoicesTable extends Scoped {
  id: string;
  kind: 'invoice' | 'credit_note';
  number: string;
  series: string;
  position: number;
  orderId: string;
  paymentId: string;
  refundId: string | null;
  refersTo: string | null;
  currency: string;
  total: bigint;
  tax: bigint;
  /** The hashed bytes; parsed by whoever shows them. */
  snapshot: string;
  snapshotSha256: string;
  token: string;
  finalisedAt: number;
  pdfSha256: string | null;
  pdfSize: number | null;
}

/** A line of the ledger: debit positive, credit negative. */
export interface LedgerEntriesTable extends Scoped {
  entryId: string;
  account: Account;
  currency: string;
  amount: bigint;
  kind:
    | 'charge'
    | 'refund'
    | 'reversal_in'
    | 'reversal_out'
    | 'dispute_opened'
    | 'dispute_won'
    | 'dispute_lost'
    | 'conversion_out'
    | 'conversion_in';
  sourceId: string;
  paymentId: string;
  createdAt: number;
}

export interface EventsTable extends Scoped {
  id: string;
  type: string;
  idempotencyKey: string;
  orderId: string | null;
  paymentId: string | null;
  subscriptionId: string | null;
  entityId: string;
  entityVersion: number;
  /** Null once it is no longer kept, at `expiredAt`. */
  body: string | null;
  /** When the user that it tells of was erased. */
  erasedAt: Defaulted<number | null>;
  createdAt: number;
  expiredAt: number | null;
}

export interface WebhooksTable extends Scoped {
  id: string;
  url: string;
  status: 'active' | 'inactive';
  health: Defaulted<'ok' | 'failing' | 'blocked' | 'disabled'>;
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: number | null;
  events: string[];
  description: string | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  streakStartedAt: number | null;
  streakFailures: Defaulted<number>;
  streakLookedAt: number | null;
  deletedAt: number | null;
  /** The transaction by which it was archived. */
  archivedBy: number | null;
  createdAt: number;
}

export interface WebhookDeliveriesTable extends Scoped {
  id: string;
  webhookId: string | null;
  eventId: string | null;
  status: 'waiting' | 'delivered' | 'failed' | 'dropped';
  reason: string | null;
  resendOf: string | null;
  isResend: Defaulted<boolean>;
  attemptCount: Defaulted<number>;
  createdAt: number;
}

export interface WebhookAttemptsTable extends Scoped {
  id: string;
  deliveryId: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  sequence: number;
  statusCode: number | null;
  error: 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked' | null;
  errorDetail: string | null;
  responseText: string | null;
  responseCut: Defaulted<boolean>;
  address: string | null;
  durationMs: number;
  /** Every transaction before this one had ended when its delivery was read. */
  horizon: number | null;
  createdAt: number;
}

export interface DueWorkTable extends Scoped {
  kind: string;
  refId: string;
  dueMs: number;
  dueRealMs: number;
  leaseUntilMs: number | null;
  lane: string | null;
  /** Rows of one queue go one after the other within their lane. */
  queue: string | null;
  /** The row's place among those of its queue that are due at one moment. */
  place: string | null;
  fence: Generated<number>;
  failures: Generated<number>;
  lastError: string | null;
}

export interface MailsTable extends Scoped {
  id: string;
  kind: string;
  key: string;
  recipient: string;
  language: string;
  params: JsonDefault<Record<string, unknown>>;
  eventId: string | null;
  orderId: string | null;
  paymentId: string | null;
  subscriptionId: string | null;
  status: Defaulted<'queued' | 'sent' | 'kept' | 'failed' | 'dropped'>;
  sender: string | null;
  replyTo: string | null;
  subject: string | null;
  html: string | null;
  plain: string | null;
  attempts: Defaulted<number>;
  lastError: string | null;
  createdAt: number;
  sentAt: number | null;
  /** When its texts were let go. */
  expiredAt: number | null;
}

/** Every table by its camelCase name. */
/** Secrets of the installation itself; the one table without a workspace beside `workspaces`. */
export interface InstallationSecretsTable {
  name: string;
  /** Hex. */
  secret: string;
}

/** Counters of limits, shared by all stores: whose each is shows in its hash alone. */
export interface LimitCountersTable {
  kind: string;
  subject: string;
  /** Real ms, oldest first; the driver reads an array of bigint as texts. */
  countedAt: ColumnType<string[], number[], number[]>;
  endsAt: number;
}

export interface Tables {
  workspaces: WorkspacesTable;
  stores: StoresTable;
  members: MembersTable;
  apiKeys: ApiKeysTable;
  idempotencyKeys: IdempotencyKeysTable;
  auditLog: AuditLogTable;
  products: ProductsTable;
  variants: VariantsTable;
  files: FilesTable;
  offers: OffersTable;
  offerKeys: OfferKeysTable;
  discounts: DiscountsTable;
  customFields: CustomFieldsTable;
  checkoutElements: CheckoutElementsTable;
  checkoutElementOffers: CheckoutElementOffersTable;
  users: UsersTable;
  paymentMethods: PaymentMethodsTable;
  subscriptions: SubscriptionsTable;
  subscriptionItems: SubscriptionItemsTable;
  orders: OrdersTable;
  orderItems: OrderItemsTable;
  checkoutSessions: CheckoutSessionsTable;
  upkeep: UpkeepTable;
  payments: PaymentsTable;
  paymentLines: PaymentLinesTable;
  charges: ChargesTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  discountRedemptions: DiscountRedemptionsTable;
  invoiceSeries: InvoiceSeriesTable;
  invoices: InvoicesTable;
  ledgerEntries: LedgerEntriesTable;
  events: EventsTable;
  webhooks: WebhooksTable;
  webhookDeliveries: WebhookDeliveriesTable;
  webhookAttempts: WebhookAttemptsTable;
  dueWork: DueWorkTable;
  mails: MailsTable;
  installationSecrets: InstallationSecretsTable;
  limitCounters: LimitCountersTable;
}

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;
