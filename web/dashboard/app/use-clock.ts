import { useRead } from '../api/use-api.ts';
import { useStore } from './store.tsx';

const MINUTE_MS = 60_000;

/** The clock of the test store: its time, and by how much it was moved. Null until it is told, and in live mode. */
export function useTestClock(): { now: number; offsetMs: number } | null {
  const { isTest, may } = useStore();
  const read = useRead<{ testClock?: { now?: number; offsetMs?: number } }>('/v0/test-clock', {
    enabled: isTest && may('test-clock'),
    staleMs: MINUTE_MS,
  });
  const { now, offsetMs = 0 } = read.data?.testClock ?? {};
  return now === undefined ? null : { now, offsetMs };
}
