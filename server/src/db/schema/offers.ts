import type { Defaulted, Json, JsonDefault, Scoped } from './columns.ts';

export interface OfferTables {
  offers: OffersTable;
  offerKeys: OfferKeysTable;
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
  downloadLimit: number | null;
  downloadDays: number | null;
  tags: JsonDefault<Array<{ id: string; name: string }>>;
  hasKeys: Defaulted<boolean>;
  archivedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** Raised by edits alone. */
  version: Defaulted<number>;
  /** Whether it went into the archive with its product, and comes back with it. */
  archivedWithProduct: Defaulted<boolean>;
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
  /** What it was where it was brought in from. */
  imported: Json<unknown> | null;
}
