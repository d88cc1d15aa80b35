import { fillText, type TextValues } from './texts.ts';

export interface OwnTexts<T> {
  /** Before anything is shown. */
  load(language: string): Promise<void>;
  text(key: keyof T & string, values?: TextValues): string;
  /** The form of a text that the count takes in the page's language, from its keys `{prefix}.one`, `{prefix}.other` and so on. */
  count(prefix: string, count: number, values?: TextValues): string;
  /** Null where there is no such text: codes of the server are looked up like this. */
  find(key: string, values?: TextValues): string | null;
}

/** The words of one part of the pages, beside those that all share; English where there are none of the language. */
export function createOwnTexts<T extends Record<string, string>>(
  files: Record<string, () => Promise<T>>,
): OwnTexts<T> {
  let texts: T | null = null;
  const text: OwnTexts<T>['text'] = (key, values) => {
    if (!texts) throw new Error('a part was shown before its texts came');
    return fillText(String(texts[key]), values);
  };
  const find: OwnTexts<T>['find'] = (key, values) => {
    const found = texts && Object.hasOwn(texts, key) ? texts[key] : undefined;
    return found === undefined ? null : fillText(found, values);
  };
  return {
    load: async (language) => {
      const load = files[`./texts/${language}.json`] ?? files['./texts/en.json'];
      if (!load) throw new Error('the build lacks the texts of a part');
      texts = await load();
    },
    text,
    count: (prefix, count, values) => {
      const form = new Intl.PluralRules(document.documentElement.lang).select(count);
      const filled = { count, ...values };
      return find(`${prefix}.${form}`, filled) ?? text(`${prefix}.other`, filled);
    },
    find,
  };
}
