/**
 * Real time, as the store has it. The machine's own clock may be set back or ahead under a running process: what is
 * due, expires or is stamped follows the database, which all processes share, and goes on in between by a clock that
 * only goes forward.
 */
import type pg from 'pg';

export interface StoreClock {
  /** Real time in whole ms. */
  nowMs(): number;
  /**
   * The same for what must not be done late: no earlier than the machine's own clock has it, which may have been set, or
   * have gone on while the other one stood still, since the store was asked.
   */
  latestMs(): number;
  /** Asks the store anew; answers by how much the machine's clock is ahead of it (ms). */
  sync(): Promise<number>;
  /** What the last of these answers was; null = it was never asked. */
  offMs(): number | null;
}

/** A machine's clock that has moved so far beside the other one was set: the store's may have been, too. */
const STEP_MS = 1_000;

/** The machine's clock tells whole ms, so that what it was first taken for is up to one behind. */
const GRAIN_MS = 1;

/** Of a question that took too long to tell anything. */
const TRIES_MAX = 3;

const QUESTION = 'select extract(epoch from clock_timestamp())::float8 * 1000 as "nowMs"';

/** Until it is asked for the first time the store is taken to have the machine's time. */
export function createStoreClock(
  pool: pg.Pool,
  machine: { wallMs(): number; steadyMs(): number } = {
    wallMs: () => Date.now(),
    steadyMs: () => performance.now(),
  },
): StoreClock {
  let offsetMs = machine.wallMs() - machine.steadyMs();
  let wallOffsetMs = offsetMs;
  let asking: Promise<number> | null = null;
  let lastOffMs: number | null = null;

  async function ask(triesLeft = TRIES_MAX): Promise<number> {
    const beforeMs = machine.steadyMs();
    const { rows } = await pool.query<{ nowMs: number }>(QUESTION);
    const afterMs = machine.steadyMs();
    const storeMs = rows[0]?.nowMs ?? 0;
    // When between the two the store looked nobody knows. What was held for right and can be so stays; else half of the way is
    // taken for the way back, but not where minutes lie between: this process was halted, or waited for its turn.
    const [least, most] = [storeMs - afterMs, storeMs - beforeMs];
    if (offsetMs < least - GRAIN_MS || offsetMs > most) {
      if (most - least > STEP_MS && triesLeft > 1) return ask(triesLeft - 1);
      offsetMs = (least + most) / 2;
    }
    wallOffsetMs = machine.wallMs() - afterMs;
    lastOffMs = wallOffsetMs - offsetMs;
    return lastOffMs;
  }

  function sync(): Promise<number> {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  function nowMs(): number {
    const steadyMs = machine.steadyMs();
    if (Math.abs(machine.wallMs() - steadyMs - wallOffsetMs) > STEP_MS) void sync().catch(() => {});
    return Math.floor(steadyMs + offsetMs);
  }

  return {
    nowMs,
    latestMs: () => Math.max(nowMs(), Math.floor(machine.wallMs() - (lastOffMs ?? 0))),
    sync,
    offMs: () => lastOffMs,
  };
}
