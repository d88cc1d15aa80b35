import { useEffect } from 'preact/hooks';
import type { CheckoutView } from '../../ui/view.ts';
import type { PricedForm } from './use-priced-form.ts';

/** Browsers know it under one name or the other, old ones not at all. */
interface ZonedLocale {
  timeZones?: string[];
  getTimeZones?(): string[];
}

function findZones(country: string): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as ZonedLocale;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
}

/** Where the clock of this browser is from; undefined where it tells no country. */
function findLikelyCountry(countries: readonly string[]): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return countries.find((country) => findZones(country).includes(timeZone));
}

/** A country to begin with, so that the tax is shown at once. What link, user or buyer have said stands. */
export function useLikelyCountry({ status, fields, form }: CheckoutView, { change, read }: PricedForm): void {
  useEffect(() => {
    if (status !== 'open' || form.countryCode !== '') return;
    const choose = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', choose);
      const countryCode = findLikelyCountry(fields.countries);
      if (countryCode !== undefined && read().countryCode === '') change({ countryCode });
    };
    document.addEventListener('visibilitychange', choose);
    choose();
    return () => document.removeEventListener('visibilitychange', choose);
  }, []);
}
