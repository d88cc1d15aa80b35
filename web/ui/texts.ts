import type english from './texts/en.json';

/** One flat file per language; English has every key and is what the others are checked against. */
export type Texts = typeof english;
export type TextKey = keyof Texts;
export type TextValues = Record<string, string | number>;

const FILES = import.meta.glob<Texts>('./texts/*.json', { import: 'default' });

/** Loads the texts of a language, of English where there are none. */
export async function loadTexts(language: string): Promise<{ texts: Texts; language: string }> {
  const load = FILES[`./texts/${language}.json`];
  if (load) return { texts: await load(), language };
  const loadEnglish = FILES['./texts/en.json'];
  if (!loadEnglish) throw new Error('no English texts');
  return { texts: await loadEnglish(), language: 'en' };
}

/** Fills `{name}` places of a text, without the letters that turn the order of those behind them. */
export function fillText(text: string, values: TextValues = {}): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) =>
    `${values[name] ?? place}`.replace(/[\u202a-\u202e\u2066-\u2069]/g, ''),
  );
}

/** Whether there is a text of this name: codes of the server are looked up like this. */
export const hasText = (texts: Texts, key: string): key is TextKey => Object.hasOwn(texts, key);
