import { describe, expect, test } from 'vitest';
import { planSweep, SWEEP_DAYS, type SweepFacts, type Warned } from './sweep.ts';

const DAY = 86_400_000;
const START = 1_800_000_000_000;
const at = (days: number) => START + days * DAY;

function idle(facts: Partial<SweepFacts> = {}): SweepFacts {
  return {
    state: 'active',
    stateBy: null,
    stateSince: null,
    lastActiveAt: START,
    isKept: false,
    warned: null,
    ...facts,
  };
}
const warned = (given: Partial<Warned>): Warned => ({
  step: 'suspended',
  noticedAt: null,
  firstAt: null,
  secondAt: null,
  ...given,
});
const plan = (facts: SweepFacts, day: number) => planSweep(facts, SWEEP_DAYS, at(day));

describe('D51 the sweep', () => {
  test('tells at 60 days, warns at 76 and 87, suspends at 90', () => {
    expect(plan(idle(), 59)).toMatchObject({ step: 'suspended', now: null, actsAt: at(90) });
    expect(plan(idle(), 60)?.now).toBe('notice');
    const told = warned({ noticedAt: at(60) });
    expect(plan(idle({ warned: told }), 75)?.now).toBeNull();
    expect(plan(idle({ warned: told }), 76)?.now).toBe('first');
    const first = { ...told, firstAt: at(76) };
    expect(plan(idle({ warned: first }), 86)?.now).toBeNull();
    expect(plan(idle({ warned: first }), 87)?.now).toBe('second');
    const second = { ...first, secondAt: at(87) };
    expect(plan(idle({ warned: second }), 89)?.now).toBeNull();
    expect(plan(idle({ warned: second }), 90)?.now).toBe('act');
  });

  test('of a service that stood still warns first and gives all of the time', () => {
    expect(plan(idle(), 400)).toEqual({ step: 'suspended', now: 'first', actsAt: at(414) });
    const first = warned({ firstAt: at(400) });
    expect(plan(idle({ warned: first }), 410)?.now).toBeNull();
    expect(plan(idle({ warned: first }), 430)?.now).toBe('second');
    const second = { ...first, secondAt: at(430) };
    expect(plan(idle({ warned: second }), 432)).toEqual({ step: 'suspended', now: null, actsAt: at(433) });
    expect(plan(idle({ warned: second }), 433)?.now).toBe('act');
  });

  test('goes on by its own steps, and counts anew from each use', () => {
    const suspended = idle({ state: 'suspended', stateBy: 'sweep', stateSince: at(90) });
    expect(plan(suspended, 100)).toMatchObject({ step: 'archived', now: null, actsAt: at(120) });
    // What was said of the step before is nothing said of this one.
    expect(plan({ ...suspended, warned: warned({ firstAt: at(76), secondAt: at(87) }) }, 106)?.now).toBe(
      'first',
    );
    expect(plan({ ...suspended, lastActiveAt: at(110) }, 119)).toMatchObject({ now: null, actsAt: at(140) });
    const archived = idle({ state: 'archived', stateBy: 'sweep', stateSince: at(120) });
    expect(plan(archived, 125)).toMatchObject({ step: 'purged', actsAt: at(150) });
  });

  test('never touches what took a paid order or what an admin suspended or archived', () => {
    expect(plan(idle({ isKept: true }), 1000)).toBeNull();
    expect(plan(idle({ state: 'suspended', stateBy: 'admin', stateSince: START }), 1000)).toBeNull();
    expect(plan(idle({ state: 'archived', stateBy: 'admin', stateSince: START }), 1000)).toBeNull();
  });

  test('purges what its Owner closed after 30 days, without a word', () => {
    const closed = idle({ state: 'archived', stateBy: 'owner', stateSince: at(5) });
    expect(plan(closed, 34)).toEqual({ step: 'purged', now: null, actsAt: at(35) });
    expect(plan(closed, 35)?.now).toBe('act');
  });
});
