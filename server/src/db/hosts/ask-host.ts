/** What one host says of itself, over a connection of its own that is closed again. */
import type { StoreHost } from '../../domain/store-url.ts';
import { TIMELINE } from '../timeline.ts';
import { WatchedClient } from '../watched-client.ts';

/** Of those that refuse nobody knows what they are; those that are silent have no server, or none that answers. */
export type Said =
  | { is: 'primary'; timeline: number }
  | { is: 'standby' }
  | { is: 'refusing'; why: string }
  | { is: 'silent'; why: string };

/** A request waits 2 s for a connection, and is to have some of it left. */
const ANSWER_WITHIN_MS = 1_500;

export async function askHost({ url }: StoreHost): Promise<Said> {
  const client = new WatchedClient({
    connectionString: url,
    application_name: 'counterfoil',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    silenceLimitMs: ANSWER_WITHIN_MS,
  });
  // What breaks shows in what is asked.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: number | null }>(`select ${TIMELINE} as timeline`);
    const timeline = rows[0]?.timeline ?? null;
    return timeline === null ? { is: 'standby' } : { is: 'primary', timeline };
  } catch (error) {
    return toFailure(error);
  } finally {
    // One that is silent has been cut off already; nobody waits for the others' farewell.
    void client.end().catch(() => {});
  }
}

function toFailure(error: unknown): Said {
  const why = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // The five characters that PostgreSQL itself answers with.
  return /^[0-9A-Z]{5}$/.test(code) && !/^E/.test(code) ? { is: 'refusing', why } : { is: 'silent', why };
}
