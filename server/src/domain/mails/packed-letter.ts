/**
 * A letter as the store holds it: deflated, beside what nearly every letter has in common, and in base64. A row of a store is
 * compressed by the store alone once it is longer than two kilobytes, which a letter with its row mostly is not: as JSON it
 * was the largest part of a sale.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** JSON begins with a brace: by this a packed letter is told from one that was written before letters were packed. */
const MARK = '1.';

/** What letters are deflated beside, the most frequent last. It opens what is kept: it never changes, a better one has another mark. */
const COMMON = Buffer.from(
  [
    '{"kind":"keys","title":"","keys":["{"kind":"code","label":"","code":"{"kind":"note","text":"',
    'Zwischensumme","Gesamt","Steuer","Rabatt","Bestellung","Datum","Bezahlt mit","Rechnung","endet auf ',
    'Bestellung öffnen","Rechnung öffnen","Diesen Kauf verwalten","Vertrag widerrufen","Verträge hier kündigen"',
    'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:","language":"de","Testmodus: Es wurde kein Geld bewegt."',
    'Subscription","Plan","Renews on","Next payment","Reason","Amount","Refund","Credit note","Discount","Tax"',
    'January February March April May June July August September October November December ',
    '[Test] Your receipt from : order Thank you for your purchase","preview":"Your payment of $ to  is complete."',
    '{"label":"Order","value":"{"label":"Date","value":"{"label":"Paid with","value":"Visa Mastercard ending in ',
    '{"label":"Invoice","value":"TEST-INV-20{"label":"Subtotal","value":"{"label":"VAT 1%","value":"{"label":"Total","value":"',
    '"totals":[{"label":"","value":"","isSum":false},{"label":"","value":"","isSum":true}]},{"kind":"facts","facts":[{"label":"',
    '{"subject":"","title":"","preview":"","blocks":[{"kind":"text","text":""},{"kind":"lines","lines":[{"name":"","detail":null,"amount":"',
    '{"kind":"button","label":"Open your purchase","url":"http://localhost:3000/checkout/',
    '","fallback":"If the button does not work, open this address:"},',
    '{"kind":"link","label":"Open the invoice","url":"https://.com/invoices/.pdf"},',
    '{"kind":"link","label":"Manage this purchase","url":"https://.com/portal/my-workspace/test/live/orders/#email=%40"}],',
    '"language":"en","from":"My workspace","logo":null,"accent":null,"footer":["My workspace"],',
    '"footerLinks":[{"label":"Withdraw from contract here","url":"https:///portal//test/withdraw"},',
    '{"label":"Cancel contracts here","url":"/cancel"}],"banner":"Test mode: no money was moved."}',
  ].join(''),
);

/** Of the JSON of a letter. */
export function packLetter(letter: string): string {
  return MARK + deflateRawSync(letter, { dictionary: COMMON }).toString('base64');
}

/** The JSON of a letter, packed or not. */
export function unpackLetter(kept: string): string {
  if (!kept.startsWith(MARK)) return kept;
  const packed = Buffer.from(kept.slice(MARK.length), 'base64');
  return inflateRawSync(packed, { dictionary: COMMON }).toString();
}
