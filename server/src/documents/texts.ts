/** The words of invoices and credit notes, a flat list per language. */
import type { Language } from '../domain/languages.ts';
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };
import es from './texts/es.json' with { type: 'json' };
import fr from './texts/fr.json' with { type: 'json' };
import it from './texts/it.json' with { type: 'json' };
import ja from './texts/ja.json' with { type: 'json' };
import nl from './texts/nl.json' with { type: 'json' };
import pl from './texts/pl.json' with { type: 'json' };
import ptBr from './texts/pt-BR.json' with { type: 'json' };

export type DocumentTexts = Record<keyof typeof en, string>;
export type DocumentKey = keyof DocumentTexts;

export const ENGLISH: DocumentTexts = en;

/** What a language lacks is said in English. */
const TEXTS: Record<Language, DocumentTexts> = {
  en,
  de: { ...en, ...de },
  fr: { ...en, ...fr },
  es: { ...en, ...es },
  it: { ...en, ...it },
  nl: { ...en, ...nl },
  pl: { ...en, ...pl },
  'pt-BR': { ...en, ...ptBr },
  ja: { ...en, ...ja },
};

export const getDocumentTexts = (language: Language): DocumentTexts => TEXTS[language];
