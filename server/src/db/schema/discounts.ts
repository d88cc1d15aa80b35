import type { Defaulted, Scoped } from './columns.ts';

export interface DiscountTables {
  discounts: DiscountsTable;
  discountRedemptions: DiscountRedemptionsTable;
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
  /** Raised by edits alone. */
  version: Defaulted<number>;
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
