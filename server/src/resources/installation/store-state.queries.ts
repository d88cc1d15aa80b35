/** What the store is at this moment, for who watches: asked every second, and so cheap. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { HELD_SINCE } from './held.sql.ts';
import { TIMELINE } from './timeline.sql.ts';

export interface StoreState {
  /** The name of the last migration that ran; null = none has. */
  schema: string | null;
  /** Of the server's history: one more with each standby that is made the primary. Null = it is a standby itself. */
  timeline: number | null;
  /** Whether any live store is: with the whole, or alone. */
  isHeld: boolean;
}

export async function readStoreState(db: Db): Promise<StoreState> {
  const { rows } = await sql<StoreState>`
    select (select max(name) from schema_migrations) as schema, ${TIMELINE} as timeline,
      (${HELD_SINCE} is not null or exists (select from stores where not test_mode and held_since is not null))
        as is_held`.execute(db);
  const [state] = rows;
  if (!state) throw new Error('a select without a table answers one row');
  return state;
}
