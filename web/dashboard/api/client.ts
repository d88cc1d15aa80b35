/** Calls of the public API: as whoever is signed in, in the store that the address names. */
import type { Refused } from '../refusals/refusals.ts';
import { delayOf, isAway, noteAnswer, rest } from './reach.ts';

/** One workspace in one mode. */
export interface Store {
  workspaceId: string;
  mode: 'live' | 'test';
}

export interface FieldDetail {
  path: string;
  message: string;
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: FieldDetail[];
  readonly retryAfterS: number | null;
  /** What the refusal tells of the store: of a conflict, the object as it is now. */
  readonly facts: ReadonlyArray<Record<string, unknown>>;

  constructor(answer: {
    status: number;
    code: string;
    message: string;
    requestId?: string | null;
    details?: unknown;
    retryAfterS?: number | null;
  }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId ?? null;
    this.retryAfterS = answer.retryAfterS ?? null;
    const details: unknown[] = Array.isArray(answer.details) ? answer.details : [];
    this.details = details.filter(isFieldDetail);
    this.facts = details.filter((one) => !isFieldDetail(one)).filter(isRecord);
  }
}

function isFieldDetail(one: unknown): one is FieldDetail {
  return typeof one === 'object' && one !== null && 'path' in one && 'message' in one;
}

const isRecord = (one: unknown): one is Record<string, unknown> => typeof one === 'object' && one !== null;

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Call {
  method?: Method;
  path: string;
  /** Null: an operation of the account, of no store. */
  store: Store | null;
  query?: URLSearchParams | string;
  body?: unknown;
  /** A dialog keeps one, so that a second press is the same call. */
  idempotencyKey?: string;
  ifMatch?: string;
  signal?: AbortSignal;
  /** It answers when much is done, such as a year of the test clock. */
  isSlow?: boolean;
  /** Of the ways in themselves: a refusal is the answer, and no reason to ask who is there. */
  plain?: boolean;
}

/** Asks the person in front of the screen; answers whether the call is worth repeating. */
export interface Gate {
  signIn(): Promise<boolean>;
  prove(): Promise<boolean>;
}

let gate: Gate = { signIn: async () => false, prove: async () => false };

export function setGate(next: Gate): void {
  gate = next;
}

/** What is said where no answer tells it: the page sets it in its language, since then no words can be fetched. */
export interface Words {
  noAnswer: string;
  /** Of an answer that is not the service's own, such as a proxy's page. */
  answered(status: number): string;
}

let words: Words = { noAnswer: 'no_answer', answered: String };

export function setWords(next: Words): void {
  words = next;
}

/** For what is not refused but left out of an answer until it is known who looks. */
export const prove = (): Promise<boolean> => gate.prove();

const TIMEOUT_MS = 45_000;
const SLOW_TIMEOUT_MS = 10 * 60_000;
/** A file takes as long as its line is slow. */
const UPLOAD_TIMEOUT_MS = 30 * 60_000;

export async function call<T>(request: Call): Promise<T> {
  try {
    return await send<T>(request);
  } catch (error) {
    if (!(error instanceof ApiError) || request.plain) throw error;
    if (error.code === 'reauthentication_required') {
      if (await gate.prove()) return send<T>(request);
    } else if (error.status === 401) {
      // The cookie may have changed since: another tab signed in, or the session was given a new token.
      const again = await send<T>(request).catch((second: unknown) => second);
      if (!(again instanceof ApiError)) return again as T;
      if (again.status === 401 && (await gate.signIn())) return send<T>(request);
      throw again;
    }
    throw error;
  }
}

/** How often a write is tried while the service is away: for about as long as somebody waits. */
const WRITE_TRIES_MAX = 14;

/** A write that bears its own key may be sent again: what was done already is only answered. */
async function send<T>(request: Call): Promise<T> {
  const { method = 'GET', path, idempotencyKey, body } = request;
  const name = `${method} ${path}`;
  // A file is too long to be sent again unasked.
  const tries = idempotencyKey && !(body instanceof Blob) ? WRITE_TRIES_MAX : 1;
  for (let failures = 0; ; failures += 1) {
    try {
      const data = await sendOnce<T>(request);
      noteAnswer(name, false);
      return data;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      noteAnswer(name, isAway(error));
      if (!isAway(error) || failures + 1 >= tries) throw error;
      await rest(delayOf(failures, error.retryAfterS));
    }
  }
}

const KEY_BYTES = 16;

/** Makes the key of one dialog. A browser has no `randomUUID` over plain http beyond this machine. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function sendOnce<T>(request: Call): Promise<T> {
  const { method = 'GET', path, query, body } = request;
  const search = query === undefined ? '' : String(query);
  const usualMs = request.isSlow ? SLOW_TIMEOUT_MS : TIMEOUT_MS;
  const timeoutMs = body instanceof Blob ? UPLOAD_TIMEOUT_MS : usualMs;
  const response = await fetch(search === '' ? path : `${path}?${search}`, {
    method,
    headers: toHeaders(request),
    credentials: 'same-origin',
    body: toBody(method, body),
    signal: request.signal
      ? AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)])
      : AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError({ status: 0, code: 'no_answer', message: words.noAnswer });
  });
  return read<T>(response);
}

function toHeaders({ method = 'GET', store, body, idempotencyKey, ifMatch }: Call): Record<string, string> {
  const headers: Record<string, string> = {};
  if (body instanceof Blob) headers['content-type'] = body.type || 'application/octet-stream';
  else if (method !== 'GET') headers['content-type'] = 'application/json';
  // Names may be of any script, headers may not.
  if (body instanceof File) headers['x-file-name'] = encodeURIComponent(body.name);
  if (store) {
    headers['x-svc-workspace'] = store.workspaceId;
    headers['x-svc-mode'] = store.mode;
  }
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
  if (ifMatch) headers['if-match'] = ifMatch;
  return headers;
}

function toBody(method: Method, body: unknown): BodyInit | null {
  if (method === 'GET') return null;
  return body instanceof Blob ? body : JSON.stringify(body ?? {});
}

interface Envelope<T> {
  data?: T;
  error?: { message?: string; code?: string; requestId?: string; details?: unknown };
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  let envelope: Envelope<T> = {};
  try {
    // The envelope is the server's own.
    envelope = JSON.parse(text) as Envelope<T>;
  } catch {
    // A proxy's page, told by its status below.
  }
  if (response.ok && envelope.data !== undefined) return envelope.data;
  const { message, code, requestId, details } = envelope.error ?? {};
  const isOwn = message !== undefined;
  const refused = {
    code: code ?? 'no_answer',
    message: message ?? words.answered(response.status),
    details,
  };
  const of = {
    status: response.status,
    requestId: requestId ?? response.headers.get('x-request-id'),
    retryAfterS: Number(response.headers.get('retry-after')) || null,
  };
  const error = new ApiError({ ...refused, ...of });
  if (!isAway(error)) throw new ApiError({ ...(await inLanguage(refused)), ...of });
  // While the service is away the words for what it says do not come either.
  const isPlain = isOwn && document.documentElement.lang === 'en';
  throw isPlain ? error : new ApiError({ ...refused, message: words.noAnswer, ...of });
}

/** As it is said in the language of the page; as the API says it where that is English, or nothing better comes. */
async function inLanguage(refused: Refused): Promise<Refused> {
  const { lang } = document.documentElement;
  // Most refusals in English need no word of ours.
  if (lang === 'en' && !Array.isArray(refused.details)) return refused;
  try {
    const { translate, writeMoney } = await import('../refusals/refusals.ts');
    return lang === 'en' ? await writeMoney(refused) : await translate(refused, lang);
  } catch {
    return refused;
  }
}

/** Whether others on the way can read along: plain http beyond this very machine. */
export function isOpenLine(): boolean {
  const { protocol, hostname } = window.location;
  return protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(hostname);
}
