/** The networks that a key pair's requests must come from. */
import ipaddr from 'ipaddr.js';
import { invalidField } from './errors.ts';

export const NETWORKS_MAX = 50;

/** Each network in its one spelling, a single address as a network of its own. Throws invalid_input. */
export function toNetworks(texts: readonly string[]): string[] {
  const networks = texts.map((text, at) => {
    const network = toNetwork(text.trim());
    if (network === null)
      throw invalidField(`ipAllowList.${at}`, `must be a network such as 203.0.113.0/24, not "${text}"`);
    return network;
  });
  return [...new Set(networks)];
}

function toNetwork(text: string): string | null {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text);
    return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || address.kind() === 'ipv6'
      ? `${address.toString()}/${bits}`
      : null;
  }
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  if (!isAddress) return null;
  const address = ipaddr.process(text);
  return `${address.toString()}/${address.kind() === 'ipv4' ? 32 : 128}`;
}

/** An IPv4 address written as IPv6 is that IPv4 address. What is no address comes from nowhere that is allowed. */
export function isFromNetworks(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const from = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === from.kind() && from.match(base, bits);
  });
}
