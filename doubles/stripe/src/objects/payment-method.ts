/** Payment methods: from a test name, or from what was typed. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import type { Params } from '../api/check-params.ts';
import { isDeclined, isInvalid } from '../api/errors.ts';
import { findByNumber, passesIban, passesLuhn } from '../methods/find-method.ts';
import type { TestMethod } from '../methods/test-method.ts';
import { hash, text } from '../verbs/call.ts';
import { type Account, insert, type Row } from '../world/rows.ts';
import { blankAddress } from './blank.ts';

export interface Typed {
  expMonth: number;
  expYear: number;
  hasCvc: boolean;
  billing: Stripe.PaymentMethod.BillingDetails;
  wallet: string | null;
}

const YEARS_AHEAD = 8;

export function untyped(world: World): Typed {
  const now = new Date(world.nowMs);
  const billing = { address: blankAddress(), email: null, name: null, phone: null, tax_id: null };
  return {
    expMonth: now.getUTCMonth() + 1,
    expYear: now.getUTCFullYear() + YEARS_AHEAD,
    hasCvc: true,
    billing,
    wallet: null,
  };
}

export function addMethod(
  world: World,
  account: Account,
  test: TestMethod,
  typed: Typed,
): Row<Stripe.PaymentMethod> {
  const method: Stripe.PaymentMethod = {
    id: world.id('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: typed.billing,
    created: world.now,
    customer: null,
    customer_account: null,
    livemode: account.isLive,
    metadata: {},
    type: test.type,
    ...toDetails(world, test, typed),
  };
  const hidden = { test: test.name, ...(test.number ? { secret: test.number } : {}) };
  return insert(world, 'payment_method', account, method, hidden);
}

function toDetails(world: World, test: TestMethod, typed: Typed): Partial<Stripe.PaymentMethod> {
  const number = test.number ?? '';
  const fingerprint = world.digest(`fingerprint ${number}`, 16);
  const last4 = number.slice(-4);
  switch (test.type) {
    case 'card':
      return { card: toCard(test, typed, fingerprint) };
    case 'sepa_debit':
      return {
        sepa_debit: {
          bank_code: number.slice(4, 12),
          branch_code: '',
          country: test.country ?? 'DE',
          fingerprint,
          generated_from: { charge: null, setup_attempt: null },
          last4,
        },
      };
    case 'bacs_debit':
      return { bacs_debit: { fingerprint, last4, sort_code: '108800' } };
    case 'ideal':
      return { ideal: { bank: null, bic: null } };
    case 'link':
      return { link: { email: typed.billing.email } };
    case 'eps':
      return { eps: { bank: null } };
    case 'p24':
      return { p24: { bank: null } };
    case 'klarna':
      return { klarna: {} };
    case 'bancontact':
      return { bancontact: {} };
  }
}

function toCard(test: TestMethod, typed: Typed, fingerprint: string): Stripe.PaymentMethod.Card {
  const brand = test.brand ?? 'visa';
  const isCoBranded = /cartesBancaires|eftposAu/.exec(test.name)?.[0];
  const other = isCoBranded === 'eftposAu' ? 'eftpos_australia' : 'cartes_bancaires';
  return {
    brand,
    checks: {
      address_line1_check: typed.billing.address?.line1 ? (test.checks?.line1 ?? 'pass') : null,
      address_postal_code_check: typed.billing.address?.postal_code ? (test.checks?.zip ?? 'pass') : null,
      cvc_check: typed.hasCvc ? (test.checks?.cvc ?? 'pass') : null,
    },
    country: test.country ?? 'US',
    display_brand: isCoBranded ? other : brand === 'amex' ? 'american_express' : brand,
    exp_month: typed.expMonth,
    exp_year: typed.expYear,
    fingerprint,
    funding: test.funding ?? 'credit',
    generated_from: null,
    last4: (test.number ?? '').slice(-4),
    networks: { available: isCoBranded ? [other, brand] : [brand], preferred: null },
    regulated_status: 'unregulated',
    three_d_secure_usage: { supported: test.hasNo3ds !== true },
    wallet: toWallet(typed.wallet),
  };
}

function toWallet(type: string | null): Stripe.PaymentMethod.Card.Wallet | null {
  if (type === 'google_pay') return { dynamic_last4: null, google_pay: {}, type };
  if (type === 'apple_pay') return { apple_pay: {}, dynamic_last4: null, type };
  return null;
}

/** From `type`, `card[number]`, `sepa_debit[iban]` …; `at` is where the parameters stand. */
export function typeMethod(
  world: World,
  account: Account,
  params: Params,
  at: string,
): Row<Stripe.PaymentMethod> {
  const type = text(params, 'type');
  const path = (name: string): string => (at === '' ? name : `${at}[${name}]`);
  if (!type) throw isInvalid(`Missing required param: ${path('type')}.`, path('type'), 'parameter_missing');
  const typed = { ...untyped(world), billing: readBilling(hash(params, 'billing_details'), null) };
  const details = hash(params, type) ?? {};
  if (type === 'card') return typeCard(world, account, details, typed, path('card'));
  if (type === 'sepa_debit') return typeIban(world, account, details, typed, path('sepa_debit'));
  if (type === 'bacs_debit') {
    const number = text(details, 'account_number');
    if (!number)
      throw isInvalid(
        `Missing required param: ${path('bacs_debit')}.`,
        path('bacs_debit'),
        'parameter_missing',
      );
    return addMethod(world, account, findByNumber('bacs_debit', number), typed);
  }
  if (!['bancontact', 'eps', 'ideal', 'klarna', 'link', 'p24'].includes(type)) {
    throw isInvalid(`The payment method type provided: ${type} is invalid.`, path('type'));
  }
  return addMethod(world, account, { name: type, type: type as TestMethod['type'] }, typed);
}

function typeCard(
  world: World,
  account: Account,
  card: Params,
  typed: Typed,
  at: string,
): Row<Stripe.PaymentMethod> {
  const number = String(card.number ?? '').replace(/[\s-]/g, '');
  if (number === '') throw isInvalid(`Missing required param: ${at}.`, at, 'parameter_missing');
  if (!/^\d{12,19}$/.test(number) || !passesLuhn(number)) {
    const message = 'Your card number is incorrect.';
    throw isDeclined({ message, code: 'incorrect_number', param: 'number' });
  }
  const month = Number(card.exp_month);
  const year = Number(card.exp_year) < 100 ? 2000 + Number(card.exp_year) : Number(card.exp_year);
  const now = new Date(world.nowMs);
  if (!(month >= 1 && month <= 12)) {
    throw isDeclined({
      message: "Your card's expiration month is invalid.",
      code: 'invalid_expiry_month',
      param: 'exp_month',
    });
  }
  const isPast = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (isPast || year > now.getUTCFullYear() + 50) {
    throw isDeclined({
      message: "Your card's expiration year is invalid.",
      code: 'invalid_expiry_year',
      param: 'exp_year',
    });
  }
  const cvc = text(card, 'cvc');
  if (cvc !== null && !/^\d{3,4}$/.test(cvc)) {
    throw isDeclined({ message: "Your card's security code is invalid.", code: 'invalid_cvc', param: 'cvc' });
  }
  const wallet = text(card, 'wallet');
  const shown = { ...typed, expMonth: month, expYear: year, hasCvc: cvc !== null, wallet };
  return addMethod(world, account, findByNumber('card', number), shown);
}

function typeIban(
  world: World,
  account: Account,
  details: Params,
  typed: Typed,
  at: string,
): Row<Stripe.PaymentMethod> {
  const iban = (text(details, 'iban') ?? '').replace(/\s/g, '').toUpperCase();
  if (iban === '')
    throw isInvalid(`Missing required param: ${at}[iban].`, `${at}[iban]`, 'parameter_missing');
  if (!passesIban(iban)) {
    throw isInvalid('The IBAN you entered is invalid.', `${at}[iban]`, 'invalid_bank_account_iban');
  }
  return addMethod(world, account, findByNumber('sepa_debit', iban), typed);
}

export function readBilling(
  given: Params | null,
  old: Stripe.PaymentMethod.BillingDetails | null,
): Stripe.PaymentMethod.BillingDetails {
  const before = old ?? { address: blankAddress(), email: null, name: null, phone: null, tax_id: null };
  if (!given) return before;
  const address = hash(given, 'address');
  return {
    address: address ? { ...(before.address ?? blankAddress()), ...(address as object) } : before.address,
    email: text(given, 'email') ?? before.email,
    name: text(given, 'name') ?? before.name,
    phone: text(given, 'phone') ?? before.phone,
    tax_id: text(given, 'tax_id') ?? before.tax_id,
  };
}
