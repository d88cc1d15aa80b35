/**
 * What follows a renewal that was not paid: one run per subscription, started by its first failure, with
 * retries a few days apart. Times are ms on the workspace's clock.
 */

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A technical error is tried again after these times; the last one repeats. */
const ERROR_DELAYS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 60 * MINUTE_MS, DAY_MS];
/** So many technical errors of one method in that time are no soft decline yet: card networks fine who tries more. */
const ERRORS_MAX = 10;
export const ERRORS_WINDOW_MS = 30 * DAY_MS;

export interface DunningTerms {
  /** Days between one failure and the next retry. */
  retryDays: readonly number[];
}

export interface DunningRun {
  startedAtMs: number;
  /** Declines that count, the first one included. */
  failures: number;
  /** Technical errors in a row. */
  errors: number;
  /** Whether the card is not tried again by itself: the days of the retries go by with a mail alone. */
  hard: boolean;
  /** The next step. */
  retryAtMs: number;
}

export interface Failure {
  nowMs: number;
  /** A soft decline may be tried again, a hard one not; `authentication` is mended by the buyer alone. */
  decline: 'soft' | 'hard' | 'authentication' | 'technical';
  /** Technical errors of the method within `ERRORS_WINDOW_MS`, this one included. */
  recentErrors: number;
  terms: DunningTerms;
}

/** The run after a failed charge of its own; null = the run is over. `run` null = this is the first failure. */
export function planAfterFailure(
  run: Omit<DunningRun, 'retryAtMs'> | null,
  { nowMs, decline, recentErrors, terms }: Failure,
): DunningRun | null {
  const begun = run ?? beginRun(nowMs);
  if (decline === 'technical' && recentErrors < ERRORS_MAX) return planAfterError(begun, nowMs);
  const isFinal = decline === 'hard' || decline === 'authentication';
  return planNextDay({ ...begun, hard: begun.hard || isFinal }, nowMs, terms);
}

/**
 * A run whose last try has failed where it cannot end, since a pause stands in its way: nothing is charged any more,
 * and its next day ends it.
 */
export function spendRun(
  run: Omit<DunningRun, 'retryAtMs'> | null,
  nowMs: number,
  { retryDays }: DunningTerms,
): DunningRun {
  const begun = run ?? beginRun(nowMs);
  return { ...begun, failures: retryDays.length, errors: 0, hard: true, retryAtMs: nowMs };
}

function beginRun(startedAtMs: number): Omit<DunningRun, 'retryAtMs'> {
  return { startedAtMs, failures: 0, errors: 0, hard: false };
}

/** The run after a day of it on which nothing was charged, since the card was refused for good. */
export function planAfterReminder(
  run: Omit<DunningRun, 'retryAtMs'>,
  nowMs: number,
  terms: DunningTerms,
): DunningRun | null {
  return planNextDay(run, nowMs, terms);
}

function planNextDay(
  run: Omit<DunningRun, 'retryAtMs'>,
  nowMs: number,
  { retryDays }: DunningTerms,
): DunningRun | null {
  const days = retryDays[run.failures];
  if (days === undefined) return null;
  return { ...run, failures: run.failures + 1, errors: 0, retryAtMs: nowMs + days * DAY_MS };
}

/** Uses up no try. */
function planAfterError(run: Omit<DunningRun, 'retryAtMs'>, nowMs: number): DunningRun {
  const delayMs = ERROR_DELAYS_MS[Math.min(run.errors, ERROR_DELAYS_MS.length - 1)] ?? 0;
  return { ...run, errors: run.errors + 1, retryAtMs: nowMs + delayMs };
}

/** A pause stops the run; it goes on with what it had left. */
export function shiftRun<Run extends Pick<DunningRun, 'startedAtMs' | 'retryAtMs'>>(
  run: Run,
  byMs: number,
): Run {
  return { ...run, startedAtMs: run.startedAtMs + byMs, retryAtMs: run.retryAtMs + byMs };
}

/** When access ends that a failed renewal leaves for `graceDays`; null while no run is. */
export function computeAccessEndMs(startedAtMs: number | null, graceDays: number): number | null {
  return startedAtMs === null ? null : startedAtMs + graceDays * DAY_MS;
}
