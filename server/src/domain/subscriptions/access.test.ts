import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccessSubscription, computeAccess } from './access.ts';

const DAY_MS = 86_400_000;
const at = (date: string) => Date.parse(`${date}T00:00:00Z`);
const NOW = at('2026-02-10');
const TERMS = { nowMs: NOW, graceDays: 7 };

const RUNNING: AccessSubscription = {
  status: 'active',
  anchorAt: at('2026-01-31'),
  recurringInterval: 'month',
  recurringIntervalCount: 1,
  currentIntervalEnd: at('2026-02-28'),
  cancelAtIntervalEnd: false,
  dunningStartedAt: null,
  pausedAt: null,
  trialEnd: null,
  endedAt: null,
};

const of = (
  changes: Partial<AccessSubscription>,
  { nowMs = NOW, graceDays = 7, frozenAt = null as number | null } = {},
) => computeAccess({ frozenAt, subscription: { ...RUNNING, ...changes } }, { nowMs, graceDays });
const active = (date: string) => ({ status: 'active', endsAtMs: at(date) });
const ended = (date: string) => ({ status: 'ended', endsAtMs: at(date) });

describe('access to what was bought once', () => {
  it('never ends', () => {
    expect(computeAccess({ frozenAt: null, subscription: null }, TERMS)).toEqual({
      status: 'active',
      endsAtMs: null,
    });
  });

  it('is frozen from the dispute on', () => {
    const frozenAt = NOW - DAY_MS;
    expect(computeAccess({ frozenAt, subscription: null }, TERMS)).toEqual({
      status: 'frozen',
      endsAtMs: frozenAt,
    });
  });
});

describe('access to a subscription', () => {
  const PAUSED = { status: 'paused' as const, pausedAt: at('2026-02-05') };
  it.each([
    ['that runs ends with its period', {}, {}, active('2026-02-28')],
    [
      'on trial ends with the trial',
      { status: 'trialing', anchorAt: null, currentIntervalEnd: null, trialEnd: at('2026-02-14') },
      {},
      active('2026-02-14'),
    ],
    ['whose renewal is late has the grace', {}, { nowMs: at('2026-02-28') }, active('2026-03-07')],
    ['whose renewal never came ends with the grace', {}, { nowMs: at('2026-03-07') }, ended('2026-03-07')],
    [
      'that is to end with its period has no grace',
      { cancelAtIntervalEnd: true },
      { nowMs: at('2026-02-28') },
      ended('2026-02-28'),
    ],
    [
      'past due has the grace',
      { status: 'past_due', dunningStartedAt: at('2026-02-04') },
      {},
      active('2026-02-11'),
    ],
    [
      'past due ends with the grace, long before the retries',
      { status: 'past_due', dunningStartedAt: at('2026-02-03') },
      {},
      ended('2026-02-10'),
    ],
    [
      'past due has no more than it was asked to have',
      { status: 'past_due', dunningStartedAt: at('2026-02-24'), cancelAtIntervalEnd: true },
      {},
      active('2026-02-28'),
    ],
    [
      'past due in a store without a grace is off',
      { status: 'past_due', dunningStartedAt: at('2026-02-10') },
      { graceDays: 0 },
      ended('2026-02-10'),
    ],
    [
      'unpaid is off since the grace',
      { status: 'unpaid', dunningStartedAt: at('2026-01-20') },
      {},
      ended('2026-01-27'),
    ],
    [
      'unpaid is off whatever the grace',
      { status: 'unpaid', dunningStartedAt: at('2026-01-20') },
      { graceDays: 90 },
      ended('2026-02-10'),
    ],
    ['paused has the period that was paid', PAUSED, {}, active('2026-02-28')],
    [
      'paused has none of the periods that go by',
      { ...PAUSED, currentIntervalEnd: at('2026-03-31') },
      { nowMs: at('2026-03-01') },
      ended('2026-02-28'),
    ],
    [
      'paused on trial has the trial',
      { ...PAUSED, anchorAt: at('2026-02-14'), currentIntervalEnd: at('2026-03-14') },
      { nowMs: at('2026-02-14') },
      ended('2026-02-14'),
    ],
    [
      'paused while past due has the grace',
      { ...PAUSED, dunningStartedAt: at('2026-02-04') },
      {},
      active('2026-02-11'),
    ],
    ['that has ended is off', { status: 'canceled', endedAt: at('2026-02-09') }, {}, ended('2026-02-09')],
    ['that was never paid is off', { status: 'incomplete' }, {}, { status: 'ended', endsAtMs: 0 }],
    [
      'that was never paid in time is off',
      { status: 'incomplete_expired' },
      {},
      { status: 'ended', endsAtMs: 0 },
    ],
    [
      'in dispute is frozen',
      {},
      { frozenAt: at('2026-02-09') },
      { status: 'frozen', endsAtMs: at('2026-02-09') },
    ],
    [
      'that ended before the dispute has ended',
      { status: 'canceled', endedAt: at('2026-02-08') },
      { frozenAt: at('2026-02-09') },
      ended('2026-02-08'),
    ],
  ] as const)('%s', (_title, changes, terms, expected) => {
    expect(of(changes, terms)).toEqual(expected);
  });

  it('is there exactly while its end lies ahead, whatever the subscription', () => {
    const moment = fc.integer({ min: NOW - 90 * DAY_MS, max: NOW + 90 * DAY_MS });
    const maybe = fc.option(moment);
    const subscription = fc.record({
      status: fc.constantFrom('trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete'),
      anchorAt: maybe,
      recurringInterval: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
      recurringIntervalCount: fc.integer({ min: 1, max: 5 }),
      currentIntervalEnd: maybe,
      cancelAtIntervalEnd: fc.boolean(),
      dunningStartedAt: maybe,
      pausedAt: maybe,
      trialEnd: maybe,
      endedAt: maybe,
    });
    fc.assert(
      fc.property(subscription, fc.nat(30), (row, graceDays) => {
        const { status, endsAtMs } = of(row, { graceDays });
        expect(endsAtMs).not.toBeNull();
        expect(status).toBe((endsAtMs ?? 0) > NOW ? 'active' : 'ended');
        if (row.status === 'unpaid' || row.status === 'incomplete') expect(status).toBe('ended');
      }),
    );
  });
});
