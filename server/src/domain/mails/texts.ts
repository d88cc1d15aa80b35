/** The words of the mails, a flat list per language. */
import de from './texts/de.json' with { type: 'json' };
import en from './texts/en.json' with { type: 'json' };

export type TextKey = keyof typeof en;

/** The languages that mails are written in; the first is for everyone whose own is not among them. */
export const MAIL_LANGUAGES = ['en', 'de'] as const;

export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

const TEXTS: Record<MailLanguage, Record<TextKey, string>> = { en, de };

export function toMailLanguage(language: string): MailLanguage {
  return MAIL_LANGUAGES.find((known) => known === language) ?? MAIL_LANGUAGES[0];
}

/** The text of a key with its `{placeholders}` filled in. What is filled in is not looked through again. */
export function fillText(language: MailLanguage, key: TextKey, values: Record<string, string>): string {
  return TEXTS[language][key].replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
