/** The path of a request as an Idempotency-Key compares it. */
import { parseNumber } from '../domain/numbers.ts';

/** `/v0/orders/:idOrNumber` with what was asked for, in one spelling. */
export function toPathAsked(path: string, params: unknown): string {
  const given = (params ?? {}) as Record<string, string>;
  return path.replace(/:(\w+)/g, (_all, name: string) => toOneSpelling(given[name] ?? ''));
}

/** A number is the same with and without its sign, an id in either case. */
export function toOneSpelling(idOrNumber: string): string {
  return parseNumber(idOrNumber) ?? idOrNumber.toLowerCase();
}
