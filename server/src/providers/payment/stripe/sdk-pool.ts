/**
 * Clients of Stripe's SDK that are used again. To make one is to make an object for each of its 150 resources, and a purchase
 * asks four or five times. A client is lent to one call at a time, so that it is known whose requests it sends.
 */
import type Stripe from 'stripe';

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>;
/** One request, as Node's own client of the SDK makes it. */
export type SendRequest = HttpClient['makeRequest'];
/** What a call makes of each of its requests. */
export type OnRequest = (send: SendRequest, request: Parameters<SendRequest>) => ReturnType<SendRequest>;

export interface SdkOptions {
  /** Where the API is: its origin alone counts. */
  apiUrl: string;
  apiVersion: string;
  timeoutMs: number;
}

export interface SdkPool {
  /** Lends a client of a key for as long as `work` takes. */
  lend<T>(secretKey: string, onRequest: OnRequest, work: (sdk: Stripe) => Promise<T>): Promise<T>;
}

interface Client {
  sdk: Stripe;
  /** Of the call that has it. */
  onRequest: OnRequest;
}

/** Calls over one account that are seldom more at once. */
const IDLE_MAX = 16;
/** Keys whose clients are kept: those that were used last. */
const KEYS_MAX = 64;

/** The SDK is loaded when a client is lent first. */
export function createSdkPool(options: SdkOptions): SdkPool {
  const idleOf = new Map<string, Client[]>();
  function giveBack(secretKey: string, client: Client): void {
    const idle = idleOf.get(secretKey) ?? [];
    if (idle.length < IDLE_MAX) idle.push(client);
    // Behind all others.
    idleOf.delete(secretKey);
    idleOf.set(secretKey, idle);
    const [oldest] = idleOf.keys();
    if (oldest !== undefined && idleOf.size > KEYS_MAX) idleOf.delete(oldest);
  }
  return {
    async lend(secretKey, onRequest, work) {
      const client = idleOf.get(secretKey)?.pop() ?? (await openSdk(secretKey, options));
      client.onRequest = onRequest;
      try {
        return await work(client.sdk);
      } finally {
        giveBack(secretKey, client);
      }
    },
  };
}

async function openSdk(secretKey: string, { apiUrl, apiVersion, timeoutMs }: SdkOptions): Promise<Client> {
  const { default: Sdk } = await import('stripe');
  const { protocol, hostname, port } = new URL(apiUrl);
  const plain = Sdk.createNodeHttpClient();
  const send: SendRequest = (...request) => plain.makeRequest(...request);
  const client = { onRequest: (_send, _request) => Promise.reject(new Error('nobody has it')) } as Client;
  const httpClient: HttpClient = {
    getClientName: () => plain.getClientName(),
    // The SDK waits for a promise alone: what is thrown at once it never hears of.
    makeRequest: async (...request) => client.onRequest(send, request),
  };
  client.sdk = new Sdk(secretKey, {
    apiVersion: apiVersion as typeof Sdk.API_VERSION,
    host: hostname,
    ...(port === '' ? {} : { port }),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    // The SDK would tell how long the calls before took.
    telemetry: false,
    httpClient,
  });
  return client;
}
