/** Words for cards, as every processor is translated to them and the API shows them. */

export const CARD_BRANDS = ['visa', 'mastercard', 'amex', 'discover', 'diners', 'jcb', 'unionpay'] as const;

export type CardBrand = (typeof CARD_BRANDS)[number];

/** Where a card can lie instead of in the buyer's hand. */
export const CARD_WALLETS = [
  'amex_express_checkout',
  'apple_pay',
  'google_pay',
  'link',
  'masterpass',
  'samsung_pay',
  'visa_checkout',
] as const;

export type CardWallet = (typeof CARD_WALLETS)[number];

export function isCardBrand(word: string): word is CardBrand {
  return (CARD_BRANDS as readonly string[]).includes(word);
}

export function isCardWallet(word: string): word is CardWallet {
  return (CARD_WALLETS as readonly string[]).includes(word);
}
