import { expect, it } from 'vitest';
import { canAct, paysNext, type SubscriptionAct } from './subscription-acts.ts';

const ACTS: SubscriptionAct[] = ['changePlan', 'setEnd', 'cancel', 'charge', 'pause', 'resume', 'endTrial'];
const actsOf = (row: Record<string, unknown>) => ACTS.filter((act) => canAct(act, row)).join(' ');

it.each([
  ['incomplete', 'cancel'],
  ['trialing', 'changePlan setEnd cancel pause endTrial'],
  ['active', 'changePlan setEnd cancel charge pause'],
  ['past_due', 'setEnd cancel pause'],
  ['unpaid', 'cancel'],
  ['paused', 'setEnd cancel resume'],
  ['canceled', ''],
  ['incomplete_expired', ''],
])('offers of one that is %s what the API takes', (status, acts) => {
  expect(actsOf({ status })).toBe(acts);
});

it('moves no money of one that was imported and is not activated', () => {
  expect(actsOf({ status: 'active', waiting: true })).toBe('setEnd cancel');
});

it('tells of a next payment only where one is taken', () => {
  const paying = { status: 'active', cancelAtIntervalEnd: false };
  expect(paysNext(paying)).toBe(true);
  expect(paysNext({ ...paying, cancelAtIntervalEnd: true })).toBe(false);
  expect(['canceled', 'paused', 'unpaid'].map((status) => paysNext({ status }))).toEqual([
    false,
    false,
    false,
  ]);
});
