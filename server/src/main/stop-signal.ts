/**
 * What asks a process to end, heard from the first moment on: a start that is cut short would leave a PostgreSQL behind,
 * or half of one. A second signal ends the process at once.
 */
import type { Interface } from 'node:readline/promises';
import { removeOwnCopies } from '../db/embedded/backups/killed-copies.ts';
import { stopEmbeddedStores } from '../db/embedded/store.ts';
import { EXIT } from './exit-codes.ts';

/** The last is that of a terminal which is closed. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/** A terminal's Ctrl-C reaches this process itself and once more through npm. */
const SAME_SIGNAL_MS = 250;

export interface StopSignal {
  isAsked(): boolean;
  /** What is done when it is asked for, in place of what was to be done before; at once if it was. */
  onAsked(stop: () => void): void;
}

export function hearStop(secondCode: number = EXIT.bug): StopSignal {
  let askedMs: number | null = null;
  let stop = () => {};
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const isSecond = askedMs !== null && performance.now() - askedMs > SAME_SIGNAL_MS;
      if (isSecond) process.exit(secondCode);
      if (askedMs !== null) return;
      askedMs = performance.now();
      stop();
    });
  }
  return {
    isAsked: () => askedMs !== null,
    onAsked(next) {
      stop = next;
      if (askedMs !== null) next();
    },
  };
}

let interrupted = false;

/** Whether a signal is ending this command: what goes wrong from then on is of that, and told to nobody. */
export const isInterrupted = (): boolean => interrupted;

/**
 * Of a command: it ends at once, what it was doing is rolled back, and the embedded PostgreSQL that it has started goes with
 * it, and the copy of a store that it was making. `clean` removes what nobody else would.
 */
export function endOnSignal(clean: () => Promise<void> = async () => {}): void {
  hearStop(EXIT.declined).onAsked(() => {
    interrupted = true;
    stopEmbeddedStores()
      .then(removeOwnCopies)
      .then(clean)
      .catch((error: unknown) => console.error(error))
      .finally(() => process.exit(EXIT.declined));
  });
}

/** A question keeps the Ctrl-C that is typed at it to itself. */
export function passOnInterrupt(terminal: Interface): void {
  terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
}
