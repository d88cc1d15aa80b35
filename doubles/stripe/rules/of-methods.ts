import { pay, type Rule, refused, same } from './rule.ts';

const TESTING = 'https://docs.stripe.com/testing';
const CURRENCIES = 'https://docs.stripe.com/currencies';

const BRANDS: readonly [name: string, brand: string, last4: string, country: string][] = [
  ['pm_card_visa', 'visa', '4242', 'US'],
  ['pm_card_visa_debit', 'visa', '5556', 'US'],
  ['pm_card_mastercard', 'mastercard', '4444', 'US'],
  ['pm_card_mastercard_debit', 'mastercard', '8210', 'US'],
  ['pm_card_mastercard_prepaid', 'mastercard', '5100', 'US'],
  ['pm_card_amex', 'amex', '0005', 'US'],
  ['pm_card_discover', 'discover', '1117', 'US'],
  ['pm_card_diners', 'diners', '0004', 'US'],
  ['pm_card_unionpay', 'unionpay', '0005', 'US'],
  ['pm_card_de', 'visa', '0016', 'DE'],
  ['pm_card_fr', 'visa', '0003', 'FR'],
  ['pm_card_gb', 'visa', '0000', 'GB'],
  ['pm_card_br', 'visa', '0002', 'BR'],
  ['pm_card_jp', 'visa', '0003', 'JP'],
];

const DECLINES: readonly [name: string, code: string, decline: string | undefined][] = [
  ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
  ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
  ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
  ['pm_card_visa_chargeDeclinedStolenCard', 'card_declined', 'stolen_card'],
  ['pm_card_chargeDeclinedExpiredCard', 'expired_card', undefined],
  ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', undefined],
  ['pm_card_chargeDeclinedProcessingError', 'processing_error', undefined],
  ['pm_card_visa_chargeDeclinedVelocityLimitExceeded', 'card_declined', 'card_velocity_exceeded'],
  ['pm_card_chargeCustomerFail', 'card_declined', 'generic_decline'],
];

const MINIMA = {
  ...{
    usd: 50,
    aed: 200,
    aud: 50,
    bgn: 100,
    brl: 50,
    cad: 50,
    chf: 50,
    czk: 1500,
    dkk: 250,
    eur: 50,
    gbp: 30,
  },
  ...{ hkd: 400, huf: 17500, inr: 50, jpy: 50, mxn: 1000, myr: 200, nok: 300, nzd: 50, pln: 200, ron: 200 },
  ...{ sek: 300, sgd: 50, thb: 1000 },
};

const ASKS = [
  'pm_card_authenticationRequiredOnSetup',
  'pm_card_authenticationRequired',
  'pm_card_authenticationRequiredSetupForOffSession',
  'pm_card_authenticationRequiredChargeDeclinedInsufficientFunds',
  'pm_card_threeDSecure2Required',
  'pm_card_threeDSecureRequiredChargeDeclined',
];

export const OF_METHODS: readonly Rule[] = [
  ...BRANDS.map(
    ([name, brand, last4, country]): Rule => ({
      says: `${name} pays with a card of ${brand}, ${country}, that ends in ${last4}`,
      page: TESTING,
      try: async (stripe) => {
        const intent = await pay(stripe, name, { expand: ['payment_method'] });
        const method = intent.payment_method as { card?: { brand: string; last4: string; country: string } };
        same(
          [intent.status, method.card?.brand, method.card?.last4, method.card?.country],
          ['succeeded', brand, last4, country],
        );
      },
    }),
  ),
  ...DECLINES.map(
    ([name, code, decline]): Rule => ({
      says: `${name} is refused with 402 ${code}${decline ? `, ${decline}` : ''}`,
      page: `${TESTING}#declined-payments`,
      try: async (stripe) => {
        await refused(pay(stripe, name), {
          status: 402,
          type: 'card_error',
          code,
          ...(decline ? { decline_code: decline } : {}),
        });
      },
    }),
  ),
  ...Object.entries(MINIMA).map(
    ([currency, minimum]): Rule => ({
      says: `below ${minimum} minor units ${currency} cannot be charged`,
      page: `${CURRENCIES}#minimum-and-maximum-charge-amounts`,
      try: async (stripe) => {
        const params = { currency, allowed_payment_method_types: ['card'] };
        const create = stripe.paymentIntents.create({ amount: minimum - 1, ...params });
        await refused(create, { status: 400, code: 'amount_too_small', param: 'amount' });
        same((await stripe.paymentIntents.create({ amount: minimum, ...params })).amount, minimum);
      },
    }),
  ),
  ...['isk', 'ugx'].map(
    (currency): Rule => ({
      says: `${currency} is counted in hundredths, and only whole units can be charged`,
      page: `${CURRENCIES}#special-cases`,
      try: async (stripe) => {
        const params = { currency, allowed_payment_method_types: ['card'] };
        await refused(stripe.paymentIntents.create({ amount: 1_000_050, ...params }), {
          status: 400,
          param: 'amount',
        });
        same((await stripe.paymentIntents.create({ amount: 1_000_000, ...params })).amount, 1_000_000);
      },
    }),
  ),
  ...['bhd', 'jod', 'kwd', 'omr', 'tnd'].map(
    (currency): Rule => ({
      says: `${currency} is counted in thousandths, of which the last digit is 0`,
      page: `${CURRENCIES}#three-decimal`,
      try: async (stripe) => {
        const params = { currency, allowed_payment_method_types: ['card'] };
        await refused(stripe.paymentIntents.create({ amount: 50_005, ...params }), {
          status: 400,
          param: 'amount',
        });
        same((await stripe.paymentIntents.create({ amount: 50_000, ...params })).amount, 50_000);
      },
    }),
  ),
  ...ASKS.map(
    (name): Rule => ({
      says: `${name} asks for authentication when the buyer is there`,
      page: `${TESTING}#regulatory-cards`,
      try: async (stripe) => {
        const intent = await pay(stripe, name, { return_url: 'https://example.com/back' });
        same([intent.status, intent.next_action?.type], ['requires_action', 'redirect_to_url']);
      },
    }),
  ),
  {
    says: 'pm_card_authenticationRequired is refused off-session with authentication_required',
    page: `${TESTING}#regulatory-cards`,
    try: async (stripe) => {
      const code = 'authentication_required';
      await refused(pay(stripe, 'pm_card_authenticationRequired', { off_session: true }), {
        status: 402,
        code,
      });
    },
  },
  {
    says: 'pm_card_authenticationRequiredSetupForOffSession pays off-session',
    page: `${TESTING}#regulatory-cards`,
    try: async (stripe) => {
      const name = 'pm_card_authenticationRequiredSetupForOffSession';
      same((await pay(stripe, name, { off_session: true })).status, 'succeeded');
    },
  },
  {
    says: 'use_stripe_sdk has the page authenticate',
    page: 'https://docs.stripe.com/api/payment_intents/create#create_payment_intent-use_stripe_sdk',
    try: async (stripe) => {
      const intent = await pay(stripe, 'pm_card_authenticationRequired', { use_stripe_sdk: true });
      same(intent.next_action?.type, 'use_stripe_sdk');
    },
  },
  {
    says: 'pm_card_radarBlock is blocked before it reaches the network',
    page: `${TESTING}#fraud-prevention`,
    try: async (stripe) => {
      const error = await refused(pay(stripe, 'pm_card_radarBlock'), { status: 402, code: 'card_declined' });
      const charge = await stripe.charges.retrieve(String((error.raw as { charge?: string }).charge));
      same([charge.outcome?.type, charge.outcome?.risk_level], ['blocked', 'highest']);
    },
  },
  {
    says: 'pm_card_riskLevelElevated pays, at an elevated risk',
    page: `${TESTING}#fraud-prevention`,
    try: async (stripe) => {
      const intent = await pay(stripe, 'pm_card_riskLevelElevated', { expand: ['latest_charge'] });
      same((intent.latest_charge as { outcome?: { risk_level?: string } }).outcome?.risk_level, 'elevated');
    },
  },
  {
    says: 'pm_card_pendingRefund has its refund pending at first',
    page: `${TESTING}#refunds`,
    try: async (stripe) => {
      const intent = await pay(stripe, 'pm_card_pendingRefund');
      same((await stripe.refunds.create({ payment_intent: intent.id })).status, 'pending');
    },
  },
  {
    says: 'pm_card_refundFail has its refund succeed at first',
    page: `${TESTING}#refunds`,
    try: async (stripe) => {
      const intent = await pay(stripe, 'pm_card_refundFail');
      same((await stripe.refunds.create({ payment_intent: intent.id })).status, 'succeeded');
    },
  },
  {
    says: 'pm_card_bypassPending is available at once',
    page: `${TESTING}#available-balance`,
    try: async (stripe) => {
      const intent = await pay(stripe, 'pm_card_bypassPending', {
        expand: ['latest_charge.balance_transaction'],
      });
      const charge = intent.latest_charge as { balance_transaction?: { status: string } };
      same(charge.balance_transaction?.status, 'available');
    },
  },
  {
    says: 'a card that is always refused cannot be saved with a customer',
    page: `${TESTING}#declined-payments`,
    try: async (stripe) => {
      const customer = await stripe.customers.create();
      const attach = stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer: customer.id });
      await refused(attach, { status: 402, code: 'card_declined' });
    },
  },
  {
    says: 'pm_card_chargeCustomerFail can be saved with a customer',
    page: `${TESTING}#declined-payments`,
    try: async (stripe) => {
      const customer = await stripe.customers.create();
      const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
        customer: customer.id,
      });
      same(method.customer, customer.id);
    },
  },
  ...['pm_success_de', 'pm_successDelayed_de', 'pm_failed_de', 'pm_failedDelayed_de', 'pm_disputed_de'].map(
    (name): Rule => ({
      says: `${name} is processing when it is confirmed`,
      page: 'https://docs.stripe.com/payments/sepa-debit/accept-a-payment#test-account-numbers',
      try: async (stripe) => {
        const online = { ip_address: '127.0.0.1', user_agent: 'rules' };
        const intent = await pay(stripe, name, {
          allowed_payment_method_types: ['sepa_debit'],
          mandate_data: { customer_acceptance: { type: 'online', online } },
        });
        same(intent.status, 'processing');
      },
    }),
  ),
];
