import { PAGE_LANGUAGES } from '../languages.ts';
import { useReading } from '../locale.tsx';

/** The page in another language, at once and with all that was typed. */
export function LanguageSelect({ onLanguage }: { onLanguage?: ((language: string) => void) | undefined }) {
  const { locale, setLanguage } = useReading();
  return (
    <label class="language-select">
      <span>{locale.t('footer.language')}</span>
      <select
        name="language"
        value={locale.language}
        onChange={({ currentTarget: { value } }) => {
          setLanguage(value);
          onLanguage?.(value);
        }}
      >
        {PAGE_LANGUAGES.map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
