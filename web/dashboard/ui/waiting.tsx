import { useEffect, useState } from 'react';
import { useLocale } from './locale.tsx';

const PATIENCE_MS = 150;

/** Whether it has lasted long enough to say that something is being waited for. */
export function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
}

export function Waiting() {
  const isLate = useLate();
  const { t } = useLocale();
  return (
    <div className="waiting" aria-busy="true">
      {isLate ? (
        <>
          <span className="skeleton wide" />
          <span className="skeleton" />
          <span className="skeleton" />
          <span className="sr-only" role="status">
            {t('waiting')}
          </span>
        </>
      ) : null}
    </div>
  );
}
