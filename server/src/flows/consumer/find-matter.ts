/** What a statement is about, by the number that was typed, and whether it comes from whoever bought it. */
import { toEmailNormal } from '../../domain/email.ts';

/**
 * An order's number as it stands on receipts: with or without `#`, in any case, or that of one of its payments. A Japanese
 * keyboard types wide letters, and what was copied may bring signs that nobody sees.
 */
export function toOrderNumber(typed: string): string | null {
  const bare = typed
    .normalize('NFKC')
    .replace(/[\s\p{Cf}]+/gu, '')
    .toUpperCase();
  const [, number] = /^#?([0-9A-Z]{12})(-\d{1,9})?$/.exec(bare) ?? [];
  return number ?? null;
}

/** The e-mail is the order's; of an erased buyer nobody's is. */
export function isOwnMailbox(email: string, bought: { email: string | null }): boolean {
  return bought.email !== null && toEmailNormal(email) === toEmailNormal(bought.email);
}
