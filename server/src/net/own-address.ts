/** Where this service itself is found: what it sends there would come back as something to be told of, without end. */
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export interface OwnAddress {
  /** Whether a URL names this service, by the name that the world knows it by. */
  isOwnUrl(url: URL): boolean;
  /** Whether this process listens there. */
  isOwnSocket(address: string, port: number): boolean;
}

export const OWN_ADDRESS = 'it leads to this service itself';

const WEB_PORTS = new Set([80, 443]);

export function createOwnAddress({ publicUrl, port }: { publicUrl: string; port: number }): OwnAddress {
  const known = new URL(publicUrl);
  const knownPort = portOf(known);
  return {
    isOwnUrl(url) {
      if (url.hostname !== known.hostname) return false;
      const asked = portOf(url);
      // A web server leads from one of its two ports to the other.
      return asked === knownPort || (WEB_PORTS.has(asked) && WEB_PORTS.has(knownPort));
    },
    isOwnSocket: (address, asked) => asked === port && isOfThisMachine(address),
  };
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function isOfThisMachine(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (['loopback', 'unspecified'].includes(address.range())) return true;
  const own = Object.values(networkInterfaces()).flatMap((interfaces) => interfaces ?? []);
  return own.some((one) => ipaddr.isValid(one.address) && isSame(ipaddr.process(one.address), address));
}

function isSame(a: ReturnType<typeof ipaddr.process>, b: ReturnType<typeof ipaddr.process>): boolean {
  return a.toNormalizedString() === b.toNormalizedString();
}
