import { describe, expect, it } from 'vitest';
import {
  computeAccessEndMs,
  type DunningRun,
  type Failure,
  planAfterFailure,
  planAfterReminder,
  shiftRun,
} from './dunning.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const terms = { retryDays: [2, 5, 7, 7] };

/** Plays failures one after the other, each at the moment the run planned, and answers these moments in days. */
function play(
  declines: Array<Failure['decline']>,
  given = terms,
): { days: number[]; run: DunningRun | null } {
  let run: DunningRun | null = null;
  let nowMs = 0;
  const days: number[] = [];
  let recentErrors = 0;
  for (const decline of declines) {
    if (decline === 'technical') recentErrors += 1;
    run = planAfterFailure(run, { nowMs, decline, recentErrors, terms: given });
    if (run === null) break;
    nowMs = run.retryAtMs;
    days.push(nowMs / DAY_MS);
  }
  return { days, run };
}

describe('planAfterFailure', () => {
  it('retries 2, 5, 7 and 7 days apart, and is over with the fourth', () => {
    expect(play(['soft', 'soft', 'soft', 'soft'])).toMatchObject({
      days: [2, 7, 14, 21],
      run: { failures: 4 },
    });
    expect(play(['soft', 'soft', 'soft', 'soft', 'soft']).run).toBeNull();
  });

  it('follows the setting, down to no retry at all', () => {
    expect(play(['soft', 'soft'], { retryDays: [1] })).toEqual({ days: [1], run: null });
    expect(play(['soft'], { retryDays: [] }).run).toBeNull();
  });

  it('P27 retries a technical error after 5, 15 and 60 minutes, then once a day, and uses up no try', () => {
    const { days, run } = play(['technical', 'technical', 'technical', 'technical']);
    expect(days.map((day) => Math.round((day * DAY_MS) / MINUTE_MS))).toEqual([5, 20, 80, 80 + 1440]);
    expect(run).toMatchObject({ failures: 0, errors: 4 });
    expect(play(['technical', 'soft', 'soft']).run).toMatchObject({ failures: 2, errors: 0 });
  });

  it('P27 takes the tenth technical error of a method in 30 days for a soft decline', () => {
    const { days, run } = play(Array.from({ length: 13 }, () => 'technical' as const));
    const last = days[8] ?? 0;
    expect(days.slice(8)).toEqual([0, 2, 7, 14, 21].map((day) => last + day));
    expect(run).toMatchObject({ failures: 4, hard: false });
    expect(play(Array.from({ length: 14 }, () => 'technical' as const)).run).toBeNull();
  });

  it('keeps the days of the run after a hard decline, and remembers that nothing is to be charged', () => {
    const run = planAfterFailure(null, { nowMs: 0, decline: 'hard', recentErrors: 0, terms });
    expect(run).toEqual({ startedAtMs: 0, failures: 1, errors: 0, hard: true, retryAtMs: 2 * DAY_MS });
  });
});

describe('planAfterReminder', () => {
  it('goes through the days of the retries and is over with the last', () => {
    let run = planAfterFailure(null, { nowMs: 0, decline: 'hard', recentErrors: 0, terms });
    const days: number[] = [];
    while (run !== null) {
      days.push(run.retryAtMs / DAY_MS);
      run = planAfterReminder(run, run.retryAtMs, terms);
    }
    expect(days).toEqual([2, 7, 14, 21]);
  });
});

it('a pause moves the whole run', () => {
  expect(shiftRun({ startedAtMs: 10, retryAtMs: 20 }, 5)).toEqual({ startedAtMs: 15, retryAtMs: 25 });
});

it('access stays for the days of grace', () => {
  expect(computeAccessEndMs(DAY_MS, 7)).toBe(8 * DAY_MS);
  expect(computeAccessEndMs(null, 7)).toBeNull();
});
