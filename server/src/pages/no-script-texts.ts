/** What a page says to a browser that runs no scripts: nothing of ours can translate it there. */
import type { Language } from '../domain/languages.ts';

export const NO_SCRIPT_TEXTS: Record<Language, { notice: string; signIn: string }> = {
  en: {
    notice: 'This page needs JavaScript. Please turn it on in your browser and reload the page.',
    signIn: 'Sign in',
  },
  de: {
    notice:
      'Diese Seite braucht JavaScript. Bitte schalten Sie es im Browser ein und laden Sie die Seite neu.',
    signIn: 'Anmelden',
  },
  fr: {
    notice: 'Cette page a besoin de JavaScript. Activez-le dans votre navigateur, puis rechargez la page.',
    signIn: 'Connexion',
  },
  es: {
    notice: 'Esta página necesita JavaScript. Actívalo en tu navegador y vuelve a cargar la página.',
    signIn: 'Entrar',
  },
  it: {
    notice: 'Questa pagina ha bisogno di JavaScript. Attivalo nel browser e ricarica la pagina.',
    signIn: 'Accedi',
  },
  nl: {
    notice: 'Deze pagina heeft JavaScript nodig. Zet het aan in je browser en laad de pagina opnieuw.',
    signIn: 'Inloggen',
  },
  pl: {
    notice: 'Ta strona wymaga JavaScriptu. Włącz go w przeglądarce i wczytaj stronę ponownie.',
    signIn: 'Zaloguj się',
  },
  'pt-BR': {
    notice: 'Esta página precisa de JavaScript. Ative-o no navegador e recarregue a página.',
    signIn: 'Entrar',
  },
  ja: {
    notice:
      'このページには JavaScript が必要です。ブラウザーで有効にしてから、ページを再読み込みしてください。',
    signIn: 'サインイン',
  },
};
