import Stripe from 'stripe';
import { control, OPTIONS } from '../../../core/testing.ts';
import { type Double, type StartOptions, startDouble } from '../../src/start.ts';

export interface Keys {
  id: string;
  secretKey: string;
  publishableKey: string;
}

export function start(more: Partial<StartOptions> = {}): Promise<Double> {
  return startDouble({ ...OPTIONS, ...more });
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

export { control };
