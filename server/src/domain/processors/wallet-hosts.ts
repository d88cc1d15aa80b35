/** The hosts whose pages may show wallets: ours, and the sites that may show the checkout. */
import { readSecureHost } from '../frame-sources.ts';

/** Processors take names that everybody reaches by https: no wildcard, no port, no address, nothing of this machine. */
export function findWalletHosts({
  publicUrl,
  authorizedDomains,
}: {
  publicUrl: string;
  authorizedDomains: readonly string[];
}): string[] {
  const hosts = [new URL(publicUrl).origin, ...authorizedDomains].map(readSecureHost);
  return [...new Set(hosts.filter((host) => host !== null))];
}
