/** What the server tells of a payment that waits for its buyer. */
export interface DebtView {
  apiUrl: string;
  status: 'open' | 'requires_action' | 'processing' | 'paid' | 'closed';
  failure: { reason: string; message: string } | null;
  actionUrl: string | null;
  productName: string;
  amount: number;
  payments: number;
  currency: string;
  currencyDecimals: number;
  storedCard: { brand: string | null; last4: string } | null;
  seller: { name: string; supportEmail: string | null };
  testMode: boolean;
}
