/**
 * An account at Stripe that is to be connected: whether its keys are a pair of the store's mode, and may do all that will
 * be asked of them. What is made to try it is taken away again.
 */
import type Stripe from 'stripe';
import type {
  AccountAnswer,
  AskedAccount,
  DomainState,
  EndpointState,
  MadeEndpoint,
  MendingEndpoint,
  ProcessorAccounts,
} from '../account.ts';
import { createStripeClient, STRIPE_API_VERSION, type StripeClient, type StripeOptions } from './client.ts';
import { StripeFailure } from './failure.ts';
import { EVENT_TYPES } from './notifications.ts';

const SECRET_KEY = /^(?:sk|rk)_(test|live)_\w{1,250}$/;
const PUBLISHABLE_KEY = /^pk_(test|live)_\w{1,250}$/;
/** Above the least of every currency. */
const PROBED_AMOUNT = 20_000;
/** Of no object at all: what may be asked for is not there, what may not is refused before. */
const NOTHING = '000000000000000000000000';

export function openStripeAccounts(options: StripeOptions): ProcessorAccounts {
  return {
    credentials: ['secretKey', 'publishableKey'],
    inspect: (asked) => inspect(asked, options),
    makeEndpoint: ({ credentials, url }) => makeEndpoint(open(credentials, options), url),
    mendEndpoint: ({ credentials, ...asked }) => mendEndpoint(open(credentials, options), asked),
    registerDomain: ({ credentials, host }) => registerDomain(open(credentials, options), host),
    removeEndpoint: async ({ credentials, processorId }) => {
      try {
        await open(credentials, options).ask((sdk, how) => sdk.webhookEndpoints.del(processorId, how));
      } catch (error) {
        // It is not there, which is what was asked for.
        if (!(error instanceof StripeFailure) || error.kind !== 'missing') throw error;
      }
    },
  };
}

const EVENTS = Object.keys(EVENT_TYPES) as Stripe.WebhookEndpointCreateParams.EnabledEvent[];

async function makeEndpoint(client: StripeClient, url: string): Promise<MadeEndpoint | null> {
  const asked = { url, enabled_events: EVENTS, api_version: STRIPE_API_VERSION } as const;
  try {
    const { id, secret } = await client.ask((sdk, how) => sdk.webhookEndpoints.create(asked, how));
    return secret === undefined ? null : { processorId: id, secret };
  } catch (error) {
    // An address that Stripe cannot reach, as on this very machine.
    if (error instanceof StripeFailure && error.kind === 'refused' && error.facts.param === 'url')
      return null;
    throw error;
  }
}

async function mendEndpoint(
  client: StripeClient,
  { processorId, isOurs }: Omit<MendingEndpoint, 'credentials'>,
): Promise<EndpointState> {
  try {
    const found = await client.ask((sdk, how) => sdk.webhookEndpoints.retrieve(processorId, {}, how));
    // The version of one that stands cannot be changed.
    if (!isOurs(found.url) || found.api_version !== STRIPE_API_VERSION) return 'gone';
    const told = new Set(found.enabled_events);
    if (found.status === 'enabled' && (told.has('*') || EVENTS.every((type) => told.has(type))))
      return 'good';
    const whole = { disabled: false, enabled_events: EVENTS };
    await client.ask((sdk, how) => sdk.webhookEndpoints.update(processorId, whole, how));
    return 'mended';
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'missing') return 'gone';
    throw error;
  }
}

/** The same host again is the same domain. */
async function registerDomain(client: StripeClient, host: string): Promise<DomainState> {
  try {
    const named = await client.ask((sdk, how) =>
      sdk.paymentMethodDomains.create({ domain_name: host, enabled: true }, how),
    );
    if (isWholeDomain(named)) return 'active';
    // What hindered it may be mended by now.
    const again = await client.ask((sdk, how) => sdk.paymentMethodDomains.validate(named.id, {}, how));
    return isWholeDomain(again) ? 'active' : 'inactive';
  } catch (error) {
    if (error instanceof StripeFailure && error.kind === 'refused') return 'refused';
    throw error;
  }
}

const isWholeDomain = ({ enabled, apple_pay, google_pay, link }: Stripe.PaymentMethodDomain): boolean =>
  enabled && [apple_pay, google_pay, link].every(({ status }) => status === 'active');

function open({ secretKey = '' }: AskedAccount['credentials'], options: StripeOptions): StripeClient {
  return createStripeClient(secretKey, options);
}

async function inspect(
  { credentials, testMode }: AskedAccount,
  options: StripeOptions,
): Promise<AccountAnswer> {
  const { secretKey = '', publishableKey = '' } = credentials;
  const mode = testMode ? 'test' : 'live';
  const wrong = [
    ...(SECRET_KEY.exec(secretKey)?.[1] === mode ? [] : ['secretKey']),
    ...(PUBLISHABLE_KEY.exec(publishableKey)?.[1] === mode ? [] : ['publishableKey']),
  ];
  if (wrong.length > 0) return { kind: 'wrong_mode', fields: wrong };
  const client = open(credentials, options);
  try {
    const account = await readAccount(client);
    const currency = account?.default_currency ?? 'eur';
    const lacking = await findLacking(client, { publishableKey, currency, options });
    if (!account) return { kind: 'lacking', lacking: [NO_ACCOUNT, ...lacking] };
    if (lacking.length > 0) return { kind: 'lacking', lacking };
    return {
      kind: 'fit',
      accountId: account.id,
      country: account.country ?? null,
      currency: currency.toUpperCase(),
      keyLast4: secretKey.slice(-4),
      details: { statementPrefix: account.settings?.card_payments?.statement_descriptor_prefix ?? null },
    };
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    return { kind: error.facts.status === 401 ? 'refused' : 'no_answer' };
  }
}

const NO_ACCOUNT: Lack = { field: 'secretKey', message: 'may not read Account' };

/** Null where the key may not: what else it lacks is told with that. */
async function readAccount(client: StripeClient): Promise<Stripe.Account | null> {
  try {
    return await client.ask((sdk, how) => sdk.accounts.retrieveCurrent({}, how));
  } catch (error) {
    if (error instanceof StripeFailure && error.facts.status === 403) return null;
    throw error;
  }
}

interface Probing {
  publishableKey: string;
  currency: string;
  options: StripeOptions;
}

type Probe = (sdk: Stripe, how: Stripe.RequestOptions) => Promise<unknown>;

/** Each by the name that Stripe's dashboard has for it. */
const READS: ReadonlyArray<[string, Probe]> = [
  ['read Charges', (sdk, how) => sdk.charges.list({ limit: 1 }, how)],
  ['read Refunds', (sdk, how) => sdk.refunds.list({ limit: 1 }, how)],
  ['write Refunds', (sdk, how) => sdk.refunds.create({ payment_intent: `pi_${NOTHING}` }, how)],
  ['write PaymentMethods', (sdk, how) => sdk.paymentMethods.detach(`pm_${NOTHING}`, {}, how)],
  ['read Disputes', (sdk, how) => sdk.disputes.list({ limit: 1 }, how)],
  ['read Events', (sdk, how) => sdk.events.list({ limit: 1 }, how)],
  ['read Balance', (sdk, how) => sdk.balance.retrieve({}, how)],
  ['read Balance Transaction Sources', (sdk, how) => sdk.balanceTransactions.list({ limit: 1 }, how)],
  ['read Payouts', (sdk, how) => sdk.payouts.list({ limit: 1 }, how)],
  [
    'read Payment Method Configurations',
    (sdk, how) => sdk.paymentMethodConfigurations.list({ limit: 1 }, how),
  ],
  ['read Payment Method Domains', (sdk, how) => sdk.paymentMethodDomains.list({ limit: 1 }, how)],
  [
    'write Payment Method Domains',
    (sdk, how) => sdk.paymentMethodDomains.validate(`pmd_${NOTHING}`, {}, how),
  ],
  ['read Confirmation Tokens', (sdk, how) => sdk.confirmationTokens.retrieve(`ctoken_${NOTHING}`, {}, how)],
  ['read Mandates', (sdk, how) => sdk.mandates.retrieve(`mandate_${NOTHING}`, {}, how)],
  ['read Early fraud warnings', (sdk, how) => sdk.radar.earlyFraudWarnings.list({ limit: 1 }, how)],
  ['read Webhook Endpoints', (sdk, how) => sdk.webhookEndpoints.list({ limit: 1 }, how)],
  ['write Webhook Endpoints', (sdk, how) => sdk.webhookEndpoints.del(`we_${NOTHING}`, how)],
];

async function findLacking(client: StripeClient, probing: Probing) {
  const reads = READS.map(async ([may, probe]) => ((await isAllowed(client, probe)) ? null : may));
  const writes = [probePayment(client, probing), probeSetup(client), probeCustomer(client)];
  const found = (await Promise.all([...reads, ...writes])).filter((one) => one !== null);
  return found.map((one) =>
    typeof one === 'string' ? { field: 'secretKey', message: `may not ${one}` } : one,
  );
}

/** What is not there may be asked for. Throws what is no answer. */
async function isAllowed(client: StripeClient, probe: Probe): Promise<boolean> {
  try {
    await client.ask(probe);
    return true;
  } catch (error) {
    if (!(error instanceof StripeFailure)) throw error;
    if (error.facts.status === 403) return false;
    if (error.kind === 'missing' || error.kind === 'refused') return true;
    throw error;
  }
}

interface Lack {
  field: string;
  message: string;
}

/** The two keys are of one account where one of them sees what the other made. */
async function probePayment(
  client: StripeClient,
  { publishableKey, currency, options }: Probing,
): Promise<string | Lack | null> {
  let isPair = true;
  const isWritable = await isAllowed(client, async (sdk, how) => {
    const { id, client_secret } = await sdk.paymentIntents.create({ amount: PROBED_AMOUNT, currency }, how);
    try {
      const page = createStripeClient(publishableKey, options);
      isPair = await isReadable(page, { id, clientSecret: client_secret ?? '' });
    } finally {
      await sdk.paymentIntents.cancel(id, {}, {});
    }
  });
  if (!isWritable) return 'write PaymentIntents';
  return isPair ? null : { field: 'publishableKey', message: 'is of another account than the secret key' };
}

async function isReadable(
  page: StripeClient,
  { id, clientSecret }: { id: string; clientSecret: string },
): Promise<boolean> {
  try {
    await page.ask((sdk, how) => sdk.paymentIntents.retrieve(id, { client_secret: clientSecret }, how));
    return true;
  } catch (error) {
    if (error instanceof StripeFailure && ['locked_out', 'missing', 'refused'].includes(error.kind))
      return false;
    throw error;
  }
}

async function probeSetup(client: StripeClient): Promise<string | null> {
  const isWritable = await isAllowed(client, async (sdk, how) => {
    const { id } = await sdk.setupIntents.create({}, how);
    await sdk.setupIntents.cancel(id, {}, {});
  });
  return isWritable ? null : 'write SetupIntents';
}

async function probeCustomer(client: StripeClient): Promise<string | null> {
  const isWritable = await isAllowed(client, async (sdk, how) => {
    const { id } = await sdk.customers.create({}, how);
    await sdk.customers.del(id, {}, {});
  });
  return isWritable ? null : 'write Customers';
}
