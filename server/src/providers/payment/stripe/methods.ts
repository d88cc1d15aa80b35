/** Methods in Stripe's names: how one is shown, how it is kept, and which are offered. */
import type Stripe from 'stripe';
import { isCardBrand, isCardWallet } from '../../../domain/processors/card-words.ts';
import { FIELD_TYPES } from '../../../domain/processors/method-types.ts';
import type { CardExpiry, PaymentMethodDetails } from '../method-details.ts';
import type { Attempt } from './attempt.ts';

/** That can be charged again without the buyer; two of them by the debit that Stripe makes of them. */
const RECURRING = new Set<string>(['card', 'link', 'ideal', 'bancontact', 'sepa_debit', 'bacs_debit']);
/** That bring the money days later. */
const DELAYED = new Set<string>(['sepa_debit', 'bacs_debit']);
/** That lead nowhere else, so that they can be used within a frame. */
const FRAMED = new Set<string>(['card', 'link']);

export interface OfferedTypes {
  isRecurring: boolean;
  /** Others may wait for what is bought: it is held for nobody for days. */
  isScarce: boolean;
  isFramed: boolean;
  /** What the merchant has chosen; none = all. */
  chosen: readonly string[];
}

/** The same list for the page and for the payment: Stripe refuses a payment by a method that was not offered. */
export function listTypes({ isRecurring, isScarce, isFramed, chosen }: OfferedTypes): string[] {
  return FIELD_TYPES.filter(
    (type) =>
      (!isRecurring || RECURRING.has(type)) &&
      (!isScarce || !DELAYED.has(type)) &&
      (!isFramed || FRAMED.has(type)) &&
      (chosen.length === 0 || chosen.includes(type)),
  );
}

export const UNKNOWN_METHOD: PaymentMethodDetails = { type: 'card', brand: null, last4: null, card: null };

interface CardOfStripe {
  brand?: string | null;
  last4?: string | null;
  country?: string | null;
  network?: string | null;
  networks?: { available: string[]; preferred: string | null } | null;
  exp_month?: number | null;
  exp_year?: number | null;
  wallet?: { type: string; dynamic_last4?: string | null } | null;
}

/** What a debit, and a bank's own page, tell of the account: no more of it is known here. */
interface AccountOfStripe {
  sepa_debit?: { last4?: string | null };
  bacs_debit?: { last4?: string | null };
  ideal?: { iban_last4?: string | null };
  bancontact?: { iban_last4?: string | null };
}

function readAccount({ sepa_debit, bacs_debit, ideal, bancontact }: AccountOfStripe): string | null {
  return (sepa_debit ?? bacs_debit)?.last4 ?? (ideal ?? bancontact)?.iban_last4 ?? null;
}

export function describeAttempt({ charge, method }: Attempt): {
  method: PaymentMethodDetails;
  cardCountry: string | null;
  cardExpiry: CardExpiry | null;
} {
  const type = charge?.payment_method_details?.type ?? method?.type;
  const card: CardOfStripe | null = charge?.payment_method_details?.card ?? method?.card ?? null;
  const account = charge?.payment_method_details ?? (method && toAccount(method));
  const last4 = account && readAccount(account);
  return {
    method: type === undefined ? UNKNOWN_METHOD : describe(type, card, last4),
    cardCountry: card?.country ?? null,
    cardExpiry: card?.exp_year && card.exp_month ? { year: card.exp_year, month: card.exp_month } : null,
  };
}

export function describeMethodOfStripe(method: Stripe.PaymentMethod): PaymentMethodDetails {
  return describe(method.type, method.card ?? null, readAccount(toAccount(method)));
}

/** A kept method tells of no account behind a bank's page. */
function toAccount({ sepa_debit, bacs_debit }: Stripe.PaymentMethod): AccountOfStripe {
  return { ...(sepa_debit ? { sepa_debit } : {}), ...(bacs_debit ? { bacs_debit } : {}) };
}

function describe(
  type: string,
  card: CardOfStripe | null,
  accountLast4: string | null,
): PaymentMethodDetails {
  if (type !== 'card' || !card) return { type, brand: null, last4: accountLast4, card: null };
  const brand = card.brand && isCardBrand(card.brand) ? card.brand : null;
  const last4 = card.last4 ?? null;
  const wallet = card.wallet && isCardWallet(card.wallet.type) ? card.wallet.type : undefined;
  return {
    type,
    brand,
    last4,
    card: {
      brand,
      last4,
      country: card.country ?? null,
      network: card.network ?? card.networks?.preferred ?? card.networks?.available[0] ?? null,
      wallet: wallet ? { type: wallet, dynamicLast4: card.wallet?.dynamic_last4 ?? null } : null,
    },
  };
}

/** A kept method: whose it is, and of which type, since that is asked for with it. */
export interface StoredMethod {
  customer: string;
  method: string;
  type: string;
}

const STORED = /^(cus_\w{1,250})\/(pm_\w{1,250})\/([a-z0-9_]{1,50})$/;

export function toStoredReference({ customer, method, type }: StoredMethod): string {
  return `${customer}/${method}/${type}`;
}

/** Null where it is none that was kept at Stripe. */
export function parseStoredReference(reference: string): StoredMethod | null {
  const [, customer, method, type] = STORED.exec(reference) ?? [];
  return customer && method && type ? { customer, method, type } : null;
}

/** How the attempt's method is charged again; null where it is not kept. */
export function toKeptReference({ customer, generated, method }: Attempt): string | null {
  if (customer === null) return null;
  if (generated !== null) return toStoredReference({ customer, method: generated, type: 'sepa_debit' });
  // One that cannot be used again is attached to nobody.
  if (!method || method.customer === null) return null;
  return toStoredReference({ customer, method: method.id, type: method.type });
}

export type TokenParams = { confirmation_token: string } | { payment_method: string };

/** By its name a test method that is no card; ids have no word in it. */
const TEST_NAME = /^pm_(?!card_)[A-Za-z]+_/;

/** A debit wants its holder's word, which whoever buys with a test method gives. */
export function toTestMandate(reference: string) {
  const customer_acceptance = { type: 'offline' as const, offline: {} };
  return TEST_NAME.test(reference) ? { mandate_data: { customer_acceptance } } : {};
}

const TOKEN = /^(ctoken|pm)_\w{1,250}$/;

/** Null where it can be no token of Stripe's: it is not asked for. */
export function toTokenParams(reference: string): TokenParams | null {
  const [, kind] = TOKEN.exec(reference) ?? [];
  if (kind === undefined) return null;
  return kind === 'ctoken' ? { confirmation_token: reference } : { payment_method: reference };
}
