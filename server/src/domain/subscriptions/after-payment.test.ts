import { describe, expect, it } from 'vitest';
import {
  type Billed,
  type DeclinedPeriod,
  isResuming,
  NO_RUN,
  type Owed,
  planAfterDeclined,
  planAfterPaid,
  readRun,
} from './after-payment.ts';
import { planAfterReminder } from './dunning.ts';

const DAY_MS = 86_400_000;
const NOW_MS = 100 * DAY_MS;
const terms = { retryDays: [2, 5] };
const failure = {
  nowMs: NOW_MS,
  decline: 'soft' as const,
  recentErrors: 0,
  terms,
  isOwnCard: true,
  isBuyers: false,
};
const RUN = { dunningStartedAt: NOW_MS - DAY_MS, dunningFailures: 1, dunningErrors: 0, dunningHard: false };
const NO_PAUSE = { pausedAt: null, resumeAt: null, pauseBehavior: null };

const billed = (fields: Partial<Billed>): Billed => ({
  status: 'active',
  anchorAt: 0,
  recurringInterval: 'week',
  recurringIntervalCount: 1,
  trialEnd: null,
  pausedAt: null,
  resumeAt: null,
  ...NO_RUN,
  ...fields,
});

describe('planAfterPaid', () => {
  it.each<[string, Partial<Billed>, Owed, object]>([
    ['makes a trial active', { status: 'trialing' }, 'nothing', { status: 'active' }],
    ['changes nothing of one that is active', {}, 'nothing', {}],
    ['keeps one that still owes past due', { status: 'past_due', ...RUN }, 'tried', {}],
    [
      'ends the run of one that owes nothing else',
      { status: 'past_due', ...RUN },
      'nothing',
      { status: 'active', ...NO_RUN },
    ],
    [
      'brings an unpaid one back into the period of its calendar that runs',
      { status: 'unpaid', ...RUN },
      'nothing',
      { status: 'active', ...NO_RUN, currentIntervalStart: 98 * DAY_MS, currentIntervalEnd: 105 * DAY_MS },
    ],
    ['keeps a pause that is not over', { status: 'paused' }, 'nothing', {}],
    ['forgets the run of a pause that owes nothing', { status: 'paused', ...RUN }, 'nothing', NO_RUN],
    [
      'forgets it with the last payment that had failed, though drafts are left',
      { status: 'paused', ...RUN },
      'untried',
      NO_RUN,
    ],
    ['keeps it while another has failed', { status: 'paused', ...RUN }, 'tried', {}],
    [
      'ends a pause whose time has come',
      { status: 'paused', resumeAt: NOW_MS },
      'nothing',
      { status: 'active', ...NO_RUN, ...NO_PAUSE },
    ],
    ['waits with that for the other drafts', { status: 'paused', resumeAt: NOW_MS }, 'tried', {}],
    ['leaves one alone that has ended', { status: 'canceled' }, 'nothing', {}],
  ])('%s', (_name, fields, owed, changes) => {
    expect(planAfterPaid(billed(fields), { nowMs: NOW_MS, owed })).toEqual(changes);
  });
});

describe('planAfterDeclined', () => {
  const begun = { ...NO_RUN, dunningStartedAt: NOW_MS, dunningFailures: 1, retryAt: NOW_MS + 2 * DAY_MS };

  it.each<[string, Partial<Billed>, object]>([
    ['begins a run', {}, { status: 'past_due', ...begun }],
    ['begins one at the end of a trial', { status: 'trialing' }, { status: 'past_due', ...begun }],
    [
      'begins one when a draft of a pause is declined',
      { status: 'paused', resumeAt: NOW_MS },
      { status: 'past_due', ...NO_PAUSE, ...begun },
    ],
    [
      'goes on with the run after its own charge',
      { status: 'past_due', ...RUN },
      { ...RUN, dunningFailures: 2, retryAt: NOW_MS + 5 * DAY_MS },
    ],
    [
      "leaves the run alone after somebody else's charge",
      { status: 'past_due', ...RUN, retryAt: NOW_MS + 1 },
      {},
    ],
    ['changes nothing of one that is unpaid', { status: 'unpaid', ...RUN }, {}],
  ])('%s', (_name, fields, changes) => {
    expect(planAfterDeclined(billed(fields), failure)).toEqual({ kind: 'goes_on', changes });
  });

  describe('in a pause', () => {
    const PAUSED_MS = NOW_MS - 3 * DAY_MS;
    const paused = (fields: Partial<Billed> = {}) =>
      billed({ status: 'paused', pausedAt: PAUSED_MS, ...fields });
    const begun = { ...NO_RUN, dunningStartedAt: PAUSED_MS, dunningFailures: 1 };
    const old = { ...RUN, dunningStartedAt: PAUSED_MS - 2 * DAY_MS };
    const next = { ...old, dunningFailures: 2, retryAt: PAUSED_MS + 5 * DAY_MS };
    const plan = (fields: Partial<Billed>, declined: Partial<DeclinedPeriod> = {}) =>
      planAfterDeclined(paused(fields), { ...failure, ...declined });

    it('begins a run whose time stands still from the pause on', () => {
      const changes = { ...begun, retryAt: PAUSED_MS + 2 * DAY_MS };
      expect(plan({})).toEqual({ kind: 'goes_on', changes });
      const hard = { ...changes, dunningHard: true };
      expect(plan({}, { decline: 'hard' })).toEqual({ kind: 'goes_on', changes: hard });
    });

    it('uses up the day of the run that had charged it', () => {
      expect(plan(old)).toEqual({ kind: 'goes_on', changes: next });
      const hard = { ...next, dunningHard: true };
      expect(plan(old, { decline: 'hard' })).toEqual({ kind: 'goes_on', changes: hard });
    });

    it('passes the days that are left on to the end of the pause, once that has come', () => {
      const shifted = { dunningStartedAt: old.dunningStartedAt + 3 * DAY_MS, retryAt: NOW_MS + 5 * DAY_MS };
      const changes = { status: 'past_due', ...NO_PAUSE, ...next, ...shifted };
      expect(plan({ ...old, resumeAt: NOW_MS })).toEqual({ kind: 'goes_on', changes });
    });

    it('leaves a run without a day to the end of the pause, which ends it', () => {
      const last = { ...old, dunningFailures: 2 };
      const spent = { ...last, dunningHard: true, retryAt: PAUSED_MS };
      expect(plan(last)).toEqual({ kind: 'goes_on', changes: spent });
      expect(planAfterReminder(readRun({ ...paused(), ...spent }, NOW_MS), NOW_MS, terms)).toBeNull();
    });

    it("changes nothing by the buyer's tries, nor by those of another card", () => {
      expect(plan({}, { isBuyers: true })).toEqual({ kind: 'goes_on', changes: {} });
      expect(plan(old, { isBuyers: true })).toEqual({ kind: 'goes_on', changes: {} });
      const waiting = { ...old, retryAt: PAUSED_MS + DAY_MS };
      expect(plan(waiting, { decline: 'hard', isOwnCard: false })).toEqual({
        kind: 'goes_on',
        changes: {},
      });
    });
  });

  it.each<[string, Partial<Billed>, boolean, object]>([
    [
      'between its days, when its card is refused for good',
      { status: 'past_due', ...RUN, retryAt: NOW_MS + 1 },
      true,
      { dunningHard: true },
    ],
    ['not when that was another card', { status: 'past_due', ...RUN, retryAt: NOW_MS + 1 }, false, {}],
    [
      'not when the card that a day of it charged has been replaced',
      { status: 'past_due', ...RUN },
      false,
      { ...RUN, dunningFailures: 2, retryAt: NOW_MS + 5 * DAY_MS },
    ],
  ])('charges nothing more %s', (_name, fields, isOwnCard, changes) => {
    const hard = { ...failure, decline: 'hard' as const, isOwnCard };
    expect(planAfterDeclined(billed(fields), hard)).toEqual({ kind: 'goes_on', changes });
  });

  it("moves the run by none of the buyer's charges, also in place of its own", () => {
    const replaced = billed({ status: 'past_due', ...RUN });
    const plan = planAfterDeclined(replaced, { ...failure, isBuyers: true });
    expect(plan).toEqual({ kind: 'goes_on', changes: {} });
  });

  it('is over with the last day, and at once where no retry is set', () => {
    const last = billed({ status: 'past_due', ...RUN, dunningFailures: 2 });
    expect(planAfterDeclined(last, failure)).toEqual({ kind: 'over' });
    expect(planAfterDeclined(billed({}), { ...failure, terms: { retryDays: [] } })).toEqual({ kind: 'over' });
  });
});

it('a pause is being resumed from its moment on', () => {
  const at = (resumeAt: number | null) => isResuming({ status: 'paused', resumeAt }, NOW_MS);
  expect([at(null), at(NOW_MS + 1), at(NOW_MS)]).toEqual([false, false, true]);
  expect(isResuming({ status: 'active', resumeAt: NOW_MS }, NOW_MS)).toBe(false);
});
