/** The client: reads keys, sends, tries again, and makes errors of refusals. Its methods are those of the description. */
import type { CallOptions, Page, UploadInput, WithResponse } from './call.ts';
import { ConnectionError, CounterfoilError, type ErrorDetail, TimeoutError, toApiError } from './errors.ts';
import {
  type ExportsResource,
  OPERATIONS,
  type Resources,
  type WebhooksResource,
} from './generated/resources.ts';
import type { Export } from './generated/types.ts';
import { toCall, toListing } from './page.ts';
import { mayRetry, pause, RETRIES, readRetryAfter, waitBefore } from './retry.ts';
import { signWebhook, verifyWebhook } from './webhooks.ts';

export interface CounterfoilOptions {
  /** Else `COUNTERFOIL_BASE_URL`. */
  baseUrl?: string;
  /** Else `COUNTERFOIL_PUBLIC_KEY`. */
  publicKey?: string;
  /** Else `COUNTERFOIL_SECRET_KEY`. */
  secretKey?: string;
  fetch?: typeof fetch;
  /** Of one try with its body; 30 s when missing. */
  timeoutMs?: number;
  /** 2 when missing. */
  maxRetries?: number;
  headers?: Record<string, string>;
  /** A page shows its keys to whoever opens it: only for tools that are nobody else's. */
  dangerouslyAllowBrowser?: boolean;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TIMEOUT_MS = 30_000;
/** A timer beyond that ends at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;
/**
 * Or a path of the page's own site, behind which a service may lie. What stands behind `?` or `#` would swallow the path
 * of each call, and no runtime sends to an address with a password in it.
 */
const WEB_ADDRESS = /^(https?:\/)?\/[^/\s?#@][^\s?#@]*$/i;
const SENDABLE = /^[\x21-\x7e]+$/;
/** What is asked for by its own link: no key goes along, and its body is the caller's. */
const FILE: Operation = { method: 'GET', path: '', takes: 'f', timeoutMs: null };

/** What `fetch` takes in every runtime. */
type Body = string | UploadInput['data'];

interface Operation {
  method: string;
  path: string;
  takes: string;
  timeoutMs: number | null;
}

interface Sending {
  operation: Operation;
  url: string;
  body: Body | null;
  headers: Record<string, string>;
  options: CallOptions;
}

/** What asks the service for nothing that the description names. */
interface LocalMethods {
  exports: ExportsResource & {
    /** The file of an export that is done, by its link: a response whose body is read as it comes. */
    download(made: Pick<Export, 'url'>, options?: Omit<CallOptions, 'idempotencyKey'>): Promise<Response>;
  };
  webhooks: WebhooksResource & {
    /** As `verifyWebhook` of this package. */
    verify: typeof verifyWebhook;
    /** As `signWebhook` of this package. */
    sign: typeof signWebhook;
  };
}

/** Methods are added by the constructor: the description names them. */
export interface Counterfoil extends Omit<Resources, keyof LocalMethods>, Readonly<LocalMethods> {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the same.
export class Counterfoil {
  readonly #baseUrl: string;
  readonly #keys: Record<string, string>;
  readonly #options: CounterfoilOptions;

  constructor(options: CounterfoilOptions = {}) {
    const baseUrl = options.baseUrl ?? readEnvironment('COUNTERFOIL_BASE_URL');
    const publicKey = options.publicKey ?? readEnvironment('COUNTERFOIL_PUBLIC_KEY');
    const secretKey = options.secretKey ?? readEnvironment('COUNTERFOIL_SECRET_KEY');
    if (!baseUrl) throw new CounterfoilError('baseUrl is missing: give it, or set COUNTERFOIL_BASE_URL.');
    // Else a missing scheme would be tried again and told as a service that does not answer.
    if (!WEB_ADDRESS.test(baseUrl))
      throw new CounterfoilError(`baseUrl must be an address such as https://pay.example, not ${baseUrl}`);
    if (!publicKey)
      throw new CounterfoilError('publicKey is missing: give it, or set COUNTERFOIL_PUBLIC_KEY.');
    if (secretKey && 'document' in globalThis && !options.dangerouslyAllowBrowser)
      throw new CounterfoilError('A secret key must not be put into a page: whoever opens it could use it.');
    for (const [name, key] of Object.entries({ publicKey, secretKey }))
      if (key && !SENDABLE.test(key))
        // Not shown: what a header cannot hold would stand in the runtime's own message.
        throw new CounterfoilError(`${name} holds signs that no key has: was more copied than the key?`);
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#keys = { 'x-svc-public-key': publicKey, ...(secretKey ? { 'x-svc-secret-key': secretKey } : {}) };
    const { publicKey: _public, secretKey: _secret, ...rest } = options;
    this.#options = rest;
    this.#addMethods();
  }

  #addMethods(): void {
    const resources = this as unknown as Record<string, unknown>;
    for (const [name, entry] of Object.entries(OPERATIONS)) {
      const operation = readEntry(entry);
      const call = (...args: unknown[]) => this.#call(operation, args);
      const [first = '', second] = name.split('.');
      if (second === undefined) Object.defineProperty(this, first, { value: call });
      else {
        if (!(first in resources)) Object.defineProperty(this, first, { value: {}, enumerable: true });
        (resources[first] as Record<string, unknown>)[second] = call;
      }
    }
    Object.assign(this.exports, { download: this.#download.bind(this) });
    Object.assign(this.webhooks, { verify: verifyWebhook, sign: signWebhook });
  }

  async #download({ url }: Pick<Export, 'url'>, options: CallOptions = {}): Promise<Response> {
    if (url === null)
      throw new CounterfoilError('The export has no file: it is not done, or not kept any more.');
    const place = new URL(url, `${this.#baseUrl}/`).href;
    const { response } = await this.#send({ operation: FILE, url: place, body: null, headers: {}, options });
    return response;
  }

  #call(operation: Operation, args: unknown[]): unknown {
    const { takes } = operation;
    const idCount = operation.path.split('{}').length - 1;
    const ids = args.slice(0, idCount);
    const hasInput = takes !== 'n' && args.length > idCount;
    const input = (hasInput ? args[idCount] : undefined) ?? {};
    const options = (args[idCount + (takes === 'n' ? 0 : 1)] ?? {}) as CallOptions;
    const path = fillPath(operation.path, ids);
    const send = (query: object, body: Body | null, headers: Record<string, string> = {}) =>
      this.#send({ operation, url: `${this.#baseUrl}${path}${toQuery(query)}`, body, headers, options });
    if (takes.startsWith('l:')) {
      const rows = takes.slice(2);
      const ask = async (query: object) => toPage(await send(query, null), rows);
      return toListing(ask, input as Record<string, unknown>);
    }
    if (takes === 'u') return toCall(() => this.#upload(input as UploadInput, send));
    const isRead = operation.method === 'GET';
    const body = takes === 'i' ? { id: ids.at(-1), ...(input as object) } : input;
    const json = isRead || takes === 'n' ? null : JSON.stringify(body);
    const type: Record<string, string> = json === null ? {} : { 'content-type': 'application/json' };
    return toCall(() => send(isRead ? (input as object) : {}, json, type));
  }

  #upload(
    { data, fileName, type, purpose }: UploadInput,
    send: (query: object, body: Body, headers: Record<string, string>) => Promise<WithResponse<unknown>>,
  ) {
    return send({}, data, {
      'content-type': type,
      'x-file-name': encodeURIComponent(fileName),
      ...(purpose ? { 'x-file-purpose': purpose } : {}),
    });
  }

  async #send(sending: Sending): Promise<WithResponse<never>> {
    const { operation, body, options } = sending;
    const isStream = typeof ReadableStream !== 'undefined' && body instanceof ReadableStream;
    // What was read of a stream cannot be sent again.
    const retries = isStream ? 0 : (options.maxRetries ?? this.#options.maxRetries ?? RETRIES);
    const key: Record<string, string> =
      operation.method === 'GET' ? {} : { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() };
    const own = operation === FILE ? {} : this.#keys;
    const headers = mergeHeaders(this.#options.headers, sending.headers, key, options.headers, own);
    for (let attempts = 1; ; attempts += 1) {
      const outcome = await this.#try(sending, { headers, attempts });
      if (!('error' in outcome)) return outcome;
      const wait = outcome.isFinal || attempts > retries ? null : waitBefore(attempts, outcome.retryAfterMs);
      if (wait === null) throw outcome.error;
      await pause(wait, options.signal);
    }
  }

  async #try(
    { operation, url, body, options }: Omit<Sending, 'headers'>,
    { headers, attempts }: { headers: Headers; attempts: number },
  ): Promise<WithResponse<never> | Failure> {
    const timeoutMs = options.timeoutMs ?? operation.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const isFile = operation === FILE;
    const clock = new AbortController();
    const timer =
      timeoutMs > 0 && timeoutMs <= TIMER_MAX_MS ? setTimeout(() => clock.abort(), timeoutMs) : undefined;
    const signal = options.signal ? AbortSignal.any([options.signal, clock.signal]) : clock.signal;
    try {
      const response = await (this.#options.fetch ?? fetch)(url, {
        method: operation.method,
        headers,
        body,
        signal,
        // Keys follow no redirect. Workers have no word for refusing one.
        redirect: 'manual',
        // Node asks for it of streams; types of pages do not know it.
        ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
      });
      if (response.type === 'opaqueredirect' || REDIRECTS.has(response.status))
        return toMoved(url, response, attempts);
      if (isFile && response.ok) return { data: null as never, response, requestId: null, replayed: false };
      const text = await response.text();
      return this.#read(response, text, attempts);
    } catch (cause) {
      // Who gave it up hears so in their own words.
      if (options.signal?.aborted) throw options.signal.reason;
      const facts = { cause: toPlainCause(cause), attempts };
      const error = clock.signal.aborted
        ? new TimeoutError(`No answer within ${timeoutMs} ms.`, facts)
        : new ConnectionError('The service could not be reached, or its answer was cut.', facts);
      return { error, retryAfterMs: null, isFinal: false };
    } finally {
      clearTimeout(timer);
    }
  }

  #read(response: Response, text: string, attempts: number): WithResponse<never> | Failure {
    const { status, headers } = response;
    const answer = parse(text);
    const requestId = headers.get('x-request-id');
    if (response.ok && answer?.status === 'success') {
      const replayed = headers.get('idempotent-replayed') === 'true';
      // What it holds is what the description says; it is not looked at, so that what is added breaks nothing.
      return { data: answer.data as never, response, requestId, replayed };
    }
    if (response.ok) {
      const error = new ConnectionError(NO_ANSWER, { attempts });
      return { error, retryAfterMs: null, isFinal: false };
    }
    const {
      code = `http_${status}`,
      message = `The service answered ${status}.`,
      details = [],
    } = answer?.error ?? {};
    const retryAfterMs = readRetryAfter(headers.get('retry-after'));
    // Words of the service have a page each; what a proxy answers in its place has none.
    const page = answer?.error?.code === undefined ? '' : `/errors/${encodeURIComponent(code)}`;
    const docUrl = `${this.#baseUrl}/docs${page}`;
    const error = toApiError({ status, code, message, details, requestId, retryAfterMs, attempts, docUrl });
    return { error, retryAfterMs, isFinal: !mayRetry(status, code) };
  }
}

const NO_ANSWER = 'The answer was cut, or is none of the service: is baseUrl right?';

/** Keys go nowhere else, and each try would be answered the same; a page is not told where to. */
function toMoved(url: string, { headers }: Response, attempts: number): Failure {
  const location = headers.get('location');
  const to = location !== null && URL.canParse(location, url) ? new URL(location, url).origin : 'elsewhere';
  const message = `The service sends on to ${to}, which is not followed: is baseUrl right?`;
  return { error: new ConnectionError(message, { attempts }), retryAfterMs: null, isFinal: true };
}

interface Failure {
  error: CounterfoilError;
  retryAfterMs: number | null;
  /** To try again would change nothing. */
  isFinal: boolean;
}

interface Envelope {
  status?: string;
  data?: unknown;
  error?: { code?: string; message?: string; details?: ErrorDetail[] };
}

function parse(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

/** What the runtime says of a connection, without the request and its headers. */
function toPlainCause(cause: unknown): Error | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { code } = (cause.cause ?? cause) as { code?: unknown };
  return new Error(typeof code === 'string' ? `${cause.message} (${code})` : cause.message);
}

/** The last one counts, however it is written: else both would be sent as one. */
function mergeHeaders(...all: Array<Record<string, string> | undefined>): Headers {
  const merged = new Headers();
  try {
    for (const some of all) for (const [name, value] of Object.entries(some ?? {})) merged.set(name, value);
  } catch {
    // Nothing was sent, and no try would be. The runtime's own message shows what it was.
    throw new CounterfoilError('A header, such as the idempotencyKey, holds signs that no header can hold.');
  }
  return merged;
}

function readEntry(entry: string): Operation {
  const [method = '', path = '', takes = '', timeout] = entry.split(' ');
  return { method, path, takes, timeoutMs: timeout === undefined ? null : Number(timeout) };
}

function fillPath(path: string, ids: readonly unknown[]): string {
  let at = 0;
  return path.replaceAll('{}', () => {
    const id = ids[at++];
    // An empty one would be another operation's path, and so would one that stands for a folder, or the word that lists.
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new CounterfoilError('An id is missing.');
    if (id === 'list') throw new CounterfoilError('list is no id.');
    return encodeURIComponent(id);
  });
}

/** Lists are said once for each value; what is undefined or null is not said. */
function toQuery(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one) => {
      if (one === undefined || one === null) return [];
      const text = typeof one === 'object' ? JSON.stringify(one) : String(one);
      return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
    }),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function toPage<T>({ data, ...rest }: WithResponse<unknown>, rows: string): WithResponse<Page<T>> {
  // A list's answer, by its description.
  const { [rows]: found, ...page } = data as Record<string, unknown>;
  return { ...rest, data: { ...(page as unknown as Omit<Page<T>, 'data'>), data: found as T[] } };
}

function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}
