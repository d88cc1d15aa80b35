import type { Seller } from './branding.ts';
import type { Method, ProcessorFields, Quote, ShownMethod, Transfer } from './view.ts';

/** One payment of a subscription after its first. Amounts are minor units, times milliseconds. */
export interface DebtPart {
  number: string;
  type: 'subscription_interval' | 'subscription_update' | 'subscription_extra';
  /** What it is for, as it was sold. */
  names: string[];
  periodStart: number | null;
  periodEnd: number | null;
  amount: number;
}

interface Payment {
  apiUrl: string;
  status: 'open' | 'requires_action' | 'processing' | 'paid' | 'closed' | 'unavailable';
  actionUrl: string | null;
  /** What is wanted is said when it is asked for, and may be shown in the page. */
  isActionAsked: boolean;
  /** Where to send the money of what is `processing`; null where a bank is asked. */
  transfer: Transfer | null;
  seller: Seller;
  testMode: boolean;
}

/** What a declined order is for, at its own price. Amounts are minor units, times milliseconds. */
export interface PurchaseView {
  orderNumber: string;
  failure: { reason: string; message: string } | null;
  items: Array<{ name: string; quantity: number; amount: number }>;
  currency: string;
  currencyDecimals: number;
  discount: number;
  tax: number | null;
  total: number;
  /** Less than the total in a trial. */
  dueNow: number;
  renewal: Quote['renewal'];
  methods: Method[];
  /** Of the method `token`, where that is offered. */
  processorFields: ProcessorFields | null;
  /** Names this very price. */
  fingerprint: string;
}

/** A payment that carries an order. */
export interface OrderPaymentView extends Payment {
  kind: 'order';
  /** What there is to pay, now or another way than the one that waits for the bank. */
  purchase: PurchaseView | null;
}

/** What the server tells of a payment of a subscription that waits for its buyer. */
export interface DebtView extends Payment {
  kind: 'owed';
  failure: { reason: string; message: string } | null;
  methods: Method[];
  /** Of the method `token`, where that is offered. */
  processorFields: ProcessorFields | null;
  productName: string;
  orderNumber: string;
  /** Of all that is owed. */
  amount: number;
  tax: number;
  payments: number;
  /** Until when there is access although it is owed; null where access does not hang on it. */
  access: { isOpen: boolean; endsAt: number | null } | null;
  dues: DebtPart[];
  currency: string;
  currencyDecimals: number;
  /** Whether the stored card can be charged from here: `required` = only by its owner, who has to say so by a link. */
  proof: 'none' | 'required' | 'given';
  /** Shown to its owner alone. */
  storedCard: ShownMethod | null;
}

/** The link of a mail, by which the buyer has come. */
export interface ProofLink {
  link: string;
  /** False = it was used, or is too old. */
  isOpen: boolean;
}

/** The card of a subscription, and how another one is given. */
export interface CardPageView extends Payment {
  kind: 'card';
  failure: { reason: string; message: string } | null;
  /** The last try brought its method. */
  isTaken: boolean;
  methods: Method[];
  processorFields: ProcessorFields | null;
  /** What is charged now. */
  method: ShownMethod | null;
  /** What could not be charged, and where it is paid. */
  owed: { amount: number; url: string } | null;
  productName: string;
  subscriptionNumber: string;
  currency: string;
  currencyDecimals: number;
}

export type PayView = DebtView | OrderPaymentView;
