/** The rows of the store: PayPal's objects, each with what PayPal does not show of it. */
import type { World } from '../../../core/world.ts';
import { isMissing } from '../api/errors.ts';
import type { Money } from './money.ts';

export interface Link {
  href: string;
  rel: string;
  method: string;
}

export interface Payer {
  email_address: string;
  payer_id: string;
  name: { given_name: string; surname: string };
  address: { country_code: string };
}

export interface Unit {
  reference_id: string;
  amount: Money;
  payee: { email_address: string; merchant_id: string };
  description?: string;
  custom_id?: string;
  invoice_id?: string;
  soft_descriptor?: string;
  payments?: { captures: Capture[]; refunds?: Refund[] };
}

export interface Order {
  id: string;
  intent: 'CAPTURE';
  status: 'APPROVED' | 'COMPLETED' | 'CREATED' | 'PAYER_ACTION_REQUIRED';
  payment_source?: { paypal: Record<string, unknown> };
  purchase_units: Unit[];
  payer?: Payer;
  create_time: string;
  update_time?: string;
  links: Link[];
}

export interface Capture {
  id: string;
  status: 'COMPLETED' | 'DECLINED' | 'FAILED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED';
  status_details?: { reason: string };
  amount: Money;
  final_capture: boolean;
  custom_id?: string;
  invoice_id?: string;
  seller_protection: { status: string; dispute_categories?: string[] };
  seller_receivable_breakdown?: {
    gross_amount: Money;
    paypal_fee: Money;
    net_amount: Money;
    receivable_amount?: Money;
    exchange_rate?: { source_currency: string; target_currency: string; value: string };
  };
  create_time: string;
  update_time: string;
  links: Link[];
}

export interface Refund {
  id: string;
  status: 'CANCELLED' | 'COMPLETED' | 'FAILED' | 'PENDING';
  status_details?: { reason: string };
  amount: Money;
  custom_id?: string;
  invoice_id?: string;
  note_to_payer?: string;
  seller_payable_breakdown: {
    gross_amount: Money;
    paypal_fee: Money;
    net_amount: Money;
    total_refunded_amount: Money;
  };
  create_time: string;
  update_time: string;
  links: Link[];
}

export interface SetupToken {
  id: string;
  customer: { id: string };
  status: 'APPROVED' | 'PAYER_ACTION_REQUIRED' | 'VAULTED';
  payment_source: { paypal: Record<string, unknown> };
  links: Link[];
}

export interface PaymentToken {
  id: string;
  customer: { id: string };
  payment_source: { paypal: Record<string, unknown> };
  links: Link[];
}

export interface Dispute {
  dispute_id: string;
  create_time: string;
  update_time: string;
  disputed_transactions: {
    seller_transaction_id: string;
    create_time: string;
    transaction_status: string;
    gross_amount: Money;
    custom?: string;
    invoice_number?: string;
    buyer: { name: string };
    seller: { merchant_id: string; name: string };
  }[];
  reason: string;
  status: 'OPEN' | 'RESOLVED' | 'UNDER_REVIEW' | 'WAITING_FOR_SELLER_RESPONSE';
  dispute_amount: Money;
  dispute_life_cycle_stage: 'CHARGEBACK' | 'INQUIRY';
  dispute_channel: 'INTERNAL';
  dispute_outcome?: { outcome_code: string; amount_refunded?: Money };
  seller_response_due_date?: string;
  links: Link[];
}

export interface Webhook {
  id: string;
  url: string;
  event_types: { name: string; description?: string }[];
  links: Link[];
}

export interface WebhookEvent {
  id: string;
  event_version: '1.0';
  create_time: string;
  resource_type: string;
  resource_version: string;
  event_type: string;
  summary: string;
  resource: unknown;
  links: Link[];
}

/** What moves the balance: reporting shows it three hours later. */
export interface Movement {
  id: string;
  code: string;
  atMs: number;
  status: 'D' | 'P' | 'S' | 'V';
  currency: string;
  amountMinor: number;
  feeMinor: number;
  reference: string | null;
  custom: string | null;
  invoice: string | null;
}

export interface Kinds {
  capture: Capture;
  dispute: Dispute;
  event: WebhookEvent;
  movement: Movement;
  order: Order;
  payment_token: PaymentToken;
  refund: Refund;
  setup_token: SetupToken;
  webhook: Webhook;
}

export type Kind = keyof Kinds;

/** Where the payer's money comes from, as the approval page was told. */
export type Funding = 'balance' | 'bank' | 'declined' | 'review';

export interface Hidden {
  createdMs: number;
  returnUrl?: string;
  cancelUrl?: string;
  /** The payment token is to be made when the order is paid. */
  isVaulted?: boolean;
  customer?: string;
  funding?: Funding;
  order?: string;
  capture?: string;
  refundedMinor?: number;
  /** The merchant's balance is too low: what is given back is taken from their bank first. */
  doRefundsWait?: boolean;
  /** Taken back by PayPal itself. */
  reversedMinor?: number;
  /** Of a dispute, until it is decided. */
  withheldMinor?: number;
  /** Of a kept payer: the next payment asks for the payer. */
  mustAuthenticate?: boolean;
  isGone?: boolean;
}

export interface Row<T> {
  id: string;
  account: string;
  order: number;
  data: T;
  hidden: Hidden;
}

export interface Account {
  /** The merchant's id. */
  id: string;
  clientId: string;
  clientSecret: string;
  country: string;
  currency: string;
  isLive: boolean;
  isClosed: boolean;
}

/** Seventeen capitals and digits, as PayPal's. */
export function toId(world: World, length = 17): string {
  return world
    .id('x')
    .slice(2, 2 + length)
    .toUpperCase();
}

export function insert<K extends Kind>(
  world: World,
  kind: K,
  account: Account,
  id: string,
  data: Kinds[K],
  hidden: Omit<Hidden, 'createdMs'> = {},
): Row<Kinds[K]> {
  const order = world.count('rows');
  const row = { id, account: account.id, order, data, hidden: { createdMs: world.nowMs, ...hidden } };
  return world.store.put(kind, id, row);
}

export function save<K extends Kind>(world: World, kind: K, row: Row<Kinds[K]>): void {
  world.store.put(kind, row.id, row);
}

export function look<K extends Kind>(
  world: World,
  kind: K,
  account: Account,
  id: string,
): Row<Kinds[K]> | null {
  const row = world.store.get<Row<Kinds[K]>>(kind, id);
  return row && row.account === account.id && !row.hidden.isGone ? row : null;
}

export function find<K extends Kind>(world: World, kind: K, account: Account, id: string): Row<Kinds[K]> {
  const row = look(world, kind, account, id);
  if (!row) throw isMissing();
  return row;
}

/** The account's rows, newest first. */
export function listRows<K extends Kind>(world: World, kind: K, account: Account): Row<Kinds[K]>[] {
  return world.store
    .list<Row<Kinds[K]>>(kind)
    .filter((row) => row.account === account.id && !row.hidden.isGone)
    .reverse();
}

export function accountOf(world: World, row: { account: string }): Account {
  const account = world.store.get<Account>('account', row.account);
  if (!account) throw new Error(`no account ${row.account}`);
  return account;
}

/** 2026-11-02T10:00:00Z */
export function toTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function toLink(world: World, path: string, rel: string, method = 'GET'): Link {
  return { href: `${world.publicUrl}${path}`, rel, method };
}
