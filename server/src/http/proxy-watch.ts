/** Says when all buyers would seem to have one address: a proxy stands in front that the settings do not name. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';

type Logger = Service['log'];

const HOUR_MS = 3_600_000;

export interface ProxyWatch {
  /** Looks at a request; warns at most once an hour. */
  look(request: FastifyRequest): void;
}

export function watchProxy(log: Logger, monotonicMs = () => performance.now()): ProxyWatch {
  let warnedMs = Number.NEGATIVE_INFINITY;
  return {
    look(request) {
      if (request.headers['x-forwarded-for'] === undefined) return;
      // Without a list nobody is believed; with one, whoever is on it adds an address to its own.
      if ((request.ips?.length ?? 1) > 1 || monotonicMs() - warnedMs < HOUR_MS) return;
      warnedMs = monotonicMs();
      log.warn(
        { address: request.socket.remoteAddress },
        'x-forwarded-for comes from an address that TRUST_PROXY does not list: whoever is behind it counts as one client',
      );
    },
  };
}

/** Warns at once and then once an hour where https is promised, which a proxy must bring, and none is named. */
export function warnOfUnnamedProxy({ publicUrl, trustProxy }: Service['config'], log: Logger): void {
  if (!publicUrl.startsWith('https:') || trustProxy.length > 0) return;
  const warn = () =>
    log.warn('PUBLIC_URL is https and TRUST_PROXY names no proxy: all buyers count as one client');
  warn();
  setInterval(warn, HOUR_MS).unref();
}
