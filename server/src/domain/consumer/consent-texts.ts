/**
 * The words beside the boxes. What stands here was agreed to by buyers: it is never changed; new words are a new row with
 * a new version, below the old one. A row that nobody who knows the law of its country has looked over is `reviewed: false`,
 * and its buyers read English.
 */
interface ConsentTexts {
  language: string;
  version: string;
  reviewed: boolean;
  content: string;
  service: string;
}

export const CONSENT_TEXTS: readonly ConsentTexts[] = [
  {
    language: 'en',
    version: '2026-06',
    reviewed: true,
    content: 'Deliver now. I know that I lose my right to withdraw once delivery begins.',
    service: 'Start now. If I withdraw within 14 days I pay for the part used until then.',
  },
  {
    language: 'de',
    version: '2026-06',
    reviewed: true,
    content: 'Jetzt liefern. Ich weiß, dass ich mein Widerrufsrecht verliere, sobald die Lieferung beginnt.',
    service:
      'Jetzt beginnen. Wenn ich innerhalb von 14 Tagen widerrufe, bezahle ich den bis dahin genutzten Teil.',
  },
  {
    language: 'fr',
    version: '2026-11',
    reviewed: false,
    content:
      'Livrez maintenant. Je sais que je perds mon droit de rétractation dès que la livraison commence.',
    service: 'Commencez maintenant. Si je me rétracte dans les 14 jours, je paie la part utilisée jusque-là.',
  },
  {
    language: 'es',
    version: '2026-11',
    reviewed: false,
    content: 'Entregar ahora. Sé que pierdo mi derecho de desistimiento en cuanto empiece la entrega.',
    service: 'Empezar ahora. Si desisto en 14 días, pago la parte usada hasta entonces.',
  },
  {
    language: 'it',
    version: '2026-11',
    reviewed: false,
    content: 'Consegna subito. So che perdo il diritto di recesso non appena inizia la consegna.',
    service: 'Inizia subito. Se recedo entro 14 giorni, pago la parte usata fino ad allora.',
  },
  {
    language: 'nl',
    version: '2026-11',
    reviewed: false,
    content: 'Nu leveren. Ik weet dat ik mijn herroepingsrecht verlies zodra de levering begint.',
    service: 'Nu beginnen. Als ik binnen 14 dagen herroep, betaal ik het tot dan gebruikte deel.',
  },
  {
    language: 'pl',
    version: '2026-11',
    reviewed: false,
    content: 'Dostarcz teraz. Wiem, że tracę prawo do odstąpienia z chwilą rozpoczęcia dostawy.',
    service: 'Zacznij teraz. Jeśli odstąpię w ciągu 14 dni, zapłacę za część wykorzystaną do tej pory.',
  },
  {
    language: 'pt-BR',
    version: '2026-11',
    reviewed: false,
    content: 'Entregar agora. Sei que perco meu direito de desistir assim que a entrega começar.',
    service: 'Começar agora. Se eu desistir em 14 dias, pago a parte usada até então.',
  },
  {
    language: 'ja',
    version: '2026-11',
    reviewed: false,
    content: '今すぐ提供してください。提供が始まると撤回の権利を失うことを理解しています。',
    service: '今すぐ始めてください。14日以内に撤回した場合、それまでに利用した分を支払います。',
  },
];
