/** Spans of time as people write them. */
import { CommandError, EXIT } from './io.ts';

const UNITS: Readonly<Record<string, string>> = {
  y: 'years',
  mo: 'months',
  w: 'weeks',
  d: 'days',
  h: 'hours',
  m: 'minutes',
};
const UNIT_MS: Readonly<Record<string, number>> = {
  weeks: 604_800_000,
  days: 86_400_000,
  hours: 3_600_000,
  minutes: 60_000,
};
const PART = /(\d+)\s*(years?|y|months?|mo|weeks?|w|days?|d|hours?|h|minutes?|mins?|m)(?![a-z])/g;

/** `1month`, `1year 2weeks`: by the calendar, as the test clock takes it. */
export function toStep(text: string): Record<string, number> {
  const step: Record<string, number> = {};
  for (const [, count, unit = ''] of text.toLowerCase().matchAll(PART)) {
    const name = UNITS[/^mo/.test(unit) ? 'mo' : unit.charAt(0)] ?? '';
    step[name] = (step[name] ?? 0) + Number(count);
  }
  if (Object.keys(step).length > 0 && text.toLowerCase().replace(PART, '').trim() === '') return step;
  throw new CommandError(EXIT.usage, `${text} is no span of time: 1month, 2weeks, 3days, 12hours.`);
}

/** `1h`, `30m`, `2d` in ms. */
export function toSpanMs(text: string): number {
  return Object.entries(toStep(text)).reduce((sum, [unit, count]) => {
    const ms = UNIT_MS[unit];
    if (ms === undefined) throw new CommandError(EXIT.usage, `${text}: months and years are no fixed span.`);
    return sum + ms * count;
  }, 0);
}

/** A date, with a time or without; NaN for a day that its month has not, which would else be one of the next. */
export function toDateMs(text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  const last = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  return Number(day) > last ? Number.NaN : Date.parse(text);
}
