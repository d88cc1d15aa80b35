/** An address of the internet as the network that it lies in: /24 of the old kind, /48 of the new one. */

const MAPPED = /^::ffff:(?=\d+\.)/i;

export function maskAddress(given: string): string {
  const address = given.replace(MAPPED, '');
  const parts = address.split('.');
  if (parts.length === 4 && !address.includes(':')) return `${parts.slice(0, 3).join('.')}.0/24`;
  if (!address.includes(':')) return '***';
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right];
  return `${groups.slice(0, 3).join(':')}::/48`;
}
