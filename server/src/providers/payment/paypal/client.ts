/**
 * The way to PayPal's API, by fetch alone: PayPal's own client fixes its hosts, and has neither disputes nor webhooks.
 * A call is sent once, and again only where its token had run out, which nothing was done under.
 * https://developer.paypal.com/api/rest/authentication/
 */
import { readAnswer } from '../answer-limit.ts';
import { type CallGate, toEndpoint } from '../call-limiter.ts';
import { PayPalFailure, toFailure, toTooLate } from './failure.ts';

export interface PayPalOptions {
  /** Where the API is, of live and of test stores. */
  apiUrl: string;
  sandboxApiUrl: string;
  timeoutMs: number;
  realNowMs: () => number;
}

export interface PayPalCredentials {
  clientId: string;
  clientSecret: string;
}

export interface Asked {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  path: string;
  body?: object;
  /** In place of `body`: sent as it is. */
  raw?: Uint8Array;
  /** The same id answers what the first call did. */
  requestId?: string;
  /** Nothing is sent any more from then on. */
  sendByRealMs?: number;
}

export interface PayPalClient {
  /** The answer's body; null where it has none. Throws PayPalFailure. */
  ask<T>(asked: Asked): Promise<T>;
}

interface Token {
  token: string;
  untilRealMs: number;
}

/** A token is asked for anew so long before it ends. */
const EARLY_MS = 60_000;

/** Tokens of all accounts, each asked for by one call at a time. */
export function createPayPalClients(options: PayPalOptions) {
  const tokens = new Map<string, Promise<Token>>();
  return (credentials: PayPalCredentials, testMode: boolean, gate?: CallGate): PayPalClient => {
    const base = testMode ? options.sandboxApiUrl : options.apiUrl;
    const name = `${base} ${credentials.clientId} ${credentials.clientSecret}`;
    const forget = (kept: Promise<Token>) => {
      if (tokens.get(name) === kept) tokens.delete(name);
    };
    /** Of those that find it over at once the first asks, and the others wait with it. */
    const findToken = async (): Promise<{ token: string; kept: Promise<Token> }> => {
      const known = tokens.get(name);
      const kept = known ?? askToken(base, credentials, options);
      tokens.set(name, kept);
      try {
        const { token, untilRealMs } = await kept;
        if (!known || untilRealMs > options.realNowMs()) return { token, kept };
      } catch (error) {
        forget(kept);
        throw error;
      }
      forget(kept);
      return findToken();
    };
    const send = async (asked: Asked, token: string) => {
      const { sendByRealMs = Number.POSITIVE_INFINITY, method, path } = asked;
      const call = async () => {
        if (options.realNowMs() >= sendByRealMs) throw toTooLate();
        return sendCall(base, asked, token, options.timeoutMs);
      };
      const begunMs = performance.now();
      for (let turnedAway = 1; ; turnedAway += 1) {
        const answer = await (gate ? gate.send(toEndpoint(method, path), sendByRealMs, call) : call());
        // What was turned away for being too much was not carried out.
        if (answer.status !== 429 || !(await gate?.mayAgain(begunMs, sendByRealMs, turnedAway)))
          return answer;
      }
    };
    return {
      ask: async <T>(asked: Asked): Promise<T> => {
        const { token, kept } = await findToken();
        const answer = await send(asked, token);
        if (answer.status !== 401) return toBody<T>(answer);
        // It was taken back before its time.
        forget(kept);
        return toBody<T>(await send(asked, (await findToken()).token));
      },
    };
  };
}

async function askToken(
  base: string,
  { clientId, clientSecret }: PayPalCredentials,
  { timeoutMs, realNowMs }: PayPalOptions,
): Promise<Token> {
  const sealed = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const answer = await fetchWithin(new URL('/v1/oauth2/token', base), timeoutMs, {
    method: 'POST',
    headers: {
      authorization: `Basic ${sealed}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token, expires_in: lifeS } = toBody<{ access_token?: unknown; expires_in?: unknown }>(
    answer,
  );
  if (typeof token !== 'string' || typeof lifeS !== 'number') throw toUnreadable(answer);
  return { token, untilRealMs: realNowMs() + lifeS * 1000 - EARLY_MS };
}

interface Answer {
  status: number;
  text: string;
  debugId: string | null;
}

function sendCall(
  base: string,
  { method, path, body, raw, requestId }: Asked,
  token: string,
  timeoutMs: number,
): Promise<Answer> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return fetchWithin(new URL(path, base), timeoutMs, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      prefer: 'return=representation',
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...(requestId === undefined ? {} : { 'paypal-request-id': requestId }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
}

async function fetchWithin(url: URL, timeoutMs: number, init: RequestInit): Promise<Answer> {
  try {
    const answer = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readAnswer(answer);
    return { status: answer.status, text, debugId: answer.headers.get('paypal-debug-id') };
  } catch (cause) {
    const failure = new PayPalFailure({ status: null, issue: null, debugId: null });
    failure.cause = cause;
    throw failure;
  }
}

function toBody<T>(answer: Answer): T {
  const body = readJson(answer);
  if (answer.status < 200 || answer.status > 299) throw toFailure(answer.status, body, answer.debugId);
  if (body === undefined) throw toUnreadable(answer);
  return body as T;
}

/** Undefined = what was answered is no JSON. */
function readJson({ text }: Answer): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toUnreadable({ debugId }: Answer): PayPalFailure {
  return new PayPalFailure({ status: null, issue: null, debugId });
}
