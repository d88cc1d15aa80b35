/** What other services write, as the lines say it. What is not there, or is no such thing, is null. */
import { toDateMs } from '../duration.ts';
import type { Interval } from './lines.ts';

export type Item = Record<string, unknown>;

export const isItem = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands there, however deep. */
export function at(item: unknown, ...path: ReadonlyArray<string | number>): unknown {
  return path.reduce<unknown>(
    (one, name) =>
      typeof name === 'number'
        ? Array.isArray(one)
          ? one[name]
          : undefined
        : isItem(one)
          ? one[name]
          : undefined,
    item,
  );
}

export const listAt = (item: unknown, ...path: string[]): Item[] => {
  const found = at(item, ...path);
  return Array.isArray(found) ? found.filter(isItem) : [];
};

const CONTROLS = /\p{Cc}+/gu;

/** A text of one line. */
export function toText(value: unknown, max = 255): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).toWellFormed().replace(CONTROLS, ' ').trim();
  return text === '' ? null : [...text].slice(0, max).join('').trim();
}

const DESCRIPTION_MAX = 10_000;
const BREAKS = /<(?:br|\/p|\/li|\/h\d|\/div)\s*\/?>/gi;

/** A description without its tags. */
export function toPlain(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value
    .toWellFormed()
    .replace(BREAKS, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/[^\P{Cc}\t\n]/gu, '')
    .trim();
  return text === '' ? null : [...text].slice(0, DESCRIPTION_MAX).join('');
}

/** An id that a service writes as text or as a number. */
export const toRef = (value: unknown): string | null => toText(value, 255);

export function toNumber(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}

/** `19`, `19.5`, `19,5` or with a sign for percent; null for what is none. */
export const toPercent = (text: string | undefined): number | null =>
  toNumber((text ?? '').replace(',', '.').replace(/\s*%$/, ''));

/** A sum in minor units; null for a part of one, and for less than nothing. */
export function toMinorCount(value: unknown): number | null {
  const number = toNumber(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

const WITHOUT_DECIMALS = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);
const WITH_THREE_DECIMALS = new Set('BHD JOD KWD OMR TND'.split(' '));

/** With points where decimals begin, as services write them; or with commas there, as spreadsheets of many countries do. */
const SUMS = [
  { form: /^(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d*))?$/, groups: ',' },
  { form: /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d*))?$/, groups: '.' },
] as const;

/** `1,234.50` or `1.234,50` in minor units; null for what is none, or finer than the currency. */
export function toMinor(text: string, currency: string): number | null {
  const bare = text.replace(/[$€£\s]/g, '');
  const sum = SUMS.find(({ form }) => form.test(bare));
  const [, given = '', part = ''] = sum?.form.exec(bare) ?? [];
  if (!sum) return null;
  const whole = given.replaceAll(sum.groups, '');
  const decimals = WITHOUT_DECIMALS.has(currency) ? 0 : WITH_THREE_DECIMALS.has(currency) ? 3 : 2;
  if (/[1-9]/.test(part.slice(decimals))) return null;
  const minor = Number(`${whole}${part.slice(0, decimals).padEnd(decimals, '0')}`);
  return Number.isSafeInteger(minor) ? minor : null;
}

export const fromSeconds = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.round(value * 1000) : null;

/**
 * `2024-01-31T10:00:00Z`, `2024-01-31 10:00`: in UTC where it names no zone. As a spreadsheet may have turned it around,
 * nobody knows which is the day and which the month.
 */
export function toMs(value: unknown): number | null {
  if (typeof value !== 'string' || !/^\s*\d{4}-\d{2}-\d{2}(?!\d)/.test(value)) return null;
  const text = value
    .trim()
    .replace(/ UTC$/, 'Z')
    .replace(/ ([+-]\d{2}):?(\d{2})$/, '$1:$2');
  const isZoned = /(Z|[+-]\d{2}:\d{2})$/.test(text) || /^\d{4}-\d{2}-\d{2}$/.test(text);
  const ms = toDateMs(`${text.replace(' ', 'T')}${isZoned ? '' : 'Z'}`);
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
}

export const toCurrency = (value: unknown): string | null => toText(value, 3)?.toUpperCase() ?? null;

export const toCountry = (value: unknown): string | null => {
  const code = toText(value, 3)?.toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : null;
};

const UNITS = ['day', 'week', 'month', 'year'] as const;

export function toInterval(unit: unknown, count: unknown): Interval | null {
  const name = UNITS.find((one) => one === unit);
  const times = count === undefined || count === null ? 1 : toNumber(count);
  return name && times !== null && Number.isInteger(times) && times >= 1
    ? { unit: name, count: times }
    : null;
}

export const isMonth = ({ unit, count }: Interval): boolean => unit === 'month' && count === 1;

/** Whether so many months are not so many charges of all that recurs. */
export const hasOtherThanMonths = (intervals: Iterable<Interval | null>): boolean =>
  [...intervals].some((interval) => interval !== null && !isMonth(interval));

/** So many intervals after a moment, in UTC: the 31st of January gives the last of February. */
export function addIntervals(ms: number, { unit, count }: Interval, times: number): number {
  const date = new Date(ms);
  if (unit === 'day' || unit === 'week')
    return date.setUTCDate(date.getUTCDate() + times * count * (unit === 'week' ? 7 : 1));
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + times * count * (unit === 'year' ? 12 : 1));
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}

const INTERVALS_MAX = 1_200;

/** How many charges from a moment on lie before another. */
export function countCharges(fromMs: number, interval: Interval, untilMs: number): number {
  let count = 0;
  while (count < INTERVALS_MAX && addIntervals(fromMs, interval, count) < untilMs) count += 1;
  return count;
}

/** What is said of somebody; what is not said is left out. */
export function toDetails(details: Record<string, string | null>): Record<string, string> | undefined {
  const said = Object.entries(details).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}
