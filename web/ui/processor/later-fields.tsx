import { useEffect, useState } from 'preact/hooks';
import { useLocale } from '../locale.tsx';
import { Notice } from '../parts/notice.tsx';
import type { FieldsProps } from './fields.tsx';

type Drawing = typeof import('./fields.tsx').Fields;

/** The fields of the processor that takes the money: whoever pays otherwise loads nothing of them. */
export function LaterFields(props: Omit<FieldsProps, 'onFailure'>) {
  const { t } = useLocale();
  const [drawn, setDrawn] = useState<{ Fields: Drawing } | null>(null);
  const [isLost, setLost] = useState(false);
  const fail = () => setLost(true);
  useEffect(() => {
    if (!isLost) import('./fields.tsx').then(({ Fields }) => setDrawn({ Fields }), fail);
  }, [isLost]);
  if (isLost) {
    return (
      <Notice text={t('fields.failed')}>
        <button type="button" class="secondary" onClick={() => setLost(false)}>
          {t('notice.tryAgain')}
        </button>
      </Notice>
    );
  }
  return drawn && <drawn.Fields {...props} onFailure={fail} />;
}
