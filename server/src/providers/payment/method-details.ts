/** What is told of a payment method, whichever processor keeps it. */
import type { CardBrand, CardWallet } from '../../domain/processors/card-words.ts';

/** The API's `charge.paymentMethod`, as stored and answered. */
export interface PaymentMethodDetails {
  /** `card`, `bank_transfer` or `paypal`. */
  type: string;
  brand: CardBrand | null;
  last4: string | null;
  card: {
    brand: CardBrand | null;
    last4: string | null;
    /** ISO 3166-1 alpha-2. */
    country: string | null;
    network: string | null;
    wallet: { type: CardWallet; dynamicLast4: string | null } | null;
  } | null;
}

export interface CardExpiry {
  year: number;
  /** 1 to 12. */
  month: number;
}
