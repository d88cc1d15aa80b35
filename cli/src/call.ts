/** One request to the service, and what its answer means for whoever runs the command. */
import { randomUUID } from 'node:crypto';
import { mayRetry, readRetryAfter } from '../../sdk/src/retry.ts';
import { CommandError, EXIT, type ExitCode, type Io } from './io.ts';
import { findMoved, toMovedMessage } from './moved.ts';

export interface Pair {
  baseUrl: string;
  publicKey: string;
  secretKey: string;
}

export interface Request {
  method: string;
  path: string;
  query?: URLSearchParams;
  body?: unknown;
  /** In place of a body of JSON, with the headers that say what it is. */
  raw?: Blob;
  headers?: Record<string, string>;
  timeoutMs?: number;
  /** 1 = whoever asks tries again itself. */
  triesMax?: number;
  /** Null = it takes none. Of a write: the same for each try, so that a repeated one changes nothing. */
  idempotencyKey?: string | null;
}

export type Call = (request: Request) => Promise<Record<string, unknown>>;

const TIMEOUT_MS = 30_000;
const TRIES_MAX = 3;
const PAUSE_MS = 500;
/** A longer wish to wait is told instead of obeyed. */
const OBEYED_MS = 60_000;

export function createCall(io: Io, pair: Pair): Call {
  return async (request) => {
    const { method, triesMax = TRIES_MAX } = request;
    const keyed = method === 'GET' ? request : { idempotencyKey: randomUUID(), ...request };
    for (let tries = 1; ; tries += 1) {
      const answer = await send(io, pair, keyed);
      const waitMs = readRetryAfter(answer.headers?.get('retry-after') ?? null) ?? 0;
      const { code = '' } = (answer.body.error ?? {}) as { code?: string };
      const isWorthAgain = answer.status === 0 || mayRetry(answer.status, code);
      const isOver = tries >= triesMax || waitMs > OBEYED_MS || io.signal.aborted;
      if (answer.status === 200) return (answer.body.data ?? {}) as Record<string, unknown>;
      if (isOver || !isWorthAgain) throw toError(answer);
      await io.sleep(Math.max(waitMs, PAUSE_MS * 2 ** (tries - 1)), io.signal);
    }
  };
}

interface Answer {
  /** 0 = none came. */
  status: number;
  headers: Headers | null;
  body: Record<string, unknown>;
}

async function send(io: Io, pair: Pair, request: Request): Promise<Answer> {
  const { method, path, query, body, raw, timeoutMs = TIMEOUT_MS, idempotencyKey = null } = request;
  const search = query && query.size > 0 ? `?${query}` : '';
  const limits = timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : [];
  try {
    const url = `${pair.baseUrl}${path}${search}`;
    const response = await io.fetch(url, {
      method,
      headers: {
        'x-svc-public-key': pair.publicKey,
        'x-svc-secret-key': pair.secretKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...request.headers,
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(raw ? { body: raw } : body === undefined ? {} : { body: JSON.stringify(body) }),
      // Keys go nowhere else.
      redirect: 'manual',
      signal: AbortSignal.any([io.signal, ...limits]),
    });
    const moved = findMoved(response, url);
    if (moved !== null) return toNone(toMovedMessage(pair.baseUrl, moved));
    const answer = parse(await response.text());
    if (response.ok && answer.status !== 'success')
      return toNone(`${pair.baseUrl} answers, but not as Counterfoil does.`);
    return { status: response.status, headers: response.headers, body: answer };
  } catch {
    if (io.signal.aborted) throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
    return toNone(`${pair.baseUrl} does not answer.`);
  }
}

const toNone = (message: string): Answer => ({
  status: 0,
  headers: null,
  body: { error: { code: 'unreachable', message } },
});

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function toError({ status, body }: Answer): CommandError {
  const error = (body.error ?? {}) as { code?: string; message?: string; details?: unknown };
  const message = error.message ?? `The answer was ${status}, and no word with it.`;
  return new CommandError(toExit(status), message, {
    code: error.code ?? `status_${status}`,
    details: error.details ?? [],
    isPassing: status === 0 || mayRetry(status, error.code ?? ''),
  });
}

function toExit(status: number): ExitCode {
  if (status === 404) return EXIT.notFound;
  if (status === 401 || status === 403) return EXIT.keys;
  if (status === 0 || status === 502 || status === 503 || status === 504) return EXIT.unreachable;
  return status >= 400 && status < 500 ? EXIT.refused : EXIT.bug;
}
