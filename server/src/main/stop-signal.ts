/**
 * SIGTERM and SIGINT, heard from the first moment on: a start that is cut short would leave a PostgreSQL behind, or half of
 * one. A second signal ends the process at once.
 */

/** A terminal's Ctrl-C reaches this process itself and once more through npm. */
const SAME_SIGNAL_MS = 250;

export interface StopSignal {
  isAsked(): boolean;
  /** What is done when it is asked for, in place of what was to be done before; at once if it was. */
  onAsked(stop: () => void): void;
}

export function hearStop(): StopSignal {
  let askedMs: number | null = null;
  let stop = () => {};
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      const isSecond = askedMs !== null && performance.now() - askedMs > SAME_SIGNAL_MS;
      if (isSecond) process.exit(1);
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
