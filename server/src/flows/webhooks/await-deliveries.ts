/**
 * Lets those wait who ask for a listener's deliveries. However many wait in this process, one look at the store serves
 * them all, and between two looks nobody holds a connection.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Listening } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { findAwaited, type ListenerKey } from '../../resources/listeners/listeners.queries.ts';

const LOOK_EVERY_MS = 400;

interface Waiting {
  key: ListenerKey;
  /** True = there is something; false = there is not, and nobody waits any more. */
  tell: (isHeard: boolean) => void;
}

export function createListening(store: { db: Db; log: Logger; realNowMs: () => number }): Listening {
  const waiting = new Set<Waiting>();
  let isLooking = false;
  let isOver = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    while (waiting.size > 0) {
      await wait(LOOK_EVERY_MS, undefined, { ref: false });
      const asked = [...waiting];
      const keys = asked.map(({ key }) => key);
      const found = await findAwaited(store.db, keys, store.realNowMs()).catch((error: unknown) => {
        // They wait on: the next look may find the store again.
        store.log.warn({ err: error }, 'it could not be seen whether anything waits for listeners');
        return new Set<string>();
      });
      for (const { key, tell } of asked) if (found.has(key.listenerId)) tell(true);
    }
    isLooking = false;
  }

  return {
    wait(key, { ms, gone }) {
      if (isOver || gone.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const tell = (isHeard: boolean) => {
          waiting.delete(one);
          clearTimeout(timer);
          gone.removeEventListener('abort', leave);
          resolve(isHeard);
        };
        const leave = () => tell(false);
        const one = { key, tell };
        const timer = setTimeout(leave, ms);
        gone.addEventListener('abort', leave);
        waiting.add(one);
        void look();
      });
    },
    stop() {
      isOver = true;
      for (const { tell } of [...waiting]) tell(false);
    },
  };
}
