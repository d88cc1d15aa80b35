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
  status: 'open' | 'requires_action' | 'processing' | 'paid' | 'closed';
  actionUrl: string | null;
  seller: { name: string; supportEmail: string | null };
  testMode: boolean;
}

/** A payment that carries an order: it is paid at its checkout. */
export interface OrderPaymentView extends Payment {
  kind: 'order';
  /** Where the purchase can be begun again, once it is open. */
  retryUrl: string | null;
}

/** What the server tells of a payment of a subscription that waits for its buyer. */
export interface DebtView extends Payment {
  kind: 'owed';
  failure: { reason: string; message: string } | null;
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
  storedCard: { brand: string | null; last4: string } | null;
}

export type PayView = DebtView | OrderPaymentView;
