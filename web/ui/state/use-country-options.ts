import { useMemo } from 'preact/hooks';
import { useLocale } from '../locale.tsx';

/** Countries to choose from, by their names in the page's language and in its order. */
export function useCountryOptions(codes: readonly string[]): Array<{ value: string; label: string }> {
  const { countryName, language } = useLocale();
  return useMemo(() => {
    const { compare } = new Intl.Collator(language);
    const named = codes.map((code) => ({ value: code, label: countryName(code) }));
    return named.sort((a, b) => compare(a.label, b.label));
  }, [codes, countryName, language]);
}
