/**
 * Orders: one per charge, which takes money once at most. Made without a payer's word they move nothing.
 * https://developer.paypal.com/docs/api/orders/v2/
 */
import type { ChargeRequest } from '../payment-provider.ts';
import { fromPayPalMoney, type Money, toPayPalMoney } from './amounts.ts';
import type { PayPalClient } from './client.ts';
import { PayPalFailure } from './failure.ts';
import { readReference, writeReference } from './reference.ts';

/** What is read of an order; PayPal may say more, and other words. */
export interface Order {
  id: string;
  status: string;
  /** Where its payer says yes; null once nobody is asked. */
  payerUrl: string | null;
  capture: Capture | null;
  /** What was given back of it, whoever asked for it; as PayPal writes it. */
  refunds: readonly RawRefund[];
  /** What its charge was told of when it was made; empty where it is none of ours. */
  metadata: Readonly<Record<string, string>>;
  /** Whom to charge again; null where nobody was kept. */
  vaultId: string | null;
  payerCountry: string | null;
}

export interface Capture {
  id: string;
  status: string;
  taken: Money | null;
  feeMinor: bigint | null;
  /** Its money was taken back by PayPal itself. */
  isReversed: boolean;
}

export interface RawRefund {
  id?: unknown;
  status?: unknown;
  status_details?: { reason?: unknown };
  custom_id?: unknown;
  amount?: unknown;
  links?: ReadonlyArray<{ rel?: unknown; href?: unknown }>;
}

interface RawOrder {
  id?: unknown;
  status?: unknown;
  links?: ReadonlyArray<{ rel?: unknown; href?: unknown }>;
  payer?: { address?: { country_code?: unknown } };
  payment_source?: { paypal?: { attributes?: { vault?: { id?: unknown } } } };
  purchase_units?: ReadonlyArray<{
    reference_id?: unknown;
    custom_id?: unknown;
    payments?: { captures?: readonly RawCapture[]; refunds?: readonly RawRefund[] };
  }>;
}

interface RawCapture {
  id?: unknown;
  status?: unknown;
  status_details?: { reason?: unknown };
  amount?: unknown;
  seller_receivable_breakdown?: { paypal_fee?: unknown };
}

/** Null = it is another account's, or so old that it is gone. */
export async function readOrder(client: PayPalClient, id: string): Promise<Order | null> {
  try {
    return toOrder(await client.ask<RawOrder>({ method: 'GET', path: toPath(id) }));
  } catch (error) {
    if (error instanceof PayPalFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/** Null = it is another account's, or of no order. */
export async function findOrderOfCapture(client: PayPalClient, captureId: string): Promise<string | null> {
  try {
    const path = `/v2/payments/captures/${encodeURIComponent(captureId)}`;
    const { supplementary_data } = await client.ask<{
      supplementary_data?: { related_ids?: { order_id?: unknown } };
    }>({ method: 'GET', path });
    return toText(supplementary_data?.related_ids?.order_id);
  } catch (error) {
    if (error instanceof PayPalFailure && error.kind === 'missing') return null;
    throw error;
  }
}

/** The same charge again names the same order. Null = PayPal takes no such amount. */
export async function createOrder(client: PayPalClient, request: ChargeRequest): Promise<string | null> {
  const { chargeId, amountMinor, currency, method, facts, sendByRealMs } = request;
  const amount = toPayPalMoney({ amountMinor, currency });
  if (!amount) return null;
  const unit = {
    reference_id: writeReference(facts?.metadata ?? {}),
    amount,
    custom_id: chargeId,
    invoice_id: chargeId,
    ...(facts ? { description: facts.orderNumber } : {}),
  };
  const isAsking = method.kind === 'redirect';
  const order = await client.ask<RawOrder>({
    method: 'POST',
    path: '/v2/checkout/orders',
    requestId: `${chargeId}:p`,
    sendByRealMs,
    body: {
      intent: 'CAPTURE',
      purchase_units: [unit],
      ...(isAsking ? { payment_source: { paypal: toPayer(request) } } : {}),
    },
  });
  return toOrder(order).id;
}

function toPayer({ facts }: ChargeRequest): object {
  return {
    experience_context: toContext(facts?.returnUrl ?? '', 'PAY_NOW'),
    ...(facts?.keepsMethod ? { attributes: { vault: VAULT } } : {}),
  };
}

const VAULT = { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT', customer_type: 'CONSUMER' };

/** The buyer comes back to the same place with either answer: what it was is asked of PayPal. */
export function toContext(returnUrl: string, action: 'CONTINUE' | 'PAY_NOW'): object {
  return {
    return_url: returnUrl,
    cancel_url: returnUrl,
    user_action: action,
    shipping_preference: 'NO_SHIPPING',
  };
}

/** Takes the money of an approved order, or of the payer who was kept. Throws PayPalFailure with its issue. */
export async function captureOrder(
  client: PayPalClient,
  {
    id,
    chargeId,
    vaultId,
    sendByRealMs,
  }: { id: string; chargeId: string; vaultId: string | null; sendByRealMs: number },
): Promise<Order> {
  const stored = {
    paypal: {
      vault_id: vaultId,
      stored_credential: { payment_initiator: 'MERCHANT', usage: 'SUBSEQUENT', usage_pattern: 'IMMEDIATE' },
    },
  };
  const order = await client.ask<RawOrder>({
    method: 'POST',
    path: `${toPath(id)}/capture`,
    requestId: `${chargeId}:c`,
    sendByRealMs,
    body: vaultId === null ? {} : { payment_source: stored },
  });
  return toOrder(order);
}

function toPath(id: string): string {
  return `/v2/checkout/orders/${encodeURIComponent(id)}`;
}

function toOrder(raw: RawOrder): Order {
  const { id, status, links, payer, payment_source, purchase_units } = raw;
  if (typeof id !== 'string' || typeof status !== 'string')
    throw new PayPalFailure({ status: null, issue: null, debugId: null });
  const link = links?.find(({ rel }) => rel === 'payer-action' || rel === 'approve')?.href;
  const unit = purchase_units?.[0];
  const [capture] = unit?.payments?.captures ?? [];
  const country = payer?.address?.country_code;
  return {
    id,
    status,
    payerUrl: typeof link === 'string' ? link : null,
    capture: capture ? toCapture(capture) : null,
    refunds: unit?.payments?.refunds ?? [],
    metadata: readReference(toText(unit?.reference_id), toText(unit?.custom_id)),
    vaultId: toText(payment_source?.paypal?.attributes?.vault?.id),
    payerCountry: typeof country === 'string' && /^[A-Z]{2}$/.test(country) ? country : null,
  };
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function toCapture({ id, status, status_details, amount, seller_receivable_breakdown }: RawCapture): Capture {
  return {
    id: String(id),
    status: String(status),
    taken: fromPayPalMoney(amount),
    feeMinor: fromPayPalMoney(seller_receivable_breakdown?.paypal_fee)?.amountMinor ?? null,
    isReversed: status_details?.reason === 'CHARGEBACK',
  };
}
