/**
 * Which addresses this service may talk to. A merchant chooses where webhooks go, so that without the
 * guard every merchant could send requests from inside our network.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { namesHost } from '../domain/web-address.ts';

type Address = ReturnType<typeof ipaddr.parse>;
type Network = [Address, number];

export interface AddressGuard {
  /** Whether an IPv4 or IPv6 address may be connected to. Anything that is no address may not. */
  isAllowed(address: string): boolean;
}

/** Unicast by their number, but answered by the cloud that the machine stands in. */
const CLOUD_ADDRESSES = new Set(['168.63.129.16']);
/** All that has been given out for public IPv6 so far; the rest of "unicast" belongs to nobody. */
const GLOBAL_IPV6: Network = [ipaddr.parse('2000::'), 3];

/** `allowCidrs` are networks that may be reached although not public. Throws on one that is no network. */
export function createAddressGuard(allowCidrs: readonly string[]): AddressGuard {
  const allowed = allowCidrs.map(toNetwork);
  return {
    isAllowed(text) {
      if (!ipaddr.isValid(text)) return false;
      const address = ipaddr.parse(text);
      return isPublic(address) || allowed.some((network) => isIn(toPlain(address), network));
    },
  };
}

function toNetwork(cidr: string): Network {
  if (!ipaddr.isValidCIDR(cidr)) throw new Error(`EGRESS_ALLOW_CIDRS holds "${cidr}", which is no network`);
  return ipaddr.parseCIDR(cidr);
}

/**
 * Addresses that carry another one inside (mapped, translated, tunnelled) have a range of their own and
 * are refused as such: no public host needs them.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (CLOUD_ADDRESSES.has(address.toString())) return false;
  return address.kind() === 'ipv4' || isIn(address, GLOBAL_IPV6);
}

/** An IPv4 address written as IPv6 reaches the IPv4 network. */
function toPlain(address: Address): Address {
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

function isIn(address: Address, [network, bits]: Network): boolean {
  return address.kind() === network.kind() && address.match([network, bits]);
}

/**
 * Said of every address that is not reached, whatever was found there: who may name a host would otherwise learn
 * what our network calls its machines, and which names it knows.
 */
export const NOT_PUBLIC = 'it leads to an address that is not public';

export type Target = { kind: 'ok'; url: URL; literal: string | null } | { kind: 'blocked'; reason: string };

/**
 * Reads a URL as a target: http(s), no user info, and an address allowed where the host is one. The URL
 * parser brings every spelling of an address (decimal, hex, octal, short) into its one form.
 */
export function toTarget(guard: AddressGuard, text: string): Target {
  if (!URL.canParse(text)) return { kind: 'blocked', reason: 'it is not a URL' };
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { kind: 'blocked', reason: 'only http and https are possible' };
  }
  // Nobody can listen on port 0, which a parser takes all the same.
  if (!namesHost(text) || url.port === '0') {
    return { kind: 'blocked', reason: 'it is not a URL' };
  }
  if (url.username !== '' || url.password !== '') {
    return { kind: 'blocked', reason: 'a user name or password is not possible' };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) === 0) return { kind: 'ok', url, literal: null };
  if (!guard.isAllowed(host)) return { kind: 'blocked', reason: NOT_PUBLIC };
  return { kind: 'ok', url, literal: host };
}
