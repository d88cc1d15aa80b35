/** A sale as the mails show it. Amounts are minor units of its currency, times ms on the workspace's clock. */
import type { Breakdown } from '../pricing/breakdown.ts';

export interface MailItem {
  id: string;
  name: string;
  /** Which product and variant, as far as the name leaves them out. */
  note: string | null;
  quantity: number;
  /** Before its discount, with its tax where prices hold theirs. */
  subtotalMinor: number;
  /** With its tax, after its discount. */
  totalMinor: number;
  taxReason: string | null;
  keys: string[];
  awaitsStock: boolean;
}

export interface MailRefund {
  amountMinor: number;
  creditNoteNumber: string | null;
  creditNoteUrl: string | null;
}

export interface MailSubscription {
  number: string;
  status: string;
  trialEndMs: number | null;
  intervalEndMs: number | null;
  endedAtMs: number | null;
  items: Array<Pick<MailItem, 'name' | 'note' | 'quantity'>>;
}

/** A payment that comes by itself. */
export interface NextPayment {
  amountMinor: number;
  /** Within the amount. */
  taxMinor: number;
}

export interface MailSale {
  orderNumber: string;
  paymentNumber: string;
  paymentType: string;
  atMs: number;
  /** What a payment of a subscription pays for; null for any other. */
  period: { startMs: number; endMs: number } | null;
  currency: string;
  totalMinor: number;
  taxMinor: number;
  items: MailItem[];
  breakdown: Breakdown;
  /** What it was paid with. */
  method: { type: string; brand: string | null; last4: string | null } | null;
  invoiceNumber: string | null;
  invoiceUrl: string | null;
  /** The page on which keys and downloads stay; null where there is none. */
  purchaseUrl: string | null;
  payUrl: string | null;
  subscription: MailSubscription | null;
  /** What is taken when the trial, or the interval, ends; null where nothing is, and of mails that do not tell it. */
  nextPayment: NextPayment | null;
  refund: MailRefund | null;
  /** Why the last charge came to nothing, as a word of the processors' port. */
  declineReason: string | null;
  /** The sentences that the buyer agreed to at the checkout, as they stood there. */
  consents: string[];
  /** When a charge that failed is made again by itself. */
  retryAtMs: number | null;
  /** Until when an order that was declined can be paid in another way. */
  payableUntilMs: number | null;
}
