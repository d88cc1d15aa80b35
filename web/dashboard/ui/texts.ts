import { fillText as fillPlaces } from '../../ui/texts.ts';
import { arrive } from '../api/reach.ts';
import type app from '../app/texts/en.json';
import type audit from '../audit/texts/en.json';
import type exports from '../exports/texts/en.json';
import type home from '../home/texts/en.json';
import type imports from '../imports/texts/en.json';
import type payments from '../payments/texts/en.json';
import type refusals from '../refusals/texts/en.json';
import type english from '../texts/en.json';
import type work from '../work/texts/en.json';

/**
 * One flat file per language and room: `texts/` for whoever is not in yet, `app/texts/` for the frame of a workspace and
 * its Home, `work/texts/` for all other screens, a room's own for it alone. English has every key, and stands in for what another lacks.
 */
export type Texts = typeof english &
  typeof app &
  typeof work &
  typeof audit &
  typeof exports &
  typeof home &
  typeof imports &
  typeof payments &
  typeof refusals;
export type TextKey = keyof Texts;
export type TextValues = Record<string, string | number>;

export const LANGUAGES = ['en', 'de'] as const;
const KEY = 'cf-language';

const FILES = import.meta.glob<Texts>('../texts/*.json', { import: 'default' });
const ROOM_FILES = import.meta.glob<Partial<Texts>>('../*/texts/*.json', { import: 'default' });

/** The language that was chosen here, else the document's, which the server takes from the browser. */
export function wantedLanguage(): string {
  try {
    return localStorage.getItem(KEY) ?? document.documentElement.lang;
  } catch {
    return document.documentElement.lang;
  }
}

export function keepLanguage(language: string): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Then it holds until the page is left.
  }
}

export async function loadTexts(language: string): Promise<{ texts: Texts; language: string }> {
  const load = FILES[`../texts/${language}.json`];
  const english = FILES['../texts/en.json'];
  if (!english) throw new Error('the build lacks the English texts');
  if (!load || language === 'en') return { texts: await arrive(english), language: 'en' };
  return { texts: { ...(await arrive(load)) }, language };
}

/** The words that only one room needs come with it; English stands in for a language that it lacks. */
export async function loadRoomTexts(room: string, language: string): Promise<Partial<Texts>> {
  const load = ROOM_FILES[`../${room}/texts/${language}.json`] ?? ROOM_FILES[`../${room}/texts/en.json`];
  if (!load) throw new Error(`the build lacks the texts of ${room}`);
  return arrive(load);
}

export const hasText = (texts: Texts, key: string): key is TextKey => Object.hasOwn(texts, key);

const CHOICE = /\{(\w+)\?([^{}|]*)\|([^{}|]*)\}/g;

/** Fills `{count}` in; of `{count?key|keys}` the first stands beside one and the second beside all else, as our languages count. */
export function fillText(text: string, values: TextValues = {}): string {
  const chosen = text.replace(CHOICE, (_whole, name: string, one: string, other: string) =>
    String(values[name]) === '1' ? one : other,
  );
  return fillPlaces(chosen, values);
}
