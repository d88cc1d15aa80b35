/** Who counts as one client by address: an IPv4 address, or the /64 of an IPv6 one, which one household holds whole. */

const IPV4 = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/;
const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
/** As some proxies write an IPv6 address, with the port of the connection behind it. */
const BRACKETED = /^\[([^\]]+)\](?::\d+)?$/;
/** The groups before an IPv4 address that is written as one of IPv6. */
const BEFORE_MAPPED = '0:0:0:0:0:ffff';
const LENGTH_MAX = 64;

/** What is no address, as a proxy may pass it on, counts as it is written. */
export function toAddressKey(address: string): string {
  const plain = IPV4.exec(address)?.[1] ?? MAPPED.exec(address)?.[1];
  if (plain) return plain;
  const groups = toGroups((BRACKETED.exec(address)?.[1] ?? address).replace(/%.*$/, ''));
  if (!groups) return address.slice(0, LENGTH_MAX);
  if (groups.slice(0, 6).join(':') === BEFORE_MAPPED) return toIpv4(groups.slice(6));
  return `${groups.slice(0, 4).join(':')}::/64`;
}

/** Of the two groups that hold it. */
function toIpv4(groups: string[]): string {
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((pair) => [pair >> 8, pair & 255])
    .join('.');
}

/** The eight groups of an IPv6 address without leading zeros; null for what is none. */
function toGroups(address: string): string[] | null {
  if (!address.includes(':') || !URL.canParse(`http://[${address}]/`)) return null;
  // The URL parser knows every spelling, and answers the shortest one.
  const shortest = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = shortest.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = !tail ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array<string>(zeros).fill('0'), ...after];
}
