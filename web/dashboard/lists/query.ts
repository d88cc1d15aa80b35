/** The address's query is the operation's own: nothing is renamed on the way. */
export const PAGE_SIZES = [20, 50, 100] as const;
export const PAGE_SIZE = 50;

/** Of the screen and not of the operation. */
const OWN = new Set(['columns', 'view', 'tab']);

/** What the operation is asked: the address's query, and how many. */
export function toOperationQuery(search: string, fixed: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fixed)) query.set(name, value);
  for (const [name, value] of new URLSearchParams(search)) if (!OWN.has(name)) query.append(name, value);
  if (!query.has('take')) query.set('take', String(PAGE_SIZE));
  return query.toString();
}

/** The filter alone, as views and exports keep it: no page, no looks. */
export function toFilterQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const name of [...OWN, 'cursor', 'take', 'skip']) query.delete(name);
  return query.toString();
}

/** What a filter of the address holds: of many choices the API takes them one by one or behind commas. */
export function valuesOf(search: string, { parameter, kind }: { parameter: string; kind: string }): string[] {
  const values = new URLSearchParams(search).getAll(parameter);
  const isMany = kind === 'choices' || kind === 'country';
  return isMany ? values.flatMap((value) => value.split(',')).filter(Boolean) : values;
}

/** Another filter begins at the first page. */
export function withFilter(search: string, parameter: string, values: readonly string[]): string {
  const query = new URLSearchParams(search);
  query.delete(parameter);
  query.delete('cursor');
  for (const value of values) if (value !== '') query.append(parameter, value);
  return query.toString();
}

export function withPage(search: string, cursor: string | null): string {
  const query = new URLSearchParams(search);
  if (cursor === null) query.delete('cursor');
  else query.set('cursor', cursor);
  return query.toString();
}

const SECONDS_BELOW = 100_000_000_000;
const LAST_MS = 8_640_000_000_000_000;

/** A moment as the operations take it: ms, seconds, or an ISO 8601 date or time (UTC unless it says otherwise). */
export function toMoment(text: string): number | null {
  if (/^\d{1,16}$/.test(text)) {
    const value = Number(text);
    const ms = value < SECONDS_BELOW ? value * 1000 : value;
    return ms <= LAST_MS ? ms : null;
  }
  if (!/^\d{4}-\d{2}-\d{2}([T ].+)?$/.test(text)) return null;
  const hasZone = text.length <= 10 || /(Z|[+-]\d{2}:?\d{2})$/.test(text);
  const ms = Date.parse(hasZone ? text : `${text}Z`);
  return Number.isNaN(ms) ? null : ms;
}

/** The first moment of a day in a zone, in ms; `days` further with the zone's own length of days. */
export function startOfDay(day: string, zone: string): number {
  const guess = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(guess)) return guess;
  return guess - offsetAt(guess - offsetAt(guess, zone), zone);
}

/** How far a zone's clock is ahead of UTC at a moment. */
export function offsetAt(timeMs: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(timeMs);
  const at = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second'));
  return local - Math.floor(timeMs / 1000) * 1000;
}

/** `2026-11-22` as the zone has it at the moment. */
export function toDay(timeMs: number, zone: string): string {
  return new Date(timeMs + offsetAt(timeMs, zone)).toISOString().slice(0, 10);
}
