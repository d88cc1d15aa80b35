import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { isInFrame } from '../frame/channel.ts';

const PAUSE_MS = 6_000;

/** Once in a tab: who comes back to look at the keys is not sent away again. */
function isFirstTime(sessionId: string): boolean {
  const name = `redirected:${sessionId}`;
  try {
    if (sessionStorage.getItem(name)) return false;
    sessionStorage.setItem(name, '1');
    return true;
  } catch {
    return false;
  }
}

/** Sends the buyer on to where the seller wants, unless they would rather stay. */
export function RedirectLine({ sessionId, url }: { sessionId: string; url: string }) {
  const { t } = useLocale();
  const target = new URL(url, window.location.href);
  // A page of the seller's, never code.
  const isPage = /^https?:$/.test(target.protocol);
  // The page around a frame goes on by itself, or stays because it wants to.
  const [isLeaving, setLeaving] = useState(() => isPage && !isInFrame() && isFirstTime(sessionId));
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => window.location.assign(url), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, url]);
  if (!isPage) return null;
  return (
    <div class="redirect">
      <a class="primary" href={url} target={isInFrame() ? '_top' : undefined}>
        {t('receipt.redirectNow', { host: target.host })}
      </a>
      {isLeaving && (
        <p class="hint" role="status">
          {t('receipt.redirect', { host: target.host })}{' '}
          <button type="button" class="link" onClick={() => setLeaving(false)}>
            {t('receipt.redirectStay')}
          </button>
        </p>
      )}
    </div>
  );
}
