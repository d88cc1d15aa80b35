/** Which language a buyer's page is written in. */

/** The languages that `web/ui/texts` has; the first is for everyone whose own is not among them. */
export const PAGE_LANGUAGES = ['en', 'de'] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number];

/** The first of the browser's languages, by its weights (RFC 9110), that the pages are written in. */
export function chooseLanguage(acceptLanguage: string | undefined): PageLanguage {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map(parseWish)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { language } of wanted) {
    const found = PAGE_LANGUAGES.find((candidate) => candidate === language);
    if (found) return found;
  }
  return PAGE_LANGUAGES[0];
}

/** `de-AT;q=0.8` is German at 0.8. */
function parseWish(text: string): { language: string; weight: number } {
  const [tag = '', ...parameters] = text.trim().toLowerCase().split(';');
  const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
  return { language: tag.split('-')[0] ?? '', weight: quality === undefined ? 1 : Number(quality) || 0 };
}
