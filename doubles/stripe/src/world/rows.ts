/** The rows of the store: Stripe's objects, each with what Stripe does not show of it. */
import type Stripe from 'stripe';
import type { World } from '../../../core/world.ts';
import { isMissing } from '../api/errors.ts';

/** The objects that the stand-in keeps, by the table that they lie in. */
export interface Kinds {
  balance_transaction: Stripe.BalanceTransaction;
  charge: Stripe.Charge;
  confirmation_token: Stripe.ConfirmationToken;
  customer: Stripe.Customer;
  dispute: Stripe.Dispute;
  early_fraud_warning: Stripe.Radar.EarlyFraudWarning;
  event: Stripe.Event;
  mandate: Stripe.Mandate;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payment_method_configuration: Stripe.PaymentMethodConfiguration;
  payment_method_domain: Stripe.PaymentMethodDomain;
  payout: Stripe.Payout;
  refund: Stripe.Refund;
  setup_intent: Stripe.SetupIntent;
  webhook_endpoint: Stripe.WebhookEndpoint;
}

export type Kind = keyof Kinds;

export interface Row<T> {
  account: string;
  order: number;
  changedMs: number;
  data: T;
  /** What its verbs remember and nobody is shown. */
  hidden: Hidden;
}

export interface Hidden {
  /** Of a method: the test method that it is, by its key in the tables of `methods`. */
  test?: string;
  isUsed?: boolean;
  isSetUp?: boolean;
  isDetached?: boolean;
  mandate?: string;
  /** Of an intent: how its confirmation was asked for, until it ends. */
  isOffSession?: boolean;
  returnUrl?: string | null;
  method?: string;
  /** Of a token: whose payment method it carries. */
  paymentMethod?: string;
  take?: { amount?: number; currency?: string };
  secret?: string;
  feeMinor?: number;
}

export interface Account {
  id: string;
  country: string;
  currency: string;
  isLive: boolean;
  secretKey: string;
  publishableKey: string;
  isClosed: boolean;
  /** What each restricted key may: `payment_intents:write`. */
  restrictedKeys: Record<string, string[]>;
  created: number;
  configuration: string;
}

/** How Stripe names an object in its messages. */
export const NAMES: Readonly<Record<Kind, string>> = {
  balance_transaction: 'balance transaction',
  charge: 'charge',
  confirmation_token: 'confirmation_token',
  customer: 'customer',
  dispute: 'dispute',
  early_fraud_warning: 'early fraud warning',
  event: 'event',
  mandate: 'mandate',
  payment_intent: 'payment_intent',
  payment_method: 'PaymentMethod',
  payment_method_configuration: 'payment_method_configuration',
  payment_method_domain: 'payment_method_domain',
  payout: 'payout',
  refund: 'refund',
  setup_intent: 'setupintent',
  webhook_endpoint: 'webhook endpoint',
};

export const PREFIXES: Readonly<Record<string, Kind>> = {
  ch: 'charge',
  ctoken: 'confirmation_token',
  cus: 'customer',
  du: 'dispute',
  evt: 'event',
  issfr: 'early_fraud_warning',
  mandate: 'mandate',
  pi: 'payment_intent',
  pm: 'payment_method',
  pmc: 'payment_method_configuration',
  pmd: 'payment_method_domain',
  po: 'payout',
  py: 'charge',
  pyr: 'refund',
  re: 'refund',
  seti: 'setup_intent',
  txn: 'balance_transaction',
  we: 'webhook_endpoint',
};

export function toKind(id: string): Kind | null {
  return PREFIXES[id.slice(0, id.indexOf('_'))] ?? null;
}

export function insert<K extends Kind>(
  world: World,
  kind: K,
  account: Account,
  data: Kinds[K],
  hidden: Hidden = {},
): Row<Kinds[K]> {
  const row = { account: account.id, order: world.count('rows'), changedMs: world.nowMs, data, hidden };
  return world.store.put(kind, (data as { id: string }).id, row);
}

/** Marks a row as changed. */
export function save<K extends Kind>(world: World, kind: K, row: Row<Kinds[K]>): void {
  row.changedMs = world.nowMs;
  world.store.put(kind, (row.data as { id: string }).id, row);
}

export function look<K extends Kind>(
  world: World,
  kind: K,
  account: Account,
  id: string,
): Row<Kinds[K]> | null {
  const row = world.store.get<Row<Kinds[K]>>(kind, id);
  return row && row.account === account.id ? row : null;
}

/** The row, or Stripe's 404; `param` names where the id was given, if not in the path. */
export function find<K extends Kind>(
  world: World,
  kind: K,
  account: Account,
  id: string,
  param = 'id',
): Row<Kinds[K]> {
  const row = look(world, kind, account, id);
  if (!row)
    throw isMissing(NAMES[kind], id, param, isInOtherMode(world, kind, account, id) ? account.isLive : null);
  return row;
}

/** The account's rows, newest first. */
export function listRows<K extends Kind>(world: World, kind: K, account: Account): Row<Kinds[K]>[] {
  return world.store
    .list<Row<Kinds[K]>>(kind)
    .filter((row) => row.account === account.id)
    .reverse();
}

export function accountOf(world: World, row: { account: string }): Account {
  const account = world.store.get<Account>('account', row.account);
  if (!account) throw new Error(`There is no account ${row.account}`);
  return account;
}

function isInOtherMode(world: World, kind: Kind, account: Account, id: string): boolean {
  const row = world.store.get<Row<unknown>>(kind, id);
  return row !== undefined && accountOf(world, row).isLive !== account.isLive;
}
