/** Where a buyer is sent on to after paying: what the shop is told of the purchase, and a signature that it is ours. */
import { createHmac } from 'node:crypto';
import type { RedirectParameter, Settings } from '../../domain/settings.ts';

const SIGNED = ['svc-order-number', 'svc-reference', 'svc-timestamp'] as const;
const SIGNATURE = 'svc-signature';

interface Told {
  /** Names of this API beside `svc`. */
  aliases: readonly string[];
  values: Record<RedirectParameter, string[]>;
  /** Always there; null = there is none. */
  signed: Record<(typeof SIGNED)[number], string | null>;
  secret: string;
}

/**
 * The merchant's own parameters first, so that none of them stands in for one of ours. Ours go under every name that
 * this API goes by, the signatures last: each of the raw query before it.
 */
export function toRedirect(
  redirectUrl: string | null,
  { redirectParameters, redirectFixedParameters }: Settings,
  { values, signed, aliases, secret }: Told,
): string | null {
  if (redirectUrl === null) return null;
  const url = new URL(redirectUrl);
  for (const [name, value] of Object.entries(redirectFixedParameters)) url.searchParams.set(name, value);
  const prefixes = ['svc', ...aliases];
  const names = (parameter: string) => prefixes.map((prefix) => parameter.replace(/^svc/, prefix));
  for (const name of [...SIGNED, SIGNATURE].flatMap(names)) url.searchParams.delete(name);
  for (const parameter of redirectParameters) {
    for (const name of names(parameter)) {
      url.searchParams.delete(name);
      for (const value of new Set(values[parameter])) url.searchParams.append(name, value);
    }
  }
  for (const parameter of SIGNED) {
    const value = signed[parameter];
    if (value !== null) for (const name of names(parameter)) url.searchParams.append(name, value);
  }
  let query = url.search.slice(1);
  for (const name of names(SIGNATURE)) query += `&${name}=${sign(query, secret)}`;
  url.search = query;
  return url.href;
}

/** In hex, of the query as it stands in the address. */
export function sign(query: string, secret: string): string {
  return createHmac('sha256', secret).update(query).digest('hex');
}
