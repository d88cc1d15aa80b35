/** Where transfers of one connection go, and how long they may take. */
import { invalidField } from '../errors.ts';
import { isBic, isIban, toIban } from './bank-account.ts';

/** As a connection keeps it. */
export interface ManualDetails {
  /** By language; read on the page and in mails. */
  instructions: Record<string, string>;
  iban: string | null;
  bic: string | null;
  holder: string | null;
  dueDays: number;
}

export const DUE_DAYS = 14;

export type AskedDetails = { [Name in keyof ManualDetails]?: ManualDetails[Name] | undefined };

/** What is given over what stands. Throws invalid_input. */
export function toManualDetails(before: ManualDetails | null, asked: AskedDetails): ManualDetails {
  const details: ManualDetails = {
    instructions: toSaid(asked.instructions ?? before?.instructions ?? {}),
    iban: toGiven(asked.iban, before?.iban),
    bic: toGiven(asked.bic, before?.bic),
    holder: toGiven(asked.holder, before?.holder),
    dueDays: asked.dueDays ?? before?.dueDays ?? DUE_DAYS,
  };
  const iban = details.iban && toIban(details.iban);
  const bic = details.bic?.toUpperCase();
  if (iban && !isIban(iban)) throw invalidField('iban', 'is no IBAN: its check digits do not fit');
  if (bic && !isBic(bic)) throw invalidField('bic', 'is no BIC: it has 8 or 11 letters and digits');
  if (iban && !details.holder?.trim()) throw invalidField('holder', 'is needed with an IBAN');
  if (!iban && Object.keys(details.instructions).length === 0) {
    throw invalidField('instructions', 'must say where to send the money, unless an IBAN does');
  }
  return { ...details, iban: iban || null, bic: bic || null };
}

/** A blank text says nothing: whoever reads that language is told by another. */
function toSaid(instructions: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(instructions).filter(([, text]) => text.trim() !== ''));
}

function toGiven(given: string | null | undefined, before: string | null | undefined): string | null {
  return given === undefined ? (before ?? null) : given;
}
