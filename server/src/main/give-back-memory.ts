/**
 * A start, or a busy hour, needs memory that nobody needs afterwards, and V8 collects only when it is short of it: a
 * process that has become quiet would hold it for good. So it is asked to, by what its own debugger would ask.
 */
import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';

const LOOK_EVERY_MS = 2_000;
/** The share of its time that a quiet process is at work. */
const QUIET_SHARE = 0.05;
/** A collection stops the process for 0.1 to 0.3 s: it is worth a tenth of the work that it tidies up after. */
const WORTH_MS = 2_000;

/** What a process did since it was last looked at. */
export interface Activity {
  /** Milliseconds at work. */
  activeMs: number;
  /** Of the time that has gone by: 0 to 1. */
  share: number;
}

/** Answers, look by look, whether it is time to collect: it is quiet, and was busy since the last time, or has just begun. */
export function createQuietWatch(): (activity: Activity) => boolean {
  let busyMs = WORTH_MS;
  return ({ activeMs, share }) => {
    // The little that a quiet process does adds up over a day, and leaves nothing behind.
    if (share >= QUIET_SHARE) busyMs += activeMs;
    else if (busyMs >= WORTH_MS) {
      busyMs = 0;
      return true;
    }
    return false;
  };
}

/** Collects all that is not in use and gives its pages back to the system; stops the process for as long as it takes. */
export function giveBackMemory(): Promise<void> {
  const session = new Session();
  session.connect();
  return new Promise((resolve) => {
    // V8 answers from within the collection, with a lock held that the end of a session waits for: a session that is
    // ended there stops the process for good.
    const done = () => {
      setImmediate(() => {
        session.disconnect();
        resolve();
      });
    };
    session.post('HeapProfiler.enable');
    session.post('HeapProfiler.collectGarbage', done);
  });
}

/** For as long as the process lives. */
export function keepGivingBackMemory(): void {
  const isTime = createQuietWatch();
  let last = performance.eventLoopUtilization();
  const look = () => {
    const now = performance.eventLoopUtilization();
    const { active, utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (!isTime({ activeMs: active, share: utilization })) return;
    // What it cost is no work that leaves something behind.
    void giveBackMemory().then(() => {
      last = performance.eventLoopUtilization();
    });
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}
