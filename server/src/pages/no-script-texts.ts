/** What a page says to a browser that runs no scripts: nothing of ours can translate it there. */
import type { Language } from '../domain/languages.ts';

export const NO_SCRIPT_TEXTS: Record<Language, string> = {
  en: 'This page needs JavaScript. Please turn it on in your browser and reload the page.',
  de: 'Diese Seite braucht JavaScript. Bitte schalten Sie es im Browser ein und laden Sie die Seite neu.',
  fr: 'Cette page a besoin de JavaScript. Activez-le dans votre navigateur, puis rechargez la page.',
  es: 'Esta página necesita JavaScript. Actívalo en tu navegador y vuelve a cargar la página.',
  it: 'Questa pagina ha bisogno di JavaScript. Attivalo nel browser e ricarica la pagina.',
  nl: 'Deze pagina heeft JavaScript nodig. Zet het aan in je browser en laad de pagina opnieuw.',
  pl: 'Ta strona wymaga JavaScriptu. Włącz go w przeglądarce i wczytaj stronę ponownie.',
  'pt-BR': 'Esta página precisa de JavaScript. Ative-o no navegador e recarregue a página.',
  ja: 'このページには JavaScript が必要です。ブラウザーで有効にしてから、ページを再読み込みしてください。',
};
