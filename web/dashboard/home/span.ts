import { useMemo } from 'react';
import { useSearch } from 'wouter';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';
import { startOfDay, toDay, toMoment } from '../lists/query.ts';

export interface Span {
  from: number;
  to: number;
  /** `from=…&to=…` */
  query: string;
}

const DAY_MS = 86_400_000;
const DAYS = 30;
const MINUTE_MS = 60_000;

/** The days that figures are of: the address's, else today and the 29 days before. */
export function useSpan(): Span {
  const search = useSearch();
  const { zone, isTest, may } = useStore();
  const clock = useRead<{ testClock?: { offsetMs?: number } }>('/v0/test-clock', {
    enabled: isTest && may('test-clock'),
    staleMs: MINUTE_MS,
  });
  // Figures are of the store's own time.
  const offsetMs = clock.data?.testClock?.offsetMs ?? 0;
  return useMemo(() => {
    const query = new URLSearchParams(search);
    const today = startOfDay(toDay(Date.now() + offsetMs, zone), zone);
    const to = toMoment(query.get('to') ?? '') ?? startOfDay(toDay(today + 1.5 * DAY_MS, zone), zone);
    const from =
      toMoment(query.get('from') ?? '') ?? startOfDay(toDay(today - (DAYS - 1.5) * DAY_MS, zone), zone);
    return { from, to, query: new URLSearchParams({ from: String(from), to: String(to) }).toString() };
  }, [search, zone, offsetMs]);
}
