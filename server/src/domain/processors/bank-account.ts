/** The account that transfers go to, and the code by which a bank's app fills one in. */
import { firstCharacters } from '../characters.ts';

/** Country, two check digits, and up to 30 letters and digits, by ISO 13616. */
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/;
const BIC = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** Without the blanks that people write into it. */
export function toIban(text: string): string {
  return text.replaceAll(' ', '').toUpperCase();
}

export function isIban(text: string): boolean {
  if (!IBAN.test(text)) return false;
  const turned = text.slice(4) + text.slice(0, 4);
  let rest = 0;
  for (const sign of turned) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest === 1;
}

export function isBic(text: string): boolean {
  return BIC.test(text);
}

export interface EpcTransfer {
  holder: string;
  iban: string;
  bic: string | null;
  amountMinor: bigint;
  /** What the transfer is to bear. */
  reference: string;
}

const AMOUNT_MAX = 99_999_999_999n;

/**
 * The text of an EPC QR code ("Girocode", EPC069-12, version 2): a transfer in euros; null where the sum does not fit.
 */
export function toEpcText({ holder, iban, bic, amountMinor, reference }: EpcTransfer): string | null {
  if (amountMinor < 1n || amountMinor > AMOUNT_MAX) return null;
  const cents = String(amountMinor % 100n).padStart(2, '0');
  const amount = `EUR${amountMinor / 100n}.${cents}`;
  const lines = ['BCD', '002', '1', 'SCT', bic ?? '', firstCharacters(holder, 70), iban, amount];
  // Neither a purpose nor a creditor's reference: what is told is what the buyer reads.
  return [...lines, '', '', firstCharacters(reference, 140)].join('\n');
}
