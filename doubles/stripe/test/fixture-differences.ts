/** Methods that the stand-in does not have, and so no configuration of it. */
const ABSENT_METHODS =
  'acss_debit affirm afterpay_clearpay alipay amazon_pay blik cartes_bancaires cashapp customer_balance giropay multibanco sofort us_bank_account wechat_pay zip';

/** Where the stand-in's answers differ from Stripe's published fixtures, each for a reason. */
export const DIFFERENCES: readonly string[] = [
  // Of platforms alone.
  'balance.connect_reserved lacks',
  // The sample is of a bank account in the United States, ours of a card.
  'confirmation_token.payment_method_preview.us_bank_account lacks',
  ...ABSENT_METHODS.split(' ').map((name) => `payment_method_configuration.${name} lacks`),
];
