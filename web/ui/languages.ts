/** The languages of the pages, each by its own name: whoever cannot read the page finds theirs. */
export const PAGE_LANGUAGES: ReadonlyArray<{ tag: string; name: string }> = [
  { tag: 'de', name: 'Deutsch' },
  { tag: 'en', name: 'English' },
  { tag: 'es', name: 'Español' },
  { tag: 'fr', name: 'Français' },
  { tag: 'it', name: 'Italiano' },
  { tag: 'nl', name: 'Nederlands' },
  { tag: 'pl', name: 'Polski' },
  { tag: 'pt-BR', name: 'Português (Brasil)' },
  { tag: 'ja', name: '日本語' },
];
