/** Stripe's fields on a page of ours: what they are told, and what the page must be let load. */
import type { FieldsAsk, ProcessorFields } from '../page-fields.ts';
import type { PageSources } from '../registry.ts';
import { toStripeAmount } from './amounts.ts';
import { listTypes } from './methods.ts';

const STRIPE_HOST = 'https://js.stripe.com';
const STRIPE_API = 'https://api.stripe.com';

interface OfPage {
  publishableKey: string;
  scriptUrl: string;
}

export function showStripeFields(
  { amountMinor, currency, keepsMethod, isScarce, isFramed, chosen }: FieldsAsk,
  { publishableKey, scriptUrl }: OfPage,
): ProcessorFields | null {
  const asked = amountMinor === 0n ? null : toStripeAmount({ amountMinor, currency });
  if (asked && asked.kind !== 'amount') return null;
  const isOffered = { isScarce, isFramed, chosen };
  const types = listTypes({ isRecurring: keepsMethod, ...isOffered });
  if (types.length === 0) return null;
  return {
    kind: 'stripe',
    script: scriptUrl,
    publishableKey,
    amount: asked?.amount ?? null,
    currency: currency.toLowerCase(),
    types,
    keptTypes: listTypes({ isRecurring: true, ...isOffered }),
    keepsMethod,
  };
}

/**
 * Stripe's own origins, or those of what stands in their place.
 * Source: docs.stripe.com/security/guide, "Content Security Policy".
 */
export function toPageSources({ scriptUrl, apiUrl }: { scriptUrl: string; apiUrl: string }): PageSources {
  const [script, api] = [new URL(scriptUrl).origin, new URL(apiUrl).origin];
  if (script !== STRIPE_HOST || api !== STRIPE_API)
    return { scripts: [script], frames: [script], connects: [...new Set([api, script])] };
  const scripts = [STRIPE_HOST, 'https://*.js.stripe.com'];
  return { scripts, frames: [...scripts, 'https://hooks.stripe.com'], connects: [STRIPE_API] };
}
