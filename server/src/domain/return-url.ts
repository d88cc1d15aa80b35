/** Addresses that a buyer is led back to: a shop's own page. */
import { isLoopback } from './frame-sources.ts';
import { namesHost } from './web-address.ts';

/** https; in test mode also a page of the developer's own machine. */
export function isReturnUrl(text: string, { testMode }: { testMode: boolean }): boolean {
  if (!namesHost(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (testMode && protocol === 'http:' && isOwnMachine(hostname));
}

const isOwnMachine = (hostname: string): boolean => isLoopback(hostname) || hostname === '[::1]';
