/**
 * What one connection tells at once is kept at once: what it tells while a write is under way waits for the next, which takes
 * all of it. So a burst costs a few transactions, takes one connection to the store, and each of it is answered in time.
 */

/** Of one write: each number of rows is a statement of its own. */
const AT_ONCE_MAX = 40;

interface Waiting<Told> {
  told: Told;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export type GatherTold<Told> = (
  connectionId: string,
  told: Told,
  keep: (told: readonly Told[]) => Promise<void>,
) => Promise<void>;

/** Answers once it is kept; where a write fails, all of it do. Whoever comes first brings how it is done. */
export function gatherTold<Told>(): GatherTold<Told> {
  const byConnection = new Map<string, Waiting<Told>[]>();

  async function keepAll(connectionId: string, waiting: Waiting<Told>[], keep: Keeping<Told>): Promise<void> {
    while (waiting.length > 0) {
      const taken = waiting.splice(0, AT_ONCE_MAX);
      try {
        await keep(taken.map(({ told }) => told));
        for (const { resolve } of taken) resolve();
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
    }
    byConnection.delete(connectionId);
  }

  return (connectionId, told, keep) =>
    new Promise((resolve, reject) => {
      const one = { told, resolve, reject };
      const others = byConnection.get(connectionId);
      if (others) {
        others.push(one);
        return;
      }
      const waiting = [one];
      byConnection.set(connectionId, waiting);
      void keepAll(connectionId, waiting, keep);
    });
}

type Keeping<Told> = Parameters<GatherTold<Told>>[2];
