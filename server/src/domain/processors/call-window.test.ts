import { expect, it } from 'vitest';
import { judgeCalls, noteCall, openWindow } from './call-window.ts';

function judge(calls: ReadonlyArray<readonly [number, boolean]>) {
  const window = openWindow();
  for (const [atMs, isAnswered] of calls) noteCall(window, { atMs, isAnswered });
  return judgeCalls(window);
}
const times = (count: number, isAnswered: boolean, atMs = 0) =>
  Array.from({ length: count }, () => [atMs, isAnswered] as const);

it.each([
  ['nine without an answer say nothing', times(9, false), null],
  ['of ten two without an answer are too many', [...times(8, true), ...times(2, false)], 'unwell'],
  ['of ten one is not', [...times(9, true), ...times(1, false)], 'well'],
  ['those of five minutes ago are forgotten', [...times(50, false), ...times(10, true, 300_000)], 'well'],
  ['those before the last 500 are forgotten', [...times(500, false), ...times(500, true)], 'well'],
  ['of 500 a hundred are too many', [...times(600, false), ...times(400, true)], 'unwell'],
  ['those of less count', [...times(50, false, 1), ...times(10, true, 300_000)], 'unwell'],
] as const)('%s', (_name, calls, judged) => {
  expect(judge(calls)).toBe(judged);
});
