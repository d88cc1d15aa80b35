import { type Row, textOf } from '../api/objects.ts';
import { useRead } from '../api/use-api.ts';
import { useStore } from '../app/store.tsx';

const HOUR_MS = 3_600_000;

/** What forms begin with. */
export function useCurrency(): string {
  return useKnownCurrency() || 'USD';
}

/** The store's one currency, as its settings say or its offers show it; empty where it has none yet. */
export function useKnownCurrency(): string {
  const { may } = useStore();
  const settings = useRead<{ settings: Row }>('/v0/settings', {
    staleMs: HOUR_MS,
    enabled: may('settings'),
  });
  const told = textOf(settings.data?.settings, 'currency');
  const read = useRead<{ offers: Row[] }>('/v0/offers/list', {
    query: 'take=1&withArchived=true',
    staleMs: HOUR_MS,
    enabled: may('offers') && told === '' && !settings.isLoading,
  });
  return told || textOf(read.data?.offers[0], 'currency');
}
