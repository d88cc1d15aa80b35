import Stripe from 'stripe';
import { type Double, type StartOptions, startDouble } from '../../src/start.ts';

export interface Keys {
  id: string;
  secretKey: string;
  publishableKey: string;
}

export async function start(more: Partial<StartOptions> = {}): Promise<Double> {
  return startDouble({
    port: 0,
    controlPort: 0,
    seed: '1',
    journal: null,
    nowMs: Date.parse('2026-11-02T10:00:00Z'),
    mayLoopback: true,
    onKill: () => {},
    ...more,
  });
}

export async function control<T = Record<string, unknown>>(
  double: Double,
  call: string,
  body?: object,
): Promise<T> {
  const [method = 'GET', path = '/'] = call.split(' ');
  const answer = await fetch(`${double.controlUrl}${path}`, {
    method,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

export async function lines(double: Double, path: string): Promise<Record<string, unknown>[]> {
  const text = await (await fetch(`${double.controlUrl}${path}`)).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export async function openAccount(double: Double, more: object = {}): Promise<Keys> {
  return control<Keys>(double, 'POST /accounts', { country: 'DE', currency: 'eur', mode: 'test', ...more });
}

export function toClient(double: Double, key: string): Stripe {
  const { hostname, port } = new URL(double.apiUrl);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}
