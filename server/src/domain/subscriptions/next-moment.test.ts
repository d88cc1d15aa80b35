import { describe, expect, it } from 'vitest';
import { type BillingClock, planNextMoment } from './next-moment.ts';

const CLOCK: BillingClock = {
  waiting: false,
  status: 'active',
  currentIntervalEnd: 100,
  cancelAtIntervalEnd: false,
  resumeAt: null,
  retryAt: null,
  dunningHard: false,
  pendingPaymentId: null,
  isCharging: false,
};

describe('planNextMoment', () => {
  it.each<[string, Partial<BillingClock>, ReturnType<typeof planNextMoment>]>([
    ['renews at the end of the period', {}, { step: 'renew', atMs: 100 }],
    ['charges at the end of a trial', { status: 'trialing' }, { step: 'renew', atMs: 100 }],
    ['ends with the period when asked to', { cancelAtIntervalEnd: true }, { step: 'end', atMs: 100 }],
    ['retries within the period', { status: 'past_due', retryAt: 40 }, { step: 'retry', atMs: 40 }],
    [
      'only reminds when the card was refused for good',
      { status: 'past_due', retryAt: 40, dunningHard: true },
      { step: 'remind', atMs: 40 },
    ],
    ['renews before a later retry', { status: 'past_due', retryAt: 140 }, { step: 'renew', atMs: 100 }],
    [
      'retries before it renews at the same moment',
      { status: 'past_due', retryAt: 100 },
      { step: 'retry', atMs: 100 },
    ],
    [
      'goes on at once with a run that was left in the middle',
      { status: 'past_due' },
      { step: 'retry', atMs: 0 },
    ],
    ['waits with the next period for the payment of a change', { pendingPaymentId: 'p' }, null],
    [
      'ends with the period whatever a change waits for',
      { pendingPaymentId: 'p', cancelAtIntervalEnd: true },
      { step: 'end', atMs: 100 },
    ],
    ['lets the period pass in a pause', { status: 'paused' }, { step: 'pass', atMs: 100 }],
    ['resumes at its time', { status: 'paused', resumeAt: 70 }, { step: 'resume', atMs: 70 }],
    [
      'resumes before a period passes at the same moment',
      { status: 'paused', resumeAt: 100 },
      { step: 'resume', atMs: 100 },
    ],
    [
      'ends in a pause when asked to',
      { status: 'paused', cancelAtIntervalEnd: true },
      { step: 'end', atMs: 100 },
    ],
    ['waits for a charge that is under way', { isCharging: true }, null],
    ['makes no period payments while unpaid', { status: 'unpaid' }, null],
    [
      'ends while unpaid when it was asked to before',
      { status: 'unpaid', cancelAtIntervalEnd: true },
      { step: 'end', atMs: 100 },
    ],
    ['does nothing before the first payment', { status: 'incomplete', currentIntervalEnd: null }, null],
    ['does nothing after the end', { status: 'canceled' }, null],
    ['does nothing when the first payment never came', { status: 'incomplete_expired' }, null],
  ])('%s', (_name, given, expected) => {
    expect(planNextMoment({ ...CLOCK, ...given })).toEqual(expected);
  });
});
