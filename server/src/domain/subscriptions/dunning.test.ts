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
  for (const decline of declines) {
    run = planAfterFailure(run, { nowMs, decline, terms: given });
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

  it('retries a technical error within minutes and uses up no try', () => {
    const { days, run } = play(['technical', 'technical', 'technical', 'technical']);
    expect(days.map((day) => Math.round((day * DAY_MS) / MINUTE_MS))).toEqual([5, 20, 80, 140]);
    expect(run).toMatchObject({ failures: 0, errors: 4 });
    expect(play(['technical', 'soft', 'soft']).run).toMatchObject({ failures: 2, errors: 0 });
  });

  it('ends a run of nothing but technical errors a day after its last day', () => {
    const begun = { startedAtMs: 0, failures: 4, errors: 9, hard: false };
    const at = (nowMs: number) => planAfterFailure(begun, { nowMs, decline: 'technical', terms });
    expect(at(22 * DAY_MS)).not.toBeNull();
    expect(at(22 * DAY_MS + 1)).toBeNull();
  });

  it('keeps the days of the run after a hard decline, and remembers that nothing is to be charged', () => {
    const run = planAfterFailure(null, { nowMs: 0, decline: 'hard', terms });
    expect(run).toEqual({ startedAtMs: 0, failures: 1, errors: 0, hard: true, retryAtMs: 2 * DAY_MS });
  });
});

describe('planAfterReminder', () => {
  it('goes through the days of the retries and is over with the last', () => {
    let run = planAfterFailure(null, { nowMs: 0, decline: 'hard', terms });
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
