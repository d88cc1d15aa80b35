import { describe, expect, it } from 'vitest';
import { planReminder, type RemindedSubscription } from './reminder.ts';

const DAY = 86_400_000;
const MONTHLY: RemindedSubscription = {
  status: 'active',
  trialStart: null,
  trialEnd: null,
  currentIntervalEnd: 400 * DAY,
  cancelAtIntervalEnd: false,
  recurringInterval: 'month',
  recurringIntervalCount: 1,
};
const trial = (days: number): Partial<RemindedSubscription> => ({
  status: 'trialing',
  trialStart: 10 * DAY,
  trialEnd: (10 + days) * DAY,
});

describe('planReminder', () => {
  it.each<[string, Partial<RemindedSubscription>, ReturnType<typeof planReminder>]>([
    ['three days before a trial ends', trial(14), { kind: 'trial_ending', atMs: 21 * DAY, ofMs: 24 * DAY }],
    [
      'a day before a trial of three days ends',
      trial(3),
      { kind: 'trial_ending', atMs: 12 * DAY, ofMs: 13 * DAY },
    ],
    ['not at all of a trial of a day', trial(1), null],
    ['not of a trial that is set to end', { ...trial(14), cancelAtIntervalEnd: true }, null],
    ['not of a monthly renewal', {}, null],
    [
      'seven days before a yearly renewal',
      { recurringInterval: 'year' },
      { kind: 'renewal_reminder', atMs: 393 * DAY, ofMs: 400 * DAY },
    ],
    [
      'seven days before a renewal every twelve months',
      { recurringIntervalCount: 12 },
      { kind: 'renewal_reminder', atMs: 393 * DAY, ofMs: 400 * DAY },
    ],
    ['not while it is paused', { recurringInterval: 'year', status: 'paused' }, null],
    ['not when it is set to end', { recurringInterval: 'year', cancelAtIntervalEnd: true }, null],
  ])('reminds %s', (_when, changes, reminder) => {
    expect(planReminder({ ...MONTHLY, ...changes })).toEqual(reminder);
  });
});
