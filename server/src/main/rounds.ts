/** What a process does again and again by real time, whatever is due: ended by a stop before the store is closed. */
import { setTimeout as wait } from 'node:timers/promises';

/** One that waits for the outside is not waited for longer: the next start does what it leaves. */
const END_WITHIN_MS = 5_000;

export type Round = (ending: AbortSignal) => Promise<unknown>;

export interface Every {
  everyMs: number;
  /** Until the first; `everyMs` when missing. */
  firstMs?: number;
}

export interface Rounds {
  /** Of each, one at a time. */
  every(times: Every, run: Round, failed?: (error: unknown) => void): void;
  /** At once, and no more. */
  once(run: Round, failed?: (error: unknown) => void): void;
  /** Begins none any more, and gives those that run their time. What fails from then on is no failure. */
  end(): Promise<void>;
}

export function createRounds(): Rounds {
  const ending = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const running = new Set<Promise<void>>();
  const begin = (run: Round, failed: (error: unknown) => void): Promise<void> => {
    const round = run(ending.signal).then(
      () => {},
      (error: unknown) => {
        if (!ending.signal.aborted) failed(error);
      },
    );
    running.add(round);
    return round.finally(() => running.delete(round));
  };
  const keep = (timer: NodeJS.Timeout) => void timers.add(timer.unref());
  return {
    every: ({ everyMs, firstMs = everyMs }, run, failed = () => {}) => {
      let isRunning = false;
      const turn = async () => {
        if (isRunning || ending.signal.aborted) return;
        isRunning = true;
        await begin(run, failed);
        isRunning = false;
      };
      if (firstMs !== everyMs) keep(setTimeout(() => void turn(), firstMs));
      keep(setInterval(() => void turn(), everyMs));
    },
    once: (run, failed = () => {}) => void begin(run, failed),
    end: async () => {
      ending.abort();
      for (const timer of timers) clearTimeout(timer);
      await Promise.race([Promise.all(running), wait(END_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
