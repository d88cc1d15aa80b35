/** Before anything is written: whether the store's primary is one that this machine has seen replaced. */

import { createClient } from '../db/hosts/hosts-client.ts';
import { StalePrimary } from '../db/hosts/primary-failure.ts';
import { TIMELINE } from '../db/timeline.ts';
import { readBeat } from './beat-file.ts';

interface Server {
  timeline: number | null;
  systemIdentifier: string;
}

/**
 * Answers the timeline that was written to at least; null = nobody remembers one of this store. Throws StalePrimary. The
 * timelines of a store that was made anew are others: that one is held by its identifier.
 */
export async function refuseStale(url: string | null, dataDir: string): Promise<number | null> {
  const kept = await readBeat(dataDir);
  if (url === null || kept === null || kept.timeline === null) return null;
  const { timeline, systemIdentifier } = await readServer(url);
  if (kept.systemIdentifier !== systemIdentifier || timeline === null) return null;
  if (timeline < kept.timeline) throw new StalePrimary(timeline, kept.timeline);
  return kept.timeline;
}

async function readServer(connectionString: string): Promise<Server> {
  const client = createClient({ connectionString, application_name: 'counterfoil' });
  // What breaks shows in what is asked.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Server>(
      `select ${TIMELINE} as timeline, system_identifier::text as "systemIdentifier" from pg_control_system()`,
    );
    const [server] = rows;
    if (!server) throw new Error('a server says what it is in one row');
    return server;
  } finally {
    await client.end();
  }
}
