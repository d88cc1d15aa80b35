/** The portal's own words, beside those that all pages share. */
import { createOwnTexts } from '../ui/own-texts.ts';
import type { TextValues } from '../ui/texts.ts';
import type english from './texts/en.json';

export type PortalTexts = typeof english;
export type PortalKey = keyof PortalTexts;

const own = createOwnTexts(import.meta.glob<PortalTexts>('./texts/*.json', { import: 'default' }));

export const loadPortalTexts = own.load;
export const p = own.text;

/** The form of a text that the count takes in the page's language. */
export const pCount = (
  prefix: 'library.left' | 'cancel.stayTimes',
  count: number,
  values?: TextValues,
): string => own.count(prefix, count, values);

/** The text of a server's code, or the fallback where there is none for it. */
export const pCode = (prefix: string, code: string, fallback: string): string =>
  own.find(prefix + code) ?? fallback;
