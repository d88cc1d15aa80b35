/** Which language a page or an answer to somebody unknown is written in. */
import { findLanguage, LANGUAGES, type Language } from './languages.ts';

export interface Wishes {
  /** What a link or the page itself asks for. */
  asked?: string | undefined;
  /** What is set for whoever is known already. */
  known?: string | null | undefined;
  acceptLanguage: string | undefined;
}

/** The first of the wishes that we have texts for; undefined where there is none. */
export function findWanted(
  { asked, known, acceptLanguage }: Wishes,
  among: readonly Language[] = LANGUAGES,
): Language | undefined {
  const tags = [asked, known, ...listAccepted(acceptLanguage)];
  return tags.map(findLanguage).find((language) => language !== undefined && among.includes(language));
}

/** The browser's languages, by their weights (RFC 9110). */
function listAccepted(acceptLanguage: string | undefined): string[] {
  return (acceptLanguage ?? '')
    .split(',')
    .map(parseWish)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** `de-AT;q=0.8` is German at 0.8. */
function parseWish(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.trim().toLowerCase().split(';');
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return { tag, weight: quality === undefined ? 1 : Number(quality) || 0 };
}
