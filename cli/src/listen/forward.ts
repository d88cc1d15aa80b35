/** Posts one delivery to whoever is to hear it, as a webhook would: no redirect is followed. */
import type { Io } from '../io.ts';

/** As `next` hands it out. */
export interface Delivery {
  id: string;
  eventId: string;
  eventType: string;
  headers: Record<string, string>;
  body: string;
}

/** As `report` takes it. */
export interface Result {
  id: string;
  statusCode: number | null;
  error: 'timeout' | 'connection' | 'dns' | 'tls' | null;
  durationMs: number;
  responseText: string | null;
}

const TIMEOUT_MS = 30_000;
/** As much of an answer as the service keeps. */
const TEXT_MAX = 65_536;

interface Forwarded {
  url: string;
  delivery: Delivery;
  signal: AbortSignal;
}

export async function forward(io: Io, { url, delivery, signal: cut }: Forwarded): Promise<Result> {
  const { id, headers, body } = delivery;
  const beganMs = io.nowMs();
  const took = () => Math.max(0, Math.round(io.nowMs() - beganMs));
  try {
    const signal = AbortSignal.any([cut, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await io.fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
    const text = await readStart(response);
    return { id, statusCode: response.status, error: null, durationMs: took(), responseText: text };
  } catch (error) {
    return { id, statusCode: null, error: toWord(error), durationMs: took(), responseText: null };
  }
}

/** The rest is not waited for: it may have no end. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length >= TEXT_MAX) break;
  }
  return text.slice(0, TEXT_MAX);
}

export const isDelivered = ({ statusCode }: Result) =>
  statusCode !== null && statusCode >= 200 && statusCode < 300;

function toWord(error: unknown): NonNullable<Result['error']> {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  const code = String(cause?.code ?? '');
  if (name === 'TimeoutError') return 'timeout';
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'dns';
  return /CERT|SSL|TLS/.test(code) ? 'tls' : 'connection';
}
