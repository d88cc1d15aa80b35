/** How the dashboard speaks, looks and is steered. */
import { useMantineColorScheme } from '@mantine/core';
import { useId, useState } from 'react';
import { call } from '../api/client.ts';
import { useSessionChange } from '../api/use-session.ts';
import { areKeysOff, switchKeys } from '../app/use-keys.ts';
import { useLocale } from '../ui/locale.tsx';
import { LANGUAGES } from '../ui/texts.ts';
import { tellFailure } from './tell-failure.ts';

export const LANGUAGE_NAMES: Readonly<Record<string, string>> = { en: 'English', de: 'Deutsch' };
export const SCHEMES = ['auto', 'light', 'dark'] as const;

export function Preferences() {
  const { t, language, setLanguage } = useLocale();
  const { ask } = useSessionChange();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [areKeysOn, setKeysOn] = useState(!areKeysOff());
  const id = useId();
  const choose = async (one: string) => {
    await setLanguage(one);
    const path = '/v0/account/update';
    await call({ method: 'PATCH', store: null, path, body: { language: one } }).catch(tellFailure);
    await ask();
  };
  const toggle = () => {
    switchKeys(!areKeysOn);
    setKeysOn(!areKeysOn);
  };
  return (
    <section className="part" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{t('account.preferences')}</h2>
      <div className="text-field">
        <label htmlFor={`${id}-language`}>{t('account.language')}</label>
        <select
          id={`${id}-language`}
          value={language}
          aria-describedby={`${id}-note`}
          onChange={(event) => void choose(event.currentTarget.value)}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one} lang={one}>
              {LANGUAGE_NAMES[one]}
            </option>
          ))}
        </select>
        <p id={`${id}-note`} className="field-hint">
          {t('account.languageHint')}
        </p>
      </div>
      <div className="text-field">
        <label htmlFor={`${id}-theme`}>{t('account.theme')}</label>
        <select
          id={`${id}-theme`}
          value={colorScheme}
          onChange={(event) => {
            const chosen = SCHEMES.find((one) => one === event.currentTarget.value);
            if (chosen) setColorScheme(chosen);
          }}
        >
          {SCHEMES.map((scheme) => (
            <option key={scheme} value={scheme}>
              {t(`theme.${scheme}`)}
            </option>
          ))}
        </select>
      </div>
      <label className="check-row">
        <input type="checkbox" checked={areKeysOn} onChange={toggle} />
        {t('keys.single')}
      </label>
    </section>
  );
}
