/** Card details as a buyer types them: what can be told wrong without asking a processor. */
import { isExpired, isValidCvc, parseCardNumber, parseExpiry } from '../cards.ts';
import type { InputIssue } from '../errors.ts';

export interface CardInput {
  number: string;
  expiry: string;
  cvc: string;
  name: string | null;
}

/** Issues by field of `card`; none when the processor may be asked. */
export function checkCard(card: CardInput, nowMs: number): InputIssue[] {
  const issues: InputIssue[] = [];
  const number = parseCardNumber(card.number);
  if (number === null) issues.push({ path: 'card.number', message: 'is not a valid card number' });
  const expiry = parseExpiry(card.expiry);
  if (expiry === null)
    issues.push({ path: 'card.expiry', message: 'must be a month and a year, such as 12/35' });
  else if (isExpired(expiry, nowMs)) issues.push({ path: 'card.expiry', message: 'lies in the past' });
  const brand = number !== null && /^3[47]/.test(number) ? 'amex' : 'other';
  if (!isValidCvc(card.cvc, brand))
    issues.push({ path: 'card.cvc', message: 'is not a valid security code' });
  return issues;
}
