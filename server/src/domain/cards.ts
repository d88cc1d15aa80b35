/**
 * What can be said about card details without asking anybody: form, check digit and expiry.
 */

/** The digits of a card number written with or without spaces; null when no card can have it. */
export function parseCardNumber(input: string): string | null {
  const digits = input.replace(/[\s-]/g, '');
  return /^\d{12,19}$/.test(digits) && passesLuhn(digits) ? digits : null;
}

/** Whether the last digit is the check digit of the others (ISO/IEC 7812-1). */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits.charAt(digits.length - 1 - place));
    const weighted = place % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

export interface CardExpiry {
  year: number;
  /** 1 to 12. */
  month: number;
}

/** Reads `12/35`, `1235`, `12 / 2035` and `1/35`; null when it names no month. */
export function parseExpiry(input: string): CardExpiry | null {
  const match = /^\s*(?:(\d{1,2})\s*[/.-]\s*|(\d{2})\s*)(\d{4}|\d{2})\s*$/.exec(input);
  if (!match) return null;
  const month = Number(match[1] ?? match[2]);
  const year = Number(match[3]);
  if (month < 1 || month > 12) return null;
  return { year: year < 100 ? 2000 + year : year, month };
}

/** A card is good until the last millisecond (UTC) of the month it names. */
export function isExpired(expiry: CardExpiry, nowMs: number): boolean {
  return nowMs >= Date.UTC(expiry.year, expiry.month, 1);
}

/** Whether the text has as many digits as the brand prints: four on amex, else three. */
export function isValidCvc(cvc: string, brand: string): boolean {
  return (brand === 'amex' ? /^\d{4}$/ : /^\d{3}$/).test(cvc.trim());
}
