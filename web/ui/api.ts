import type { CardValues } from './card.ts';
import type { PayView } from './debt.ts';
import type { FormBody, SubmitBody } from './form.ts';
import type { Quote, SessionView } from './view.ts';

/** A refusal names a code and, for a wrong form, the fields; `lost` means that no readable answer came. */
export type Answer<T> =
  | { kind: 'ok'; data: T }
  | {
      kind: 'refused';
      status: number;
      code: string;
      message: string;
      details: FieldDetail[];
      quote: Quote | null;
    }
  | { kind: 'lost' };

export interface FieldDetail {
  path: string;
  message: string;
}

/** Of a price that has changed: the new one. */
interface PriceDetail {
  quote: Quote;
}

const TIMEOUT_MS = 45_000;

interface Envelope<T> {
  data?: T;
  error?: { message?: string; code?: string; details?: Array<FieldDetail | PriceDetail> };
}

async function request<T>(url: string, init: RequestInit): Promise<Answer<T>> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  init.signal?.addEventListener('abort', abort);
  try {
    const response = await fetch(url, { ...init, signal: controller.signal });
    // The envelope is the server's own; a proxy's page is no JSON and lands below.
    const envelope = (await response.json()) as Envelope<T>;
    if (response.ok && envelope.data) return { kind: 'ok', data: envelope.data };
    // A failing server may have done the work before it failed: the buyer is told the same as for a lost line.
    if (response.status >= 500 || !envelope.error) return { kind: 'lost' };
    const { message = '', code = '', details } = envelope.error;
    const told = Array.isArray(details) ? details : [];
    return {
      kind: 'refused',
      status: response.status,
      code,
      message,
      details: told.filter((one): one is FieldDetail => 'path' in one),
      quote: told.find((one): one is PriceDetail => 'quote' in one)?.quote ?? null,
    };
  } catch {
    return { kind: 'lost' };
  } finally {
    clearTimeout(timer);
  }
}

const post = <T>(url: string, body: unknown, signal?: AbortSignal) =>
  request<T>(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });

/** Asks for the price of the form as it is. */
export const requestQuote = (apiUrl: string, body: FormBody, signal: AbortSignal) =>
  post<{ quote: Quote }>(`${apiUrl}/quote`, body, signal);

/** Buys. Safe to repeat: the server makes at most one paid order of a session. */
export const submitCheckout = (apiUrl: string, body: SubmitBody) =>
  post<{ checkout: SessionView }>(`${apiUrl}/submit`, body);

/** Asks the server to look whether a payment under way has been decided. */
export const confirmCheckout = (apiUrl: string) => post<{ checkout: SessionView }>(`${apiUrl}/confirm`, {});

export const getCheckout = (apiUrl: string) => request<{ checkout: SessionView }>(apiUrl, { method: 'GET' });

/** Pays what a subscription owes; without a card by the stored one. Pressed again it pays only what is left. */
export const payDebt = (apiUrl: string, body: { card?: CardValues; keep?: boolean }) =>
  post<{ debt: PayView }>(`${apiUrl}/pay`, body);

export const getDebt = (apiUrl: string) => request<{ debt: PayView }>(apiUrl, { method: 'GET' });

export const confirmDebt = (apiUrl: string) => post<{ debt: PayView }>(`${apiUrl}/confirm`, {});
