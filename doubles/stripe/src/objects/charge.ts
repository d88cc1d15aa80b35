/** Charges: one for each attempt of an intent. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import type { TestMethod } from '../methods/test-method.ts';
import { type Account, insert, type Row } from '../world/rows.ts';

export interface Attempt {
  status: 'failed' | 'pending' | 'succeeded';
  wasAuthenticated: boolean;
  failure: { code: string; message: string; decline?: string; advice?: string } | null;
  mandate: string | null;
  isBlocked?: boolean;
  amount: number;
  currency: string;
}

export function addCharge(
  world: World,
  account: Account,
  intent: Stripe.PaymentIntent,
  method: Row<Stripe.PaymentMethod>,
  test: TestMethod,
  attempt: Attempt,
): Row<Stripe.Charge> {
  const id = world.id(test.type === 'card' || test.type === 'link' ? 'ch' : 'py');
  const isTaken = attempt.status === 'succeeded';
  const suffix = intent.statement_descriptor_suffix;
  const charge: Stripe.Charge = {
    id,
    object: 'charge',
    amount: attempt.amount,
    amount_captured: isTaken ? attempt.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: method.data.billing_details,
    calculated_statement_descriptor: suffix ? `${PREFIX}* ${suffix}` : PREFIX,
    captured: attempt.status !== 'failed',
    created: world.now,
    currency: attempt.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: attempt.failure?.code ?? null,
    failure_message: attempt.failure?.message ?? null,
    fraud_details: {},
    livemode: account.isLive,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: toOutcome(test, attempt),
    paid: isTaken,
    payment_intent: intent.id,
    payment_method: method.data.id,
    payment_method_details: toMethodDetails(method.data, attempt),
    radar_options: {},
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: isTaken ? `https://pay.stripe.com/receipts/${id}` : null,
    refunded: false,
    review: null,
    shipping: intent.shipping as Stripe.Charge.Shipping | null,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: suffix,
    status: attempt.status,
    transfer_data: null,
    transfer_group: null,
  };
  return insert(world, 'charge', account, charge, { test: test.name });
}

/** The account's prefix on a statement. */
export const PREFIX = 'COUNTERFOIL';

function toOutcome(test: TestMethod, { failure, isBlocked, status }: Attempt): Stripe.Charge.Outcome {
  const risk =
    test.type === 'card' ? { risk_level: test.risk ?? 'normal', risk_score: toScore(test.risk) } : {};
  const none = { advice_code: null, network_advice_code: null, network_decline_code: null };
  if (isBlocked) {
    return {
      ...none,
      ...risk,
      network_status: 'not_sent_to_network',
      reason: 'highest_risk_level',
      seller_message: 'Stripe blocked this payment as too risky.',
      type: 'blocked',
    };
  }
  if (failure && status === 'failed') {
    return {
      ...risk,
      advice_code: failure.advice ?? null,
      network_advice_code: null,
      network_decline_code: failure.decline ? '05' : null,
      network_status: 'declined_by_network',
      reason: failure.decline ?? failure.code,
      seller_message: 'The bank did not return any further details with this decline.',
      type: 'issuer_declined',
    };
  }
  return {
    ...none,
    ...risk,
    network_status: 'approved_by_network',
    reason: test.risk === 'elevated' ? 'elevated_risk_level' : null,
    seller_message: 'Payment complete.',
    type: 'authorized',
  };
}

function toScore(risk: TestMethod['risk']): number {
  return risk === 'highest' ? 90 : risk === 'elevated' ? 70 : 32;
}

function toMethodDetails(method: Stripe.PaymentMethod, attempt: Attempt): Stripe.Charge.PaymentMethodDetails {
  const { type } = method;
  if (type === 'card' && method.card) return { card: toCardDetails(method.card, attempt), type };
  if (type === 'sepa_debit' && method.sepa_debit) {
    const { bank_code, branch_code, country, fingerprint, last4 } = method.sepa_debit;
    return {
      sepa_debit: { bank_code, branch_code, country, fingerprint, last4, mandate: attempt.mandate },
      type,
    };
  }
  if (type === 'bacs_debit' && method.bacs_debit) {
    return { bacs_debit: { ...method.bacs_debit, mandate: attempt.mandate }, type };
  }
  return toRedirectDetails(type);
}

function toCardDetails(
  card: Stripe.PaymentMethod.Card,
  attempt: Attempt,
): Stripe.Charge.PaymentMethodDetails.Card {
  const { amount, status } = attempt;
  return {
    amount_authorized: status === 'failed' ? null : amount,
    authorization_code: status === 'failed' ? null : '123456',
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    electronic_commerce_indicator: attempt.wasAuthenticated ? '05' : null,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    extended_authorization: { status: 'disabled' },
    fingerprint: card.fingerprint ?? null,
    funding: card.funding,
    incremental_authorization: { status: 'unavailable' },
    installments: null,
    last4: card.last4,
    mandate: null,
    multicapture: { status: 'unavailable' },
    network: card.brand,
    network_token: { used: false },
    network_transaction_id: status === 'failed' ? null : '104102978678771',
    overcapture: { maximum_amount_capturable: amount, status: 'unavailable' },
    regulated_status: card.regulated_status,
    three_d_secure: attempt.wasAuthenticated
      ? {
          authentication_flow: 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    transaction_link_id: null,
    wallet: card.wallet as Stripe.Charge.PaymentMethodDetails.Card.Wallet | null,
  };
}

function toRedirectDetails(type: string): Stripe.Charge.PaymentMethodDetails {
  const bank = { bank_code: null, bank_name: null, bic: null, iban_last4: null };
  const generated = { generated_sepa_debit: null, generated_sepa_debit_mandate: null };
  switch (type) {
    case 'ideal':
      return {
        ideal: {
          bank: 'ing',
          bic: 'INGBNL2A',
          iban_last4: '5264',
          transaction_id: null,
          verified_name: null,
          ...generated,
        },
        type,
      };
    case 'bancontact':
      return { bancontact: { ...bank, ...generated, preferred_language: 'en', verified_name: null }, type };
    case 'eps':
      return { eps: { bank: null, verified_name: null }, type };
    case 'p24':
      return { p24: { bank: null, reference: 'P24-000-000-000', verified_name: null }, type };
    case 'klarna':
      return {
        klarna: { payer_details: null, payment_method_category: 'pay_later', preferred_locale: 'en-US' },
        type,
      };
    default:
      return { link: { country: 'US' }, type: 'link' };
  }
}
