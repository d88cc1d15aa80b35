/**
 * Payers who are kept. A setup token is what a charge of 0 is there: approved by the payer it becomes a payment token,
 * which is charged later. https://developer.paypal.com/docs/api/payment-tokens/v3/
 */
import type { DetachOutcome, MethodAsk, MethodOutcome } from '../method-outcome.ts';
import type { ChargeRequest, CustomerOutcome } from '../payment-provider.ts';
import type { PayPalClient } from './client.ts';
import { PAYPAL_METHOD } from './declines.ts';
import { PayPalFailure } from './failure.ts';
import { toContext, toText } from './orders.ts';

export const SETUP = 'setup_';
const TOKEN = /^paypal_([\w-]{1,250})$/;

export interface SetupToken {
  status: string;
  payerUrl: string | null;
}

interface RawToken {
  id?: unknown;
  status?: unknown;
  links?: ReadonlyArray<{ rel?: unknown; href?: unknown }>;
}

/** How a kept payer is named in our rows. */
export function toReference(vaultId: string): string {
  return `paypal_${vaultId}`;
}

/** Null = it is none of PayPal's. */
export function parseReference(reference: string): string | null {
  return TOKEN.exec(reference)?.[1] ?? null;
}

export async function createSetup(client: PayPalClient, request: ChargeRequest): Promise<string> {
  const { chargeId, facts, sendByRealMs } = request;
  const { id } = await client.ask<RawToken>({
    method: 'POST',
    path: '/v3/vault/setup-tokens',
    requestId: `${chargeId}:s`,
    sendByRealMs,
    body: {
      payment_source: {
        paypal: {
          usage_type: 'MERCHANT',
          customer_type: 'CONSUMER',
          experience_context: toContext(facts?.returnUrl ?? '', 'CONTINUE'),
        },
      },
    },
  });
  return `${SETUP}${readId(id)}`;
}

/** Null = it is another account's, or gone. */
export async function readSetup(client: PayPalClient, setupId: string): Promise<SetupToken | null> {
  try {
    const path = `/v3/vault/setup-tokens/${encodeURIComponent(setupId.slice(SETUP.length))}`;
    const { status, links } = await client.ask<RawToken>({ method: 'GET', path });
    const link = links?.find(({ rel }) => rel === 'approve')?.href;
    return { status: String(status), payerUrl: typeof link === 'string' ? link : null };
  } catch (error) {
    const isGone = error instanceof PayPalFailure && ['missing', 'refused'].includes(error.kind);
    if (isGone) return null;
    throw error;
  }
}

/** The same charge again answers the same payment token, for three hours. */
export async function keepPayer(
  client: PayPalClient,
  { setupId, chargeId, sendByRealMs }: { setupId: string; chargeId: string; sendByRealMs: number },
): Promise<string> {
  const { id } = await client.ask<RawToken>({
    method: 'POST',
    path: '/v3/vault/payment-tokens',
    requestId: `${chargeId}:t`,
    sendByRealMs,
    body: { payment_source: { token: { id: setupId.slice(SETUP.length), type: 'SETUP_TOKEN' } } },
  });
  return toReference(readId(id));
}

/** A payer who took the agreement back is gone there; one who is kept has neither a number nor a last day. */
export async function describePayer(client: PayPalClient, { reference }: MethodAsk): Promise<MethodOutcome> {
  const vaultId = parseReference(reference);
  if (vaultId === null) return { kind: 'ended' };
  try {
    const path = `/v3/vault/payment-tokens/${encodeURIComponent(vaultId)}`;
    readId((await client.ask<RawToken>({ method: 'GET', path })).id);
    return { kind: 'usable', details: PAYPAL_METHOD, expiry: null, fingerprint: null };
  } catch (error) {
    if (error instanceof PayPalFailure && error.kind === 'missing') return { kind: 'ended' };
    throw error;
  }
}

/** The agreement ends there too; one that is gone already is no matter. */
export async function detachPayer(client: PayPalClient, reference: string): Promise<DetachOutcome> {
  const vaultId = parseReference(reference);
  if (vaultId === null) return { kind: 'detached' };
  try {
    await client.ask({ method: 'DELETE', path: `/v3/vault/payment-tokens/${encodeURIComponent(vaultId)}` });
  } catch (error) {
    if (!(error instanceof PayPalFailure) || error.kind !== 'missing') throw error;
  }
  return { kind: 'detached' };
}

/** The payer that PayPal keeps under this name of a customer. */
export async function findPayPalCustomer(client: PayPalClient, customerId: string): Promise<CustomerOutcome> {
  try {
    const path = `/v3/vault/payment-tokens?customer_id=${encodeURIComponent(customerId)}`;
    const { payment_tokens = [] } = await client.ask<{ payment_tokens?: readonly RawToken[] }>({
      ...{ method: 'GET', path },
    });
    const [newest] = payment_tokens;
    if (!newest) return { kind: 'unknown' };
    const reference = toReference(readId(newest.id));
    return { kind: 'found', method: { reference, details: PAYPAL_METHOD, expiry: null } };
  } catch (error) {
    const isUnknown = error instanceof PayPalFailure && ['missing', 'refused'].includes(error.kind);
    if (isUnknown) return { kind: 'unknown' };
    throw error;
  }
}

function readId(id: unknown): string {
  const text = toText(id);
  if (text === null) throw new PayPalFailure({ status: null, issue: null, debugId: null });
  return text;
}
