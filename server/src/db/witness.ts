/**
 * What this process knows to be in the store: the last of the beats that it writes there each second. A store that shows
 * less has lost what it had acknowledged, as after the promotion of a standby that was behind, or a volume that was put
 * back. It is asked over each new connection, before anything else is, and held then. A server of a lower timeline than
 * was written to is the primary of before: it is refused.
 */
import type pg from 'pg';
import { NoPrimary, StalePrimary } from './hosts/primary-failure.ts';
import { TIMELINE } from './timeline.ts';

export interface Beat {
  processId: string;
  /** Counts the process's seconds. */
  count: number;
  /** Of the server that acknowledged it. */
  timeline: number | null;
  /** Real ms, by the store's clock. */
  atMs: number;
}

export interface Witness {
  remember(beat: Beat): void;
  last(): Beat | null;
  /** The highest timeline that was, or may have been, written to; null = none is known. */
  highest(): number | null;
  /** So high it is from a process of before. */
  atLeast(timeline: number): void;
  /** Keeps a timeline that is higher than all before, before anything is written there. */
  keepBy(keep: (beat: Beat) => Promise<void>): void;
  /** Throws what the connection throws, NoPrimary for a standby, and StalePrimary. */
  inspect(client: Pick<pg.ClientBase, 'query'>): Promise<void>;
}

const LOOK = `select exists (select from processes where id = $1 and beat >= $2) as "isThere", ${TIMELINE} as timeline`;
const LOOK_AT_TIMELINE = `select true as "isThere", ${TIMELINE} as timeline`;
const HOLD = `update installation_state set held_since = real_now_ms(), held_reason = 'witness' where held_since is null`;

interface Seen {
  isThere: boolean;
  timeline: number | null;
}

/** `onLost` is told once the store is held, `onStale` of each connection that is refused. */
export function createWitness(onLost: () => void, onStale: (stale: StalePrimary) => void): Witness {
  let last: Beat | null = null;
  let highest: number | null = null;
  let keep: (beat: Beat) => Promise<void> = async () => {};

  const raise = (timeline: number | null) => {
    if (timeline !== null && timeline > (highest ?? 0)) highest = timeline;
  };

  async function look(client: Pick<pg.ClientBase, 'query'>): Promise<Seen> {
    const asked = last
      ? client.query<Seen>(LOOK, [last.processId, last.count])
      : client.query<Seen>(LOOK_AT_TIMELINE);
    const [seen] = (await asked).rows;
    if (!seen) throw new Error('a select without a table answers one row');
    return seen;
  }

  return {
    last: () => last,
    highest: () => highest,
    atLeast: raise,
    keepBy(kept) {
      keep = kept;
    },
    remember(beat) {
      last = beat;
      raise(beat.timeline);
    },
    async inspect(client) {
      // Nothing was acknowledged yet.
      if (last === null && highest === null) return;
      const { isThere, timeline } = await look(client);
      if (timeline === null) throw new NoPrimary('the server that was reached is a standby');
      if (highest !== null && timeline < highest) {
        const stale = new StalePrimary(timeline, highest);
        onStale(stale);
        throw stale;
      }
      const isNew = timeline > (highest ?? 0);
      raise(timeline);
      if (isNew && last) await keep(last);
      if (isThere) return;
      await client.query(HOLD);
      onLost();
    },
  };
}
