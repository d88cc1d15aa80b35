import { describe, expect, it } from 'vitest';
import { asksReminder, wantsReminder } from './reminder.ts';

const begun = { orderType: 'one_time', email: 'ada@example.com', isAsked: false };

describe('who is reminded', () => {
  it.each([
    ['off', {}, false],
    ['off', { isAsked: true }, false],
    ['ask', {}, false],
    ['ask', { isAsked: true }, true],
    ['always', {}, true],
    ['always', { email: null }, false],
    ['always', { email: 'ada@' }, false],
    ['always', { orderType: 'claim_free' }, false],
  ] as const)('S46 with %s and %o: %s', (reminder, changes, isReminded) => {
    expect(wantsReminder({ reminder }, { ...begun, ...changes })).toBe(isReminded);
  });

  it.each([
    ['off', 'one_time', false],
    ['ask', 'one_time', true],
    ['ask', 'claim_free', false],
    ['always', 'one_time', false],
  ] as const)('S46 is asked with %s for %s: %s', (reminder, orderType, isAsked) => {
    expect(asksReminder({ reminder }, orderType)).toBe(isAsked);
  });
});
