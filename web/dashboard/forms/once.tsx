import { useState } from 'react';
import { CopyButton } from '../ui/failure.tsx';
import { useLocale } from '../ui/locale.tsx';

/** Secrets that are shown this once: nobody leaves before having said that they are stored. */
export function Once({ secrets, close }: { secrets: Record<string, string>; close: () => void }) {
  const { t, tName, language } = useLocale();
  const [isStored, setStored] = useState(false);
  return (
    <div className="stack" data-shown-once={isStored ? undefined : ''}>
      <p className="notice">{t('once.text')}</p>
      {Object.entries(secrets).map(([name, value]) => {
        const label = tName('field.', name);
        // Within a sentence; German nouns keep their capitals.
        const inSentence = language === 'de' ? label : label.toLowerCase();
        return (
          <div key={name} className="once">
            <span className="once-label">{label}</span>
            <code>{value}</code>
            <CopyButton
              text={value}
              label={name === 'url' ? t('copy.link') : t('once.copy', { name: inSentence })}
            />
          </div>
        );
      })}
      <label className="check-row">
        <input type="checkbox" checked={isStored} onChange={() => setStored(!isStored)} />
        {t('secretKey' in secrets ? 'once.stored' : 'once.storedIt')}
      </label>
      <button type="button" className="main-button" disabled={!isStored} onClick={close}>
        {t('done')}
      </button>
    </div>
  );
}
