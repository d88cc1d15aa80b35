import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../../ui/locale.tsx';
import { listen } from './channel.ts';

const SHOWN_MS = 8_000;

/** Why the window does not close: the buyer asked for it while a payment is made. */
export function WaitNote() {
  const { t } = useLocale();
  const [isShown, setShown] = useState(false);
  useEffect(
    () =>
      listen(({ type }) => {
        if (type === 'wait') setShown(true);
      }),
    [],
  );
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setShown(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  return (
    <p class="wait-note" role="status">
      {isShown && t('frame.wait')}
    </p>
  );
}
