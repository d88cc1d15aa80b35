import { useAway } from '../api/reach.ts';
import { useLocale } from './locale.tsx';

/** Why the page stands still, for as long as it does. */
export function AwayBanner() {
  const { t } = useLocale();
  if (!useAway()) return null;
  return (
    <div className="away" role="alert">
      <p className="banner">{t('banner.away')}</p>
    </div>
  );
}
