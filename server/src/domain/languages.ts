/** The languages that buyers are written to in: pages, mails and documents have texts of each. */

/** The first is for everyone whose own is not among them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'ja'] as const;

export type Language = (typeof LANGUAGES)[number];

/** What a tag such as `de-AT` is called without its country: each of ours is the only one of its kind. */
export function toPrimary(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? '';
}

/** The language of ours that a BCP 47 tag means: `de-AT` is written in German, `pt` in Brazilian Portuguese. */
export function findLanguage(tag: string | null | undefined): Language | undefined {
  const primary = toPrimary(tag ?? '');
  return LANGUAGES.find((language) => toPrimary(language) === primary);
}

export function toLanguage(tag: string | null | undefined): Language {
  return findLanguage(tag) ?? LANGUAGES[0];
}
