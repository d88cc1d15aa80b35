/** The portal's own words, beside those that all pages share. */
import { fillText, type TextValues } from '../ui/texts.ts';
import type english from './texts/en.json';

export type PortalTexts = typeof english;
export type PortalKey = keyof PortalTexts;

const FILES = import.meta.glob<PortalTexts>('./texts/*.json', { import: 'default' });

let texts: PortalTexts | null = null;

/** English where there are none of the language. Before anything is shown. */
export async function loadPortalTexts(language: string): Promise<void> {
  const load = FILES[`./texts/${language}.json`] ?? FILES['./texts/en.json'];
  if (!load) throw new Error('the build lacks the texts of the portal');
  texts = await load();
}

export function p(key: PortalKey, values?: TextValues): string {
  if (!texts) throw new Error('a screen was shown before its texts came');
  return fillText(texts[key], values);
}

/** The form of a text that the count takes in the page's language. */
export function pCount(prefix: 'library.left', count: number): string {
  const key = `${prefix}.${new Intl.PluralRules(document.documentElement.lang).select(count)}`;
  const isThere = texts !== null && Object.hasOwn(texts, key);
  return p(isThere ? (key as PortalKey) : `${prefix}.other`, { count });
}

/** The text of a server's code, or the fallback where there is none for it. */
export function pCode(prefix: string, code: string, fallback: string): string {
  const key = prefix + code;
  return texts && Object.hasOwn(texts, key) ? p(key as PortalKey) : fallback;
}
