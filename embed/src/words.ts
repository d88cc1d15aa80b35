/** What this script says itself, in the languages of the checkout: all else is said in the frame. */

const WORDS: Record<string, readonly [open: string, close: string]> = {
  en: ['Open checkout', 'Close checkout'],
  de: ['Kasse öffnen', 'Kasse schließen'],
  fr: ['Ouvrir le paiement', 'Fermer le paiement'],
  es: ['Abrir el pago', 'Cerrar el pago'],
  it: ['Apri il pagamento', 'Chiudi il pagamento'],
  nl: ['Afrekenen openen', 'Afrekenen sluiten'],
  pl: ['Otwórz kasę', 'Zamknij kasę'],
  pt: ['Abrir o pagamento', 'Fechar o pagamento'],
  ja: ['お支払いを開く', 'お支払いを閉じる'],
};

/** By the language that the page asks for, else the browser's, as the checkout itself chooses. */
export function findWords(asked: string | undefined): readonly [open: string, close: string] {
  for (const language of [asked ?? '', ...navigator.languages]) {
    const found = WORDS[language.slice(0, 2).toLowerCase()];
    if (found) return found;
  }
  return WORDS.en as readonly [string, string];
}
