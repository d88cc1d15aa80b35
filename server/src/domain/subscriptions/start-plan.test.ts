import { describe, expect, it } from 'vitest';
import { type AskedStart, planStart } from './start-plan.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 16);
const asked = (fields: Partial<AskedStart>): AskedStart => ({
  nowMs: NOW,
  interval: { unit: 'month', count: 1 },
  trial: null,
  trialEnd: null,
  skipTrial: false,
  billingCycleAnchor: null,
  backdateStartDate: null,
  ...fields,
});
const week = { unit: 'week', count: 1 } as const;

describe('planStart', () => {
  it('lets trialEnd win over the offer’s trial, and skipTrial over both', () => {
    const trialEnd = NOW + 3 * DAY_MS;
    expect(planStart(asked({ trial: week })).trialEnd).toBe(NOW + 7 * DAY_MS);
    expect(planStart(asked({ trial: week, trialEnd })).trialEnd).toBe(trialEnd);
    expect(planStart(asked({ trial: week, trialEnd, skipTrial: true })).trialEnd).toBeNull();
  });

  it('cuts the first period short at an anchor ahead, as part of the interval that ends there', () => {
    const anchor = Date.UTC(2026, 1, 1);
    expect(planStart(asked({ billingCycleAnchor: anchor }))).toEqual({
      trialEnd: null,
      anchorAt: anchor,
      fraction: { partMs: 16 * DAY_MS, wholeMs: 31 * DAY_MS },
      periodStart: NOW,
      periodEnd: anchor,
    });
  });

  it('takes a full interval ahead as a full period', () => {
    expect(planStart(asked({ billingCycleAnchor: Date.UTC(2026, 1, 16) })).fraction).toBeNull();
  });

  it('puts the period of a backdated calendar that contains now first, in full', () => {
    expect(planStart(asked({ backdateStartDate: Date.UTC(2025, 9, 31) }))).toEqual({
      trialEnd: null,
      anchorAt: Date.UTC(2025, 9, 31),
      fraction: null,
      periodStart: Date.UTC(2025, 11, 31),
      periodEnd: Date.UTC(2026, 0, 31),
    });
  });

  it.each([
    ['trialEnd', { trialEnd: NOW }],
    ['billingCycleAnchor', { billingCycleAnchor: NOW }],
    ['billingCycleAnchor', { billingCycleAnchor: Date.UTC(2026, 1, 16) + 1 }],
    ['backdateStartDate', { backdateStartDate: NOW + 1 }],
    ['billingCycleAnchor', { billingCycleAnchor: NOW + 1, backdateStartDate: NOW - 1 }],
    ['billingCycleAnchor', { billingCycleAnchor: NOW + 1, trial: week }],
    ['backdateStartDate', { backdateStartDate: NOW - 1, trialEnd: NOW + 1 }],
  ])('refuses %s of %o', (path, fields) => {
    expect(() => planStart(asked(fields))).toThrow(path);
  });
});
