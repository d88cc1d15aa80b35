import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import { Refusal } from '../domain/errors.ts';
import { isInstallationHeld } from '../resources/installation/held.queries.ts';

/** Whether the service takes requests; while it stops it serves what comes on open connections. */
export interface Readiness {
  isReady: boolean;
  isStopping: boolean;
}

const PATHS = new Set(['/healthz', '/readyz', '/startz']);

export const isProbe = (request: Pick<FastifyRequest, 'url'>) => PATHS.has(request.url);

/**
 * For whoever runs it: `/healthz` says that the process turns, `/readyz` whether to send it requests, and `/startz`
 * whether it has ever been ready, so that a store which is away for a while has nobody restarted. One
 * that is held is ready: starting it again would not help.
 */
export function addHealth(app: FastifyInstance, service: Service, readiness: Readiness): void {
  const probe = { schema: { hide: true } };
  let hasStarted = false;
  const ask = async () => {
    if (!readiness.isReady || readiness.isStopping) throw new Refusal('unavailable');
    try {
      const held = await isInstallationHeld(service.db);
      hasStarted = true;
      return { status: 'ready', held };
    } catch (cause) {
      throw new Refusal('unavailable', { cause });
    }
  };
  app.get('/healthz', probe, async () => ({ status: 'ok' }));
  app.get('/readyz', probe, ask);
  app.get('/startz', probe, async () => (hasStarted ? { status: 'started' } : ask()));
}
