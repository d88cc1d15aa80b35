/** What a buyer is told who sends money by their bank. */
import { toEpcText } from './bank-account.ts';
import type { ManualDetails } from './manual-details.ts';

export interface TransferInstructions
  extends Pick<ManualDetails, 'instructions' | 'iban' | 'bic' | 'holder'> {
  /** Until when it is to have come (ms). */
  dueAtMs: number;
}

export interface AskedTransfer {
  amountMinor: bigint;
  currency: string;
  /** The order's number: what the transfer is to bear. */
  reference: string;
  language: string;
}

/** The merchant's own words in the buyer's language, or in whichever there are. */
export function toInstructionText(instructions: Record<string, string>, language: string): string | null {
  return instructions[language] ?? instructions.en ?? Object.values(instructions)[0] ?? null;
}

/** The code that a bank's app reads; null where the account or the currency has none. */
export function toTransferCode(
  { iban, bic, holder }: Pick<TransferInstructions, 'iban' | 'bic' | 'holder'>,
  { amountMinor, currency, reference }: AskedTransfer,
): string | null {
  if (currency !== 'EUR' || iban === null || holder === null) return null;
  return toEpcText({ holder, iban, bic, amountMinor, reference });
}
