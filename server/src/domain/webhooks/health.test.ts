import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AttemptEnd, applyAttempt, HEALTHY, lookAtStreak, type WebhookState } from './health.ts';

const HOUR_MS = 3_600_000;
const THRESHOLDS = { failures: 10, lookAfterMs: 120 * HOUR_MS };
const FRESH: WebhookState = { status: 'active', ...HEALTHY, lastSuccessAt: null, lastFailureAt: null };

type Step = AttemptEnd['kind'] | 'look';

/** Runs steps one hour apart from hour 1 on (a look as at the 200th hour) and tells every mail. */
function run(steps: Step[], from = FRESH) {
  let state = from;
  const mails: string[] = [];
  for (const [index, step] of steps.entries()) {
    const atMs = (index + 1) * HOUR_MS;
    const change =
      step === 'look'
        ? lookAtStreak(state, 200 * HOUR_MS, THRESHOLDS)
        : applyAttempt(state, { kind: step, atMs }, THRESHOLDS);
    if (!change) continue;
    state = change.after;
    mails.push(...change.mails);
  }
  return { state, mails };
}

const failed = (times: number): Step[] => Array.from({ length: times }, () => 'failed');

describe('applyAttempt', () => {
  const told = (...names: string[]) => names.map((name) => `webhook_${name}`);
  const cases: Array<[string, Step[], Partial<WebhookState>, string[]]> = [
    ['four failures: nobody is told', failed(4), { health: 'ok', streakFailures: 4 }, []],
    ['five in a row', failed(5), { health: 'failing' }, told('failing')],
    ['many in a row tell once', failed(9), { health: 'failing', status: 'active' }, told('failing')],
    [
      'a 2xx between them',
      [...failed(4), 'delivered', ...failed(4)],
      { health: 'ok', streakFailures: 4 },
      [],
    ],
    [
      'recovering',
      [...failed(6), 'delivered', 'delivered'],
      { health: 'ok', streakStartedAt: null },
      told('failing', 'recovering'),
    ],
    ['a short streak recovers in silence', ['failed', 'delivered'], { health: 'ok' }, []],
    ['blocked at once', ['blocked', 'blocked'], { health: 'blocked' }, told('blocked')],
    ['blocked and back', ['blocked', 'delivered'], { health: 'ok' }, told('blocked', 'recovering')],
    ['blocked, then failing', ['blocked', ...failed(4)], { health: 'failing' }, told('blocked', 'failing')],
    ['gone', ['gone'], { status: 'inactive', health: 'disabled' }, told('disabled')],
    ['gone twice tells once', ['gone', 'gone'], { status: 'inactive' }, told('disabled')],
    [
      'a 2xx that comes after the end',
      ['gone', 'delivered'],
      { status: 'inactive', health: 'disabled' },
      told('disabled'),
    ],
    [
      'ten failures at the look',
      [...failed(10), 'look'],
      { status: 'inactive', health: 'disabled' },
      told('failing', 'disabled'),
    ],
    ['fewer at the look', [...failed(9), 'look'], { status: 'active', health: 'failing' }, told('failing')],
    [
      'fewer at the look, and then the tenth',
      [...failed(3), 'look', ...failed(7)],
      { status: 'inactive', health: 'disabled' },
      told('failing', 'disabled'),
    ],
    [
      'a look counts for its own streak only',
      [...failed(3), 'look', 'delivered', ...failed(10)],
      { status: 'active' },
      told('failing'),
    ],
  ];
  it.each(cases)('%s', (_name, steps, state, mails) => {
    const ended = run(steps);
    expect(ended.state).toMatchObject(state);
    expect(ended.mails).toEqual(mails);
  });

  it('asks for one look per streak, at its start, and for none once it is over', () => {
    const first = applyAttempt(FRESH, { kind: 'failed', atMs: 7 }, THRESHOLDS);
    expect(first.look).toBe(7 + 120 * HOUR_MS);
    const second = applyAttempt(first.after, { kind: 'failed', atMs: 8 }, THRESHOLDS);
    expect(second.look).toBeNull();
    expect(applyAttempt(second.after, { kind: 'delivered', atMs: 9 }, THRESHOLDS).look).toBe('never');
  });

  it('keeps the latest moments when attempts end out of order', () => {
    const late = applyAttempt(FRESH, { kind: 'delivered', atMs: 20 }, THRESHOLDS).after;
    const early = applyAttempt(late, { kind: 'delivered', atMs: 10 }, THRESHOLDS).after;
    expect(early.lastSuccessAt).toBe(20);
  });

  it('holds in every order of ends: no streak without failures, and never more than one mail of a kind in it', () => {
    const step = fc.constantFrom<Step>('delivered', 'failed', 'failed', 'failed', 'blocked', 'gone', 'look');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let mails: string[] = [];
        let state = FRESH;
        for (const [index, one] of steps.entries()) {
          const ended = run([one], { ...state });
          if (state.streakStartedAt === null) mails = [];
          // run() counts hours from one: only what was told matters here.
          mails.push(...ended.mails.filter((mail) => mail !== 'webhook_blocked'));
          state = ended.state;
          expect(state.streakStartedAt === null).toBe(state.streakFailures === 0);
          expect(new Set(mails).size, `after step ${index}`).toBe(mails.length);
          expect(state.health === 'disabled').toBe(state.status === 'inactive');
        }
      }),
    );
  });
});

describe('lookAtStreak', () => {
  it('sees nothing without a streak, and comes again for one that is younger than the time set', () => {
    expect(lookAtStreak(FRESH, 1, THRESHOLDS)).toBeNull();
    const { state } = run(failed(12));
    expect(lookAtStreak(state, 100 * HOUR_MS, THRESHOLDS)).toMatchObject({
      after: state,
      look: 121 * HOUR_MS,
    });
    expect(lookAtStreak({ ...state, status: 'inactive' }, 200 * HOUR_MS, THRESHOLDS)).toBeNull();
  });
});
