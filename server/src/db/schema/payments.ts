import type { PaymentStatus } from '../../domain/states/payment.ts';
import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';

export interface PaymentTables {
  payments: PaymentsTable;
  paymentLines: PaymentLinesTable;
  charges: ChargesTable;
  methodSetups: MethodSetupsTable;
  refunds: RefundsTable;
  disputes: DisputesTable;
  processors: ProcessorsTable;
  processorEndpoints: ProcessorEndpointsTable;
  processorEvents: ProcessorEventsTable;
  processorMovements: ProcessorMovementsTable;
  processorReports: ProcessorReportsTable;
  processorBackfills: ProcessorBackfillsTable;
  adoptedCharges: AdoptedChargesTable;
}

/** Where a processor tells of a connection. */
export interface ProcessorEndpointsTable extends Scoped {
  id: string;
  connectionId: string;
  tokenHash: string;
  secret: string | null;
  processorId: string | null;
  /** Real ms. */
  createdAt: number;
  endsAt: number | null;
}

/** What a processor has told, once each. */
export interface ProcessorEventsTable extends Scoped {
  id: string;
  connectionId: string;
  eventId: string;
  type: string;
  /** A word of the port's; one that is not known is another version's. */
  objectKind: string;
  objectId: string;
  objectCharge: string | null;
  objectOwn: string | null;
  status: Defaulted<'waiting' | 'done' | 'ignored' | 'parked'>;
  tries: Defaulted<number>;
  lastError: string | null;
  /** Real ms. */
  happenedAt: number;
  receivedAt: number;
  /** Found by reading, and not told at an endpoint. */
  wasRead: Defaulted<boolean>;
}

/** The first reading of each process over each connection, in real ms. */
export interface ProcessorBackfillsTable extends Scoped {
  connectionId: string;
  processId: string;
  begunAt: number;
  endedAt: number;
}

/** What a processor has taken for a period whose payment is not written yet. */
export interface AdoptedChargesTable extends Scoped {
  chargeId: string;
  paymentId: string;
  connectionId: string;
  /** Of the object there. */
  processorId: string;
  subscriptionId: string;
  periodStart: number;
}

/** A movement of money that a processor tells of: what of ours it is, and what was posted for it. */
export interface ProcessorMovementsTable extends Scoped {
  id: string;
  connectionId: string;
  movementId: string;
  kind: string;
  chargeId: string | null;
  refundId: string | null;
  status: 'waiting' | 'linked' | 'posted';
  amount: bigint;
  fee: bigint;
  currency: string;
  ownAmount: Defaulted<bigint>;
  ownFee: Defaulted<bigint>;
  ownCurrency: string;
  account: 'payouts' | 'fees' | 'processor_other';
  source: string | null;
  sourceCharge: string | null;
  sourceOwn: string | null;
  /** Real ms. */
  happenedAt: number;
  createdAt: number;
}

/** What comparing a processor's books with ours has found. */
export interface ProcessorReportsTable extends Scoped {
  id: string;
  connectionId: string;
  /** Real ms. */
  fromAt: number;
  toAt: number;
  counts: Json<unknown>;
  findings: Json<unknown>;
  sums: Json<unknown>;
  acknowledgedAt: number | null;
  acknowledgedNote: string | null;
  createdAt: number;
}

/** Connections: an account of a kind of processor in one store. */
export interface ProcessorsTable extends Scoped {
  id: string;
  kind: string;
  name: string;
  status: Defaulted<'active' | 'paused' | 'retired'>;
  priority: Defaulted<number>;
  currencies: Defaulted<string[]>;
  countries: Defaulted<string[]>;
  methods: Defaulted<string[]>;
  accountId: string | null;
  accountCountry: string | null;
  accountCurrency: string | null;
  credentials: string | null;
  keyLast4: string | null;
  details: JsonDefault<unknown>;
  health: Defaulted<'ok' | 'degraded' | 'broken' | 'silent'>;
  /** Real ms. */
  healthSince: number;
  healthReason: string | null;
  /** Real ms. */
  checkedAt: number | null;
  /** Real ms. */
  reconciledTo: number | null;
  reconciledAt: number | null;
  /** Where the next reading of what happened there begins, and when the last one ended, in real ms. */
  readFrom: number | null;
  /** When its endpoints were looked after last, in real ms. */
  tendedAt: number | null;
  readAt: number | null;
  /** Hosts whose pages show wallets, as its processor says; null = they are to be named. Real ms. */
  domains: JsonDefault<unknown>;
  domainsAt: number | null;
  /** Of a restored store: from when on what happened there is still to be adopted, in real ms. */
  adoptFrom: number | null;
  createdAt: number;
  retiredAt: number | null;
}

export interface PaymentsTable extends Scoped {
  id: string;
  orderId: string;
  orderNumber: string;
  number: string;
  type: string;
  status: PaymentStatus;
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
  /** At least the first of its user that carried an order: the store marks it when it is paid. */
  isFirstOfUser: Defaulted<boolean>;
  /** When its first settled charge was declined, which the store notes with the charge; null = it was not. */
  firstFailedAt: number | null;
  /** What was paid where it was brought in from; null = it was to be paid here. */
  paidElsewhere: bigint | null;
  paidElsewhereTax: bigint | null;
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
  connectionId: string | null;
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
  expectedBy: number | null;
  calledOffAt: number | null;
  /** The process that had its object named, and when, in real ms. */
  sentBy: string | null;
  sentAt: number | null;
  receivedAt: number | null;
  receivedReference: string | null;
  /** When its processor first warned that it may be a fraud. */
  warnedAt: number | null;
  createdAt: number;
}

/** A method that is taken for 0, and pays nothing by itself. */
export interface MethodSetupsTable extends Scoped {
  id: string;
  userId: string;
  purpose: 'card' | 'portal';
  subscriptionId: string | null;
  subscriptionIds: Defaulted<string[]>;
  status: 'pending' | 'succeeded' | 'failed';
  currency: string;
  processor: string;
  connectionId: string;
  processorId: string | null;
  paymentMethod: Json<unknown> | null;
  paymentMethodId: string | null;
  declineReason: string | null;
  declineMessage: string | null;
  actionPath: string | null;
  lookCount: Defaulted<number>;
  silentLooks: Defaulted<number>;
  calledOffAt: number | null;
  createdAt: number;
  settledAt: number | null;
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
  connectionId: string | null;
  processorId: string | null;
  failureReason: string | null;
  creditNoteNumber: string | null;
  lookCount: Defaulted<number>;
  version: Defaulted<number>;
  paysBack: Defaulted<boolean>;
  creditLines: JsonDefault<unknown[]>;
  createdAt: number;
  settledAt: number | null;
  /** When it came back after it had succeeded, and when somebody had paid it outside. */
  returnedAt: number | null;
  returnReason: string | null;
  returnSettledAt: number | null;
  /** What whoever settled it names; where that was at the processor, the refund that was made there. */
  returnReference: string | null;
  returnSettledThere: Defaulted<boolean>;
  /** At the processor, by nobody's request here. */
  madeElsewhere: Defaulted<boolean>;
  /** Real ms at which a processor that forgets our keys was first asked. */
  askedAt: number | null;
}

export interface DisputesTable extends Scoped {
  id: string;
  chargeId: string;
  orderId: string;
  paymentId: string;
  /** `none`: an inquiry, or what was stopped, that came to nothing. */
  status: 'inquiry' | 'open' | 'won' | 'lost' | 'none';
  amount: bigint;
  tax: bigint;
  currency: string;
  connectionId: string | null;
  processorId: string | null;
  reason: string | null;
  /** Real ms. */
  evidenceDueAt: number | null;
  processorUrl: string | null;
  evidence: Json<{ submitted: boolean; pastDue: boolean }> | null;
  /** What a lost one has become. */
  refundId: string | null;
  /** As an inquiry, and again when money was taken. */
  openedAt: number;
  closedAt: number | null;
}
