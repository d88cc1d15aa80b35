/** Which payment method types an intent takes: what is asked for, less what does not fit, without a word. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import type { Params } from '../api/check-params.ts';
import { isInvalid, isRefused } from '../api/errors.ts';
import { type Account, find, look } from '../world/rows.ts';
import { hash, text } from './call.ts';

interface TypeRule {
  /** Null = every currency. */
  currencies: readonly string[] | null;
  mayBeSaved: boolean;
  isRedirect: boolean;
}

export const TYPES: Readonly<Record<string, TypeRule>> = {
  card: { currencies: null, mayBeSaved: true, isRedirect: false },
  link: { currencies: null, mayBeSaved: true, isRedirect: false },
  ideal: { currencies: ['eur'], mayBeSaved: true, isRedirect: true },
  bancontact: { currencies: ['eur'], mayBeSaved: true, isRedirect: true },
  eps: { currencies: ['eur'], mayBeSaved: false, isRedirect: true },
  p24: { currencies: ['eur', 'pln'], mayBeSaved: false, isRedirect: true },
  klarna: {
    currencies: ['eur', 'gbp', 'usd', 'dkk', 'nok', 'sek', 'chf', 'czk', 'pln', 'ron', 'aud', 'nzd', 'cad'],
    mayBeSaved: false,
    isRedirect: true,
  },
  sepa_debit: { currencies: ['eur'], mayBeSaved: true, isRedirect: false },
  bacs_debit: { currencies: ['gbp'], mayBeSaved: true, isRedirect: false },
};

const EXCLUSIVE = [
  'automatic_payment_methods',
  'excluded_payment_method_types',
  'payment_method_configuration',
] as const;

export interface TypeChoice {
  allowed_payment_method_types: string[] | null;
  automatic_payment_methods: Stripe.PaymentIntent.AutomaticPaymentMethods | null;
  excluded_payment_method_types: string[] | null;
  payment_method_configuration_details: { id: string; parent: string | null } | null;
  payment_method_types: string[];
}

export function refuseBoth(params: Params): void {
  if (params.allowed_payment_method_types === undefined) return;
  const other = EXCLUSIVE.find((name) => params[name] !== undefined);
  if (!other) return;
  throw isInvalid(
    `You may only specify one of these parameters: allowed_payment_method_types, ${other}.`,
    'allowed_payment_method_types',
  );
}

export function chooseTypes(
  world: World,
  account: Account,
  params: Params,
  how: { currency: string | null; isSaved: boolean; amount: number },
): TypeChoice {
  refuseBoth(params);
  const allowed = params.allowed_payment_method_types as string[] | undefined;
  const automatic = hash(params, 'automatic_payment_methods');
  const excluded = params.excluded_payment_method_types as string[] | undefined;
  const configuration = text(params, 'payment_method_configuration');
  const chosen = find(
    world,
    'payment_method_configuration',
    account,
    configuration ?? account.configuration,
    'payment_method_configuration',
  ).data;
  const on = Object.keys(TYPES).filter((type) => isOn(chosen, type));
  const isNever = automatic?.allow_redirects === 'never';
  const asked = allowed ?? on.filter((type) => !(isNever && TYPES[type]?.isRedirect));
  const types = asked.filter((type) => on.includes(type) && !excluded?.includes(type) && fits(type, how));
  if (types.length === 0) {
    throw isRefused(
      'No valid payment method types for this intent. Please ensure that you have activated payment methods compatible with your chosen currency in your dashboard or specify payment_method_types compatible with your chosen currency.',
      { code: 'payment_intent_invalid_parameter', param: 'allowed_payment_method_types' },
    );
  }
  return {
    allowed_payment_method_types: allowed ?? null,
    automatic_payment_methods: allowed
      ? null
      : { allow_redirects: isNever ? 'never' : 'always', enabled: automatic?.enabled !== false },
    excluded_payment_method_types: excluded ?? null,
    payment_method_configuration_details: allowed ? null : { id: chosen.id, parent: null },
    payment_method_types: types,
  };
}

function fits(type: string, how: { currency: string | null; isSaved: boolean; amount: number }): boolean {
  const rule = TYPES[type];
  if (!rule) return false;
  if (how.isSaved && !rule.mayBeSaved) return false;
  return how.currency === null || rule.currencies === null || rule.currencies.includes(how.currency);
}

function isOn(configuration: Stripe.PaymentMethodConfiguration, type: string): boolean {
  const entry = (configuration as unknown as Record<string, { available?: boolean } | undefined>)[type];
  return entry?.available === true;
}

export function isRedirect(type: string): boolean {
  return TYPES[type]?.isRedirect === true;
}

export function isDebit(type: string): boolean {
  return type === 'sepa_debit' || type === 'bacs_debit';
}

/** The customer that a call names, or null; a deleted one is unknown. */
export function readCustomer(world: World, account: Account, params: Params): string | null {
  const id = text(params, 'customer');
  if (id && look(world, 'customer', account, id)?.data.deleted !== undefined) {
    throw isRefused(`No such customer: '${id}'`, { code: 'resource_missing', param: 'customer' });
  }
  return id ? find(world, 'customer', account, id, 'customer').data.id : null;
}
