/** The port to a register of tax numbers. Asked before any transaction is opened; what it says is a value. */
import type { TaxNumberAnswer } from '../../domain/tax/tax-number.ts';

export interface TaxNumberRegister {
  name: string;
  /** `number` as `checkTaxNumber` writes it, with its prefix. Never throws and never takes longer than its limit. */
  ask(number: string): Promise<TaxNumberAnswer>;
}

/** A register that is asked once for the same number, and can be read within a transaction. */
export interface RememberedRegister extends TaxNumberRegister {
  /** What was heard of the number lately; null = nothing. */
  recall(number: string): TaxNumberAnswer | null;
}
