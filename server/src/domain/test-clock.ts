/** How far an advance of the test clock goes. */
import { Temporal } from 'temporal-polyfill';

/** Each 0 or more; calendar units are added in UTC, months before days, as `boundaryMs` does. */
export interface ClockStep {
  years?: number;
  months?: number;
  weeks?: number;
  days?: number;
  hours?: number;
  minutes?: number;
}

/** The most that one call moves the clock. */
const YEARS_MAX = 5;

/** The moment (ms) that lies the step after `nowMs`. */
export function addStep(nowMs: number, step: ClockStep): number {
  return toUtc(nowMs).add(step, { overflow: 'constrain' }).epochMilliseconds;
}

/** The last moment (ms) that an advance from `nowMs` may reach. */
export function lastReachableMs(nowMs: number): number {
  return toUtc(nowMs).add({ years: YEARS_MAX }).epochMilliseconds;
}

function toUtc(ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO('UTC');
}
