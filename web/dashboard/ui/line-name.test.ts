import { expect, it } from 'vitest';
import { nameLine } from './line-name.ts';
import { fillText } from './texts.ts';

const TEXTS: Record<string, string> = {
  'line.unusedChanged': 'Ungenutzt: {title}, {days}, nun {other}',
  'line.remainingAdded': 'Verbleibt: {title}, {days}',
};
const locale = (language: string) => ({
  language,
  t: (key: string, values?: Record<string, string | number>) => fillText(TEXTS[key] ?? key, values),
  day: (ms: number) => new Date(ms).toISOString().slice(8, 10),
});

it.each([
  [
    'de',
    'Unused time of Monthly, 2026-11-28 to 2026-12-28 (changed to Yearly)',
    'Ungenutzt: Monthly, 28 – 28, nun Yearly',
  ],
  ['de', 'Remaining time of Seat, 2026-11-28 to 2026-12-01 (added)', 'Verbleibt: Seat, 28 – 01'],
  ['de', 'Monthly', 'Monthly'],
  [
    'en',
    'Remaining time of Seat, 2026-11-28 to 2026-12-01 (added)',
    'Remaining time of Seat, 2026-11-28 to 2026-12-01 (added)',
  ],
])('in %s calls "%s" "%s"', (language, name, said) => {
  expect(nameLine(name, locale(language))).toBe(said);
});
