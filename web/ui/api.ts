import type { CardPageView, PayView } from './debt.ts';
import type { FormBody, SubmitBody } from './form.ts';
import type { NoticeBody, Received, WithdrawalBody } from './statement.ts';
import type { AskedAction, Quote, SessionView } from './view.ts';

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
  /** It could not be judged: the same may be right in a moment. */
  retry?: boolean;
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

/** Asks the server; never throws. */
export async function request<T>(url: string, init: RequestInit): Promise<Answer<T>> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  init.signal?.addEventListener('abort', abort);
  try {
    // In the language of the page, which need not be the browser's: mails follow it.
    const headers = {
      'accept-language': document.documentElement.lang,
      // In a frame of another's page less is offered.
      ...(window.parent === window ? {} : { 'x-svc-frame': '1' }),
      ...init.headers,
    };
    const response = await fetch(url, { ...init, headers, signal: controller.signal });
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

/** What the processor asks for of a charge that waits for its buyer. */
export const askAction = (apiUrl: string) => post<{ action: AskedAction }>(`${apiUrl}/action`, {});

/** The receipt is on the screen with its keys: they are delivered. */
export const tellShown = (apiUrl: string) => post<{ shown: boolean }>(`${apiUrl}/shown`, {});

/** Says that this browser shows a checkout that was made for a user: the first one is taken for theirs. */
export const openCheckout = (apiUrl: string) => post<{ checkout: SessionView }>(`${apiUrl}/open`, {});

export const getCheckout = (apiUrl: string) => request<{ checkout: SessionView }>(apiUrl, { method: 'GET' });

/** Pays an order, or what a subscription owes; without card or payment by the stored method. Pressed again it pays only what is left. */
export const payOwed = (
  apiUrl: string,
  body: Pick<SubmitBody, 'card' | 'payment'> & { keep?: boolean; fingerprint?: string },
) => post<{ debt: PayView }>(`${apiUrl}/pay`, body);

/** Gives a subscription another method: it is charged from then on, and at once for what is owed. */
export const giveCard = (apiUrl: string, body: Pick<SubmitBody, 'card' | 'payment'>) =>
  post<{ card: CardPageView }>(`${apiUrl}/give`, body);

export const confirmCard = (apiUrl: string) => post<{ card: CardPageView }>(`${apiUrl}/confirm`, {});

export const getDebt = (apiUrl: string) => request<{ debt: PayView }>(apiUrl, { method: 'GET' });

export const confirmOwed = (apiUrl: string) => post<{ debt: PayView }>(`${apiUrl}/confirm`, {});

/** Asks for a link in the mailbox of whoever's card is stored. */
export const askForProof = (apiUrl: string) => post<{ sent: boolean }>(`${apiUrl}/prove`, {});

/** Opens a mailed link, once: from then on this browser may charge the stored card. */
export const openProof = (apiUrl: string, link: string) =>
  post<{ debt: PayView }>(`${apiUrl}/prove/open`, { link });

export const stateWithdrawal = (body: WithdrawalBody) =>
  post<{ withdrawal: Received; confirmationUrl: string }>('/v0/portal/withdrawals', body);

export const stateNotice = (body: NoticeBody) =>
  post<{ notice: Received; confirmationUrl: string }>('/v0/portal/cancellation-notices', body);

/** Presses the button of the page behind a mailed link, at the page's own address. */
export const followLink = (path: string) => post<{ state: 'done' }>(path, {});
