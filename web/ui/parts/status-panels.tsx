import { useLocale } from '../locale.tsx';

/** The bank has not decided. The buyer may go: the outcome comes by e-mail. */
export function ProcessingPanel({ isOffline }: { isOffline: boolean }) {
  const { t } = useLocale();
  return (
    <div class="panel" role="status">
      <span class="pulse" aria-hidden="true" />
      <h2>{t('processing.title')}</h2>
      <p>{t('processing.text')}</p>
      {isOffline && <p class="hint">{t('processing.offline')}</p>}
    </div>
  );
}

/** The bank wants to hear from the buyer first. */
export function ActionPanel({ url }: { url: string }) {
  const { t } = useLocale();
  return (
    <div class="panel" role="status">
      <h2>{t('action.title')}</h2>
      <p>{t('action.text')}</p>
      <a class="primary" href={url}>
        {t('action.continue')}
      </a>
    </div>
  );
}
