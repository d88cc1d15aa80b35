import type { Receipt, Refund } from './view.ts';

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

export interface DebtReceipt {
  paidAt: number;
  total: number;
  tax: number;
  paymentMethod: Receipt['paymentMethod'];
  /** All that was paid together. */
  payments: Array<DebtPart & { invoiceNumber: string | null; invoiceUrl: string | null }>;
  refunds: Refund[];
  subscription: NonNullable<Receipt['subscription']>;
}

/** What the server tells of a payment that waits for its buyer. */
export interface DebtView {
  apiUrl: string;
  status: 'open' | 'requires_action' | 'processing' | 'paid' | 'closed';
  failure: { reason: string; message: string } | null;
  actionUrl: string | null;
  productName: string;
  orderNumber: string;
  /** Of all that is owed. */
  amount: number;
  tax: number;
  payments: number;
  /** Until when there is access although it is owed; null where access does not hang on it. */
  access: { isOpen: boolean; endsAt: number | null } | null;
  dues: DebtPart[];
  /** Given once there is nothing left to pay. */
  receipt: DebtReceipt | null;
  currency: string;
  currencyDecimals: number;
  storedCard: { brand: string | null; last4: string } | null;
  seller: { name: string; supportEmail: string | null };
  testMode: boolean;
}
