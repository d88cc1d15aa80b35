/**
 * One connection whose other end is gone is seldom alone: a firewall that forgets, or a machine that freezes, takes all that
 * it has. Each would be found by a request of its own, which waits for longer than a statement may take: so those go with the
 * first that is found that have been idle for as long as it was silent. What was used since is heard of, and stays.
 */
import type { EventEmitter } from 'node:events';
import type pg from 'pg';
import { SILENT, WatchedClient } from './watched-client.ts';

export function dropWithSilent(pool: pg.Pool): void {
  const idleSince = new Map<pg.PoolClient, number>();
  pool.on('acquire', (client) => void idleSince.delete(client));
  pool.on('remove', (client) => void idleSince.delete(client));
  pool.on('release', (_error, client) => void idleSince.set(client, performance.now()));
  pool.on('connect', (client) => {
    (client as EventEmitter).on(SILENT, (heardMs: number) => {
      for (const [idle, sinceMs] of idleSince) {
        if (sinceMs <= heardMs && idle instanceof WatchedClient) idle.distrustWhileIdle();
      }
    });
  });
}
