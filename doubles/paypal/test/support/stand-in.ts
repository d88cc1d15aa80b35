import { randomUUID } from 'node:crypto';
import { control, OPTIONS } from '../../../core/testing.ts';
import { type Double, type StartOptions, startDouble } from '../../src/start.ts';

export interface Keys {
  id: string;
  clientId: string;
  clientSecret: string;
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are read as PayPal's pages show them.
  body: any;
}

export type Client = (
  call: string,
  body?: object | null,
  headers?: Record<string, string>,
) => Promise<Answer>;

export function start(more: Partial<StartOptions> = {}): Promise<Double> {
  return startDouble({ ...OPTIONS, ...more });
}

export function openAccount(double: Double, more: object = {}): Promise<Keys> {
  return control<Keys>(double, 'POST /accounts', { country: 'DE', currency: 'eur', mode: 'test', ...more });
}

export async function askToken(double: Double, { clientId, clientSecret }: Keys): Promise<Answer> {
  const answer = await fetch(`${double.apiUrl}/v1/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return { status: answer.status, body: await answer.json() };
}

/** Calls with a token of its own each time: the clock may have moved by more than a token lives. */
export function toClient(double: Double, keys: Keys): Client {
  return async (call, body = null, headers = {}) => {
    const { body: token } = await askToken(double, keys);
    const [method = 'GET', path = '/'] = call.split(' ');
    const answer = await fetch(`${double.apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token.access_token}`,
        'content-type': 'application/json',
        'paypal-request-id': randomUUID(),
        prefer: 'return=representation',
        ...headers,
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
}

export const CONTEXT = {
  return_url: 'https://shop.example/return',
  cancel_url: 'https://shop.example/cancel',
};

export function toOrder(value = '12.34', more: object = {}, source: object = {}): object {
  return {
    intent: 'CAPTURE',
    purchase_units: [{ amount: { currency_code: 'EUR', value }, custom_id: 'charge_1', ...more }],
    payment_source: { paypal: { experience_context: CONTEXT, ...source } },
  };
}

/** What the payer presses on the page. */
export async function press(
  link: string,
  answer: 'approve' | 'cancel' | 'decline',
  funding = 'balance',
): Promise<string> {
  const body = new URLSearchParams({ answer, funding });
  const said = await fetch(link, { method: 'POST', body, redirect: 'manual' });
  return said.headers.get('location') ?? '';
}

export const linkOf = (object: { links: { rel: string; href: string }[] }, rel: string): string =>
  object.links.find((link) => link.rel === rel)?.href ?? '';

export const issueOf = ({ status, body }: Answer): string => `${status} ${body.details?.[0]?.issue}`;

export { control };
