import { useStore } from '../app/store.tsx';
import { useKnownCurrency } from '../forms/use-currency.ts';
import type { CellTools } from '../lists/types.ts';
import { useLocale } from '../ui/locale.tsx';

export function useTools(): CellTools {
  const locale = useLocale();
  const { zone } = useStore();
  const currency = useKnownCurrency();
  return { locale, zone, currency };
}
