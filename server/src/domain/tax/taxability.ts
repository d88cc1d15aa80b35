/** What a sale is to the tax table. */
export type TaxCategory = 'digital_good' | 'software' | 'saas' | 'digital_service' | 'voucher';

export type ProductType =
  | 'DigitalDownload'
  | 'Game'
  | 'GiftCard'
  | 'SoftwareKey'
  | 'VirtualCurrency'
  | 'VirtualItem'
  | 'Subscription'
  | 'OneTimePayment';

const CATEGORY_BY_TYPE: Readonly<Record<ProductType, TaxCategory>> = {
  DigitalDownload: 'digital_good',
  VirtualItem: 'digital_good',
  // Currency of a game buys only what its maker sells, so it is a digital good and no means of payment.
  VirtualCurrency: 'digital_good',
  // Most US states treat a game or a licence key as prewritten software, and tax that unlike music or books.
  Game: 'software',
  SoftwareKey: 'software',
  Subscription: 'saas',
  OneTimePayment: 'digital_service',
  // A card that buys anything later is a multi-purpose voucher: the tax falls due when it is redeemed
  // (Directive (EU) 2016/1065; elsewhere alike), so its sale is outside the scope everywhere.
  GiftCard: 'voucher',
};

/** The tax category of a product; decided by its type alone. */
export function toTaxCategory(type: ProductType): TaxCategory {
  return CATEGORY_BY_TYPE[type];
}
