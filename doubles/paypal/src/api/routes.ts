/** Every call that the stand-in knows. */
import { matchPath } from '../../../core/match-path.ts';
import type { Verb } from '../verbs/call.ts';
import * as ofCaptures from '../verbs/captures.ts';
import * as ofDisputes from '../verbs/disputes.ts';
import * as ofOrders from '../verbs/orders.ts';
import * as ofReports from '../verbs/reports.ts';
import * as ofVault from '../verbs/vault.ts';
import * as ofWebhooks from '../verbs/webhooks.ts';

const HOUR_MS = 3_600_000;

export interface Route {
  method: string;
  path: string;
  run: Verb;
  /** How long an answer is kept under its `PayPal-Request-Id`. */
  keptMs?: number;
}

// https://developer.paypal.com/api/rest/reference/idempotency/
const ORDERS_MS = 6 * HOUR_MS;
const VAULT_MS = 3 * HOUR_MS;
const PAYMENTS_MS = 45 * 24 * HOUR_MS;

export const ROUTES: readonly Route[] = [
  { method: 'POST', path: '/v2/checkout/orders', run: ofOrders.create, keptMs: ORDERS_MS },
  { method: 'GET', path: '/v2/checkout/orders/*', run: ofOrders.read },
  { method: 'POST', path: '/v2/checkout/orders/*/capture', run: ofOrders.capture, keptMs: ORDERS_MS },
  { method: 'GET', path: '/v2/payments/captures/*', run: ofCaptures.read },
  { method: 'POST', path: '/v2/payments/captures/*/refund', run: ofCaptures.refund, keptMs: PAYMENTS_MS },
  { method: 'GET', path: '/v2/payments/refunds/*', run: ofCaptures.readRefund },
  { method: 'POST', path: '/v3/vault/setup-tokens', run: ofVault.createSetup, keptMs: VAULT_MS },
  { method: 'GET', path: '/v3/vault/setup-tokens/*', run: ofVault.readSetup },
  { method: 'POST', path: '/v3/vault/payment-tokens', run: ofVault.createToken, keptMs: VAULT_MS },
  { method: 'GET', path: '/v3/vault/payment-tokens', run: ofVault.listTokens },
  { method: 'GET', path: '/v3/vault/payment-tokens/*', run: ofVault.readToken },
  { method: 'DELETE', path: '/v3/vault/payment-tokens/*', run: ofVault.removeToken },
  { method: 'GET', path: '/v1/customer/disputes', run: ofDisputes.list },
  { method: 'GET', path: '/v1/customer/disputes/*', run: ofDisputes.read },
  { method: 'POST', path: '/v1/notifications/webhooks', run: ofWebhooks.create },
  { method: 'GET', path: '/v1/notifications/webhooks', run: ofWebhooks.list },
  { method: 'GET', path: '/v1/notifications/webhooks/*', run: ofWebhooks.read },
  { method: 'PATCH', path: '/v1/notifications/webhooks/*', run: ofWebhooks.change },
  { method: 'DELETE', path: '/v1/notifications/webhooks/*', run: ofWebhooks.remove },
  { method: 'POST', path: '/v1/notifications/verify-webhook-signature', run: ofWebhooks.verify },
  { method: 'GET', path: '/v1/notifications/webhooks-events', run: ofWebhooks.listEvents },
  { method: 'GET', path: '/v1/notifications/webhooks-events/*', run: ofWebhooks.readEvent },
  { method: 'POST', path: '/v1/notifications/webhooks-events/*/resend', run: ofWebhooks.resend },
  { method: 'GET', path: '/v1/reporting/transactions', run: ofReports.listTransactions },
  { method: 'GET', path: '/v1/reporting/balances', run: ofReports.readBalances },
  { method: 'GET', path: '/v1/identity/oauth2/userinfo', run: ofReports.readUser },
];

export function findRoute(method: string, path: string): { route: Route; ids: string[] } | null {
  for (const route of ROUTES) {
    if (route.method !== method) continue;
    const ids = matchPath(route.path, path);
    if (ids) return { route, ids };
  }
  return null;
}
