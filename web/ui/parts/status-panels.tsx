import { useLocale } from '../locale.tsx';

interface ProcessingPanelProps {
  isOffline: boolean;
  /** What waits, and where its receipt goes; null where that is said elsewhere. */
  order?: { number: string; email: string } | null;
}

/** The bank has not decided. The buyer may go: the outcome comes by e-mail. */
export function ProcessingPanel({ isOffline, order = null }: ProcessingPanelProps) {
  const { t } = useLocale();
  return (
    <div class="panel" role="status">
      <span class="pulse" aria-hidden="true" />
      <h2>{t('processing.title')}</h2>
      <p>{t('processing.text')}</p>
      {order && <p>{t('processing.order', order)}</p>}
      {isOffline && <p class="hint">{t('processing.offline')}</p>}
    </div>
  );
}

interface ActionPanelProps {
  url: string;
  /** Leads there otherwise than by the link. */
  onGo?: ((url: string) => void) | undefined;
  /** Asks for another way to pay, where none stands below. */
  onOther?: () => void;
}

/** The bank wants to hear from the buyer first. */
export function ActionPanel({ url, onGo, onOther }: ActionPanelProps) {
  const { t } = useLocale();
  // A bank is asked through a page of ours; another's address is that of a wallet.
  const isWallet = /^https?:/.test(url);
  return (
    <div class="panel" role="status">
      <h2>{t(isWallet ? 'method.redirect' : 'action.title')}</h2>
      <p>{t(isWallet ? 'redirect.note' : 'action.text')}</p>
      <a
        class="primary"
        href={url}
        onClick={(event) => {
          if (!onGo) return;
          event.preventDefault();
          onGo(url);
        }}
      >
        {t(isWallet ? 'method.redirect' : 'action.continue')}
      </a>
      {onOther && (
        <button type="button" class="link" onClick={onOther}>
          {t('action.other')}
        </button>
      )}
    </div>
  );
}
