/**
 * An account at PayPal that is to be connected: whether its credentials are taken in the store's mode, and may do all
 * that will be asked of them. What is made to try it moves nothing, and is gone by itself after hours.
 */
import { randomUUID } from 'node:crypto';
import type {
  AccountAnswer,
  AskedAccount,
  EndpointState,
  MadeEndpoint,
  MendingEndpoint,
  ProcessorAccounts,
} from '../account.ts';
import type { createPayPalClients, PayPalClient, PayPalOptions } from './client.ts';
import { PayPalFailure } from './failure.ts';
import { EVENT_TYPES } from './notifications.ts';
import { toContext, toText } from './orders.ts';

type OpenClient = ReturnType<typeof createPayPalClients>;

const EVENTS = Object.keys(EVENT_TYPES).map((name) => ({ name }));
const DAY_MS = 86_400_000;
const WEBHOOKS = '/v1/notifications/webhooks';
/** Of no page at all: nobody is sent there. */
const NOWHERE = 'https://example.com/return';

export function openPayPalAccounts(
  openClient: OpenClient,
  { realNowMs }: Pick<PayPalOptions, 'realNowMs'>,
): ProcessorAccounts {
  const open = ({ clientId = '', clientSecret = '' }: AskedAccount['credentials'], testMode: boolean) =>
    openClient({ clientId, clientSecret }, testMode);
  return {
    credentials: ['clientId', 'clientSecret'],
    inspect: ({ credentials, testMode }) =>
      inspect(open(credentials, testMode), { credentials, nowMs: realNowMs() }),
    makeEndpoint: ({ credentials, url, testMode }) => makeEndpoint(open(credentials, testMode), url),
    mendEndpoint: ({ credentials, testMode, ...asked }) => mendEndpoint(open(credentials, testMode), asked),
    removeEndpoint: async ({ credentials, processorId, testMode }) => {
      try {
        const path = `${WEBHOOKS}/${encodeURIComponent(processorId)}`;
        await open(credentials, testMode).ask({ method: 'DELETE', path });
      } catch (error) {
        // It is not there, which is what was asked for.
        if (!(error instanceof PayPalFailure) || error.kind !== 'missing') throw error;
      }
    },
  };
}

async function makeEndpoint(client: PayPalClient, url: string): Promise<MadeEndpoint | null> {
  try {
    const body = { url, event_types: EVENTS };
    const { id } = await client.ask<{ id?: unknown }>({ method: 'POST', path: WEBHOOKS, body });
    const webhookId = toText(id);
    // PayPal signs for the webhook, by its id.
    return webhookId === null ? null : { processorId: webhookId, secret: webhookId };
  } catch (error) {
    // An address that PayPal cannot reach, as on this very machine.
    if (error instanceof PayPalFailure && error.kind === 'refused') return null;
    throw error;
  }
}

async function mendEndpoint(
  client: PayPalClient,
  { processorId, isOurs }: Pick<MendingEndpoint, 'isOurs' | 'processorId'>,
): Promise<EndpointState> {
  const path = `${WEBHOOKS}/${encodeURIComponent(processorId)}`;
  try {
    const found = await client.ask<Webhook>({ method: 'GET', path });
    if (typeof found.url !== 'string' || !isOurs(found.url)) return 'gone';
    const told = new Set(found.event_types?.map(({ name }) => name));
    if (told.has('*') || EVENTS.every(({ name }) => told.has(name))) return 'good';
    const whole = [{ op: 'replace', path: '/event_types', value: EVENTS }];
    await client.ask({ method: 'PATCH', path, body: whole });
    return 'mended';
  } catch (error) {
    if (error instanceof PayPalFailure && error.kind === 'missing') return 'gone';
    throw error;
  }
}

interface Webhook {
  url?: unknown;
  event_types?: ReadonlyArray<{ name?: unknown }>;
}

interface Balances {
  balances?: ReadonlyArray<{ currency?: unknown; primary?: unknown }>;
}

interface User {
  payer_id?: unknown;
  address?: { country?: unknown };
}

async function inspect(
  client: PayPalClient,
  { credentials: { clientId = '' }, nowMs }: { credentials: AskedAccount['credentials']; nowMs: number },
): Promise<AccountAnswer> {
  try {
    const user = await client.ask<User>({
      method: 'GET',
      path: '/v1/identity/oauth2/userinfo?schema=paypalv1.1',
    });
    const lacking = await findLacking(client, nowMs);
    if (lacking.length > 0) return { kind: 'lacking', lacking };
    const { balances = [] } = await client.ask<Balances>({ method: 'GET', path: '/v1/reporting/balances' });
    const main = balances.find(({ primary }) => primary === true) ?? balances[0];
    return {
      kind: 'fit',
      accountId: toText(user.payer_id) ?? clientId,
      country: toText(user.address?.country),
      currency: toText(main?.currency) ?? 'USD',
      keyLast4: clientId.slice(-4),
      details: {},
    };
  } catch (error) {
    if (!(error instanceof PayPalFailure)) throw error;
    if (error.kind === 'locked_out') return { kind: 'refused' };
    return { kind: 'no_answer' };
  }
}

type Probe = (client: PayPalClient, nowMs: number) => Promise<unknown>;

/** Each by the name that PayPal's dashboard has for it. */
const PROBES: ReadonlyArray<[string, Probe]> = [
  [
    'take payments',
    (client) =>
      client.ask({
        method: 'POST',
        path: '/v2/checkout/orders',
        requestId: randomUUID(),
        body: {
          intent: 'CAPTURE',
          purchase_units: [{ amount: { currency_code: 'EUR', value: '10.00' } }],
        },
      }),
  ],
  [
    'use the vault',
    (client) =>
      client.ask({
        method: 'POST',
        path: '/v3/vault/setup-tokens',
        requestId: randomUUID(),
        body: {
          payment_source: {
            paypal: { usage_type: 'MERCHANT', experience_context: toContext(NOWHERE, 'CONTINUE') },
          },
        },
      }),
  ],
  ['read disputes', (client) => client.ask({ method: 'GET', path: '/v1/customer/disputes?page_size=1' })],
  ['read webhooks', (client) => client.ask({ method: 'GET', path: WEBHOOKS })],
  [
    'search transactions',
    (client, nowMs) => {
      const [from, to] = [new Date(nowMs - DAY_MS), new Date(nowMs)].map((date) => date.toISOString());
      const query = `start_date=${from}&end_date=${to}&page_size=1`;
      return client.ask({ method: 'GET', path: `/v1/reporting/transactions?${query}` });
    },
  ],
];

async function findLacking(client: PayPalClient, nowMs: number) {
  const found = await Promise.all(
    PROBES.map(async ([may, probe]) => ((await isAllowed(() => probe(client, nowMs))) ? null : may)),
  );
  return found.flatMap((may) => (may === null ? [] : [{ field: 'clientSecret', message: `may not ${may}` }]));
}

/** Throws what is no answer. */
async function isAllowed(probe: () => Promise<unknown>): Promise<boolean> {
  try {
    await probe();
    return true;
  } catch (error) {
    if (!(error instanceof PayPalFailure)) throw error;
    if (error.kind === 'locked_out') return false;
    if (error.kind === 'refused' || error.kind === 'missing') return true;
    throw error;
  }
}
