/**
 * Every address of a host name. The DNS is asked by sockets of our own: the system's look-up would hold one of
 * Node's four threads for as long as a name server is silent, and with it files and everybody else's look-ups.
 * What the DNS does not know (the machine's own file of hosts, search domains) is asked of the system.
 */
import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';

const TRY_TIMEOUT_MS = 1_500;
const TRIES = 2;
/** These names are this machine, whatever a name server says (RFC 6761). */
const LOCALHOST = /(^|\.)localhost\.?$/i;
/** Nobody has answered, which says nothing of the name. */
const SILENT = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'ESERVFAIL', 'EREFUSED']);

export function createHostResolver(): (host: string) => Promise<LookupAddress[]> {
  let resolver = openResolver();
  return async (host) => {
    if (LOCALHOST.test(host)) return toAddresses(['127.0.0.1'], 4);
    const asked = resolver;
    const answers = await Promise.allSettled([asked.resolve4(host), asked.resolve6(host)]);
    const [v4, v6] = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const addresses = [...toAddresses(v4, 4), ...toAddresses(v6, 6)];
    if (addresses.length > 0) return addresses;
    const silent = answers.find((answer) => answer.status === 'rejected' && isSilent(answer.reason));
    if (silent?.status === 'rejected') {
      // A resolver reads its servers once: they may have changed since.
      if (resolver === asked) resolver = openResolver();
      throw silent.reason;
    }
    return lookup(host, { all: true, verbatim: true });
  };
}

function openResolver(): Resolver {
  return new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
}

function isSilent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && SILENT.has(String(error.code));
}

function toAddresses(addresses: string[] | undefined, family: 4 | 6): LookupAddress[] {
  return (addresses ?? []).map((address) => ({ address, family }));
}
