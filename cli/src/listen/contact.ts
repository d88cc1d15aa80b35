/** Asks until there is an answer: a service that restarts, or a lid that was closed, loses nothing. */
import { CommandError, EXIT, type Io } from '../io.ts';

const PAUSE_FIRST_MS = 1_000;
const PAUSE_MAX_MS = 30_000;
/** Without contact for so long, somebody should look. */
const LOST_MAX_MS = 10 * 60_000;
/** One try takes no longer: what lies beyond was sleep, in which nothing could be asked. */
const TRY_MAX_MS = 40_000;

export type Reach = <T>(ask: () => Promise<T>) => Promise<T>;

export function createReach(io: Io): Reach {
  let lostMs = 0;
  let pauseMs = PAUSE_FIRST_MS;
  return async (ask) => {
    for (;;) {
      const beganMs = io.nowMs();
      try {
        const answer = await ask();
        if (lostMs > 0) io.err('Connected again.');
        lostMs = 0;
        pauseMs = PAUSE_FIRST_MS;
        return answer;
      } catch (error) {
        if (!(error instanceof CommandError) || !error.isPassing) throw error;
        if (lostMs === 0) io.err(`${error.message} Trying again for ${LOST_MAX_MS / 60_000} minutes.`);
        await io.sleep(pauseMs, io.signal);
        if (io.signal.aborted)
          throw new CommandError(EXIT.interrupted, 'Interrupted.', { code: 'interrupted' });
        lostMs += Math.min(io.nowMs() - beganMs, pauseMs + TRY_MAX_MS);
        if (lostMs >= LOST_MAX_MS)
          throw new CommandError(EXIT.unreachable, error.message, { code: error.code });
        pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
      }
    }
  };
}
