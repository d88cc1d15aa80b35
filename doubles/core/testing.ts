/** What the tests of every stand-in start it by, and how they call its control port. */
import type { Double, StartOptions } from './start.ts';

export const OPTIONS: StartOptions = {
  port: 0,
  controlPort: 0,
  seed: '1',
  journal: null,
  nowMs: Date.parse('2026-11-02T10:00:00Z'),
  mayLoopback: true,
  onKill: () => {},
};

/** `POST /faults` with its body. Throws on a refusal. */
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
