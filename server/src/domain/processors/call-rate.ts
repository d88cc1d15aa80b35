/** How many calls a second a processor is asked, in all and at one of its endpoints. */

export interface CallRates {
  /** Calls a second; null = as many as there are. */
  all: number | null;
  endpoint: number | null;
}

/** Of what is due by itself: a quarter is kept for buyers who wait. */
export const BACKGROUND_SHARE = 0.75;
/** Slowed down for so long by a processor that says that it was too much. */
const SLOW_MS = 10_000;
/** Less would be none. */
const SLOWEST = 0.5;

const RATES = /^(\d{1,6})(?:\/(\d{1,6}))?$/;
const RATE_MAX = 100_000;

/** `80/20`: in all, and to one endpoint; one figure alone is both, and 0 is no limit. Null = neither. */
export function readCallRates(text: string): CallRates | null {
  const [, all, endpoint = all] = RATES.exec(text) ?? [];
  if (all === undefined || endpoint === undefined) return null;
  if (Number(all) > RATE_MAX || Number(endpoint) > RATE_MAX) return null;
  return { all: Number(all) || null, endpoint: Number(endpoint) || null };
}

/** Times of the last calls, oldest first; as many as a rate looks back at. */
export type CallTimes = number[];

/** In no second more than the rate: of one that is no whole number the rest is left. */
function toWindow(perSecond: number): { calls: number; overMs: number } {
  return perSecond < 1
    ? { calls: 1, overMs: 1000 / perSecond }
    : { calls: Math.floor(perSecond), overMs: 1000 };
}

/** How long until the next call is within the rate; 0 = now. */
export function findWaitMs(times: CallTimes, perSecond: number, nowMs: number): number {
  const { calls, overMs } = toWindow(perSecond);
  const first = times.at(-calls);
  return first === undefined ? 0 : Math.max(0, first + overMs - nowMs);
}

export function noteCall(times: CallTimes, perSecond: number, nowMs: number): void {
  times.push(nowMs);
  const { calls } = toWindow(perSecond);
  if (times.length > calls) times.splice(0, times.length - calls);
}

/** The processor has said that it was too much. */
export interface Slowed {
  sinceMs: number;
  perSecond: number;
}

/** Of the rate in all, as it is now; a second later by one more, behind ten seconds. */
export function findRate(slowed: Slowed | null, perSecond: number, nowMs: number): number {
  if (slowed === null) return perSecond;
  const fasterMs = Math.max(0, nowMs - slowed.sinceMs - SLOW_MS);
  return Math.min(perSecond, slowed.perSecond + fasterMs / 1000);
}

/** Half of what it is now. */
export function slowDown(slowed: Slowed | null, perSecond: number, nowMs: number): Slowed {
  return { sinceMs: nowMs, perSecond: Math.max(SLOWEST, findRate(slowed, perSecond, nowMs) / 2) };
}
