/** Somebody without the secret key, who comes from whatever address a test says. */
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import { card } from './buying.ts';
import { DECLINED } from './cards.ts';

/** With limits, and each request from the address that it names. */
export const LIMITED = { RATE_LIMIT_TEST: '10000', RATE_LIMIT_LIVE: '10000', TRUST_PROXY: 'loopback' };

export const HOUR_S = 3600;

let addresses = 0;
/** An address that nobody has used. */
export function newAddress(): string {
  addresses += 1;
  return `198.51.${Math.floor(addresses / 250)}.${addresses % 250}`;
}
export const newEmail = () => `${crypto.randomUUID()}@example.com`;

export interface Sent {
  /** Where it comes from; missing = an address of its own. */
  from?: string;
  /** By which process it is taken. */
  by?: FastifyInstance;
}

async function send(
  app: FastifyInstance,
  { method, url, body, from }: { method: 'GET' | 'POST'; url: string; body: object | null; from?: string },
) {
  const response = await app.inject({
    method,
    url,
    headers: { 'x-forwarded-for': from ?? newAddress() },
    ...(body ? { payload: body } : {}),
  });
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    retryAfterS: Number(response.headers['retry-after'] ?? 0),
    location: String(response.headers.location ?? ''),
    text: response.payload,
    body: isJson ? response.json() : null,
  };
}
export type Answered = Awaited<ReturnType<typeof send>>;

/** What a buyer's browser asks, of a service and an offer that are there once the test runs. */
export function asStranger(shop: () => { app: FastifyInstance; offerId: string }) {
  const ask =
    (method: 'GET' | 'POST') =>
    (url: string, body: object | null, { from, by }: Sent = {}) =>
      send(by ?? shop().app, { method, url, body, ...(from ? { from } : {}) });
  const [get, post] = [ask('GET'), ask('POST')];
  const form = (fields: object) => ({ email: newEmail(), countryCode: 'DE', ...fields });
  return {
    get: (url: string, sent: Sent = {}) => get(url, null, sent),
    post,
    /** A page of the checkout, of which nothing is written yet; answers the path of its calls. */
    open: async (offer: string | null = null, sent: Sent = {}): Promise<string> => {
      const { location } = await get(`/checkout/${offer ?? shop().offerId}`, null, sent);
      return `/checkout-sessions/${location.split('?')[0]?.split('/').at(-1)}`;
    },
    submit: (page: string, fields: object, sent: Sent = {}) =>
      post(`${page}/submit`, form({ card: card(DECLINED), ...fields }), sent),
    quote: (page: string, fields: object, sent: Sent = {}) => post(`${page}/quote`, form(fields), sent),
  };
}

export function expectTooMany(answer: Answered, code: string, { withinS }: { withinS: number }): void {
  expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status: 429, code });
  expect(answer.retryAfterS).toBeGreaterThan(0);
  expect(answer.retryAfterS).toBeLessThanOrEqual(withinS);
}
