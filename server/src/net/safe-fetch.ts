/**
 * The one way out: every request to a host that a merchant named goes through here. Addresses are checked
 * where the connection is made, so that what was checked is what is connected to; no redirects, no
 * proxies, and an end to time and size.
 */
import type { LookupAddress } from 'node:dns';
import { setTimeout as wait } from 'node:timers/promises';
import { createAddressGuard, NOT_PUBLIC, type Target, toTarget } from './address-guard.ts';
import type { GuardedClient } from './guarded-client.ts';
import type { OutgoingRequest, OutgoingResult, Reach } from './outgoing.ts';
import { createOwnAddress, OWN_ADDRESS, type OwnAddress, portOf } from './own-address.ts';
import { createHostResolver } from './resolve-host.ts';

const RESOLVE_TIMEOUT_MS = 5_000;

export interface Egress {
  /** Sends a request; whatever happens out there is a value. */
  send(outgoing: OutgoingRequest): Promise<OutgoingResult>;
  /** Tells whether requests to the URL would be let out, without sending one; `reason` completes "…, but". */
  checkUrl(url: string): Promise<{ kind: 'ok' } | { kind: 'blocked'; reason: string }>;
  close(): Promise<void>;
}

export interface EgressOptions {
  /** Networks (CIDR) that may be reached although not public. */
  allowCidrs: readonly string[];
  /** Where this service is found, and may not be reached by itself. */
  own?: { publicUrl: string; port: number };
  /** Every address of a host name, as the machine's own resolver sees it. */
  resolve?: (host: string) => Promise<LookupAddress[]>;
}

export function createEgress({ allowCidrs, own, resolve = createHostResolver() }: EgressOptions): Egress {
  const guard = createAddressGuard(allowCidrs);
  const ownAddress = own ? createOwnAddress(own) : null;
  const reach = { guard, resolve, ownAddress };
  let client: Promise<GuardedClient> | null = null;
  const open = async () => (await import('./guarded-client.ts')).createGuardedClient(reach);
  const aim = (text: string) => withoutOwn(toTarget(guard, text), ownAddress);
  return {
    async send(outgoing) {
      const startMs = performance.now();
      client ??= open();
      const result = await (await client).send(aim(outgoing.url), outgoing);
      return { ...result, durationMs: Math.round(performance.now() - startMs) };
    },
    async checkUrl(url) {
      const target = aim(url);
      if (target.kind === 'blocked' || target.literal !== null) return target;
      return checkHost(reach, target.url);
    },
    close: async () => (await client)?.close(),
  };
}

/** A URL that leads back here is no target. */
function withoutOwn(target: Target, own: OwnAddress | null): Target {
  if (target.kind === 'blocked' || own === null) return target;
  const { url, literal } = target;
  const isOwn = own.isOwnUrl(url) || (literal !== null && own.isOwnSocket(literal, portOf(url)));
  return isOwn ? { kind: 'blocked', reason: OWN_ADDRESS } : target;
}

async function checkHost(
  { guard, resolve, ownAddress }: Reach,
  url: URL,
): Promise<{ kind: 'ok' } | { kind: 'blocked'; reason: string }> {
  const timer = new AbortController();
  const late = wait(RESOLVE_TIMEOUT_MS, [], { signal: timer.signal }).catch(() => []);
  // A name that does not resolve now cannot be shown to be public: it is refused like one that is not, in the same
  // words, or the refusal would tell which names our own network knows.
  const addresses = await Promise.race([resolve(url.hostname).catch(() => []), late]);
  timer.abort();
  const isPublic = addresses.length > 0 && addresses.every(({ address }) => guard.isAllowed(address));
  if (!isPublic) return { kind: 'blocked', reason: NOT_PUBLIC };
  const isOwn = addresses.some(({ address }) => ownAddress?.isOwnSocket(address, portOf(url)));
  return isOwn ? { kind: 'blocked', reason: OWN_ADDRESS } : { kind: 'ok' };
}
