/**
 * The words of the mails, a flat list per language. What is written to a shop's own people lies apart: they read it in the
 * languages of the dashboard.
 */
import type { Language } from '../languages.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import ptBr from './texts/pt-BR.json' with { type: 'json' };
import teamDe from './texts/team/de.json' with { type: 'json' };
import teamEn from './texts/team/en.json' with { type: 'json' };

const ENGLISH = { ...en, ...teamEn };

export type TextKey = keyof typeof ENGLISH;

/** What a language lacks is said in English. */
const TEXTS: Record<Language, Record<TextKey, string>> = {
  en: ENGLISH,
  de: { ...ENGLISH, ...de, ...teamDe },
  fr: { ...ENGLISH, ...fr },
  es: { ...ENGLISH, ...es },
  it: { ...ENGLISH, ...it },
  nl: { ...ENGLISH, ...nl },
  pl: { ...ENGLISH, ...pl },
  'pt-BR': { ...ENGLISH, ...ptBr },
  ja: { ...ENGLISH, ...ja },
};

/** Letters that turn the order of those behind them: in a name they would turn the date and the amount of our sentence. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** The text of a key with its `{placeholders}` filled in. What is filled in is not looked through again. */
export function fillText(language: Language, key: TextKey, values: Record<string, string>): string {
  return TEXTS[language][key].replace(
    /\{(\w+)\}/g,
    (whole, name: string) => values[name]?.replace(TURNS, '') ?? whole,
  );
}

export function hasText(language: Language, key: string): key is TextKey {
  return Object.hasOwn(TEXTS[language], key);
}
