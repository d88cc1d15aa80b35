import { expect, it } from 'vitest';
import { stateOfReport } from './report-state.ts';

it('a report waits for a person while it differs and nobody has acknowledged it', () => {
  const counts = { missing_money: 0, amount_differs: 2, booked: 5 };
  expect(stateOfReport({ counts, acknowledgedAt: null })).toBe('open');
  expect(stateOfReport({ counts, acknowledgedAt: 1 })).toBe('acknowledged');
  expect(stateOfReport({ counts: { booked: 5 }, acknowledgedAt: null })).toBe('clean');
});
