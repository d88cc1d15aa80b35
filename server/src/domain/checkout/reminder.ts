/** Whether a buyer who does not finish is reminded by mail. */
import { isEmail } from '../email.ts';
import type { CheckoutBlock } from '../settings-blocks.ts';

/** Between two such mails to one address, on the workspace's clock. */
export const REMINDERS_APART_MS = 7 * 24 * 3_600_000;

type Setting = Pick<CheckoutBlock, 'reminder'>;

/** Whether the page asks: the buyer is then reminded only where they say so. What is given away is not bought. */
export const asksReminder = ({ reminder }: Setting, orderType: string): boolean =>
  reminder === 'ask' && orderType !== 'claim_free';

export interface Begun {
  orderType: string;
  /** As it was typed; null = nothing was. */
  email: string | null;
  isAsked: boolean;
}

export function wantsReminder({ reminder }: Setting, { orderType, email, isAsked }: Begun): boolean {
  if (orderType === 'claim_free' || email === null || !isEmail(email)) return false;
  return reminder === 'always' || (reminder === 'ask' && isAsked);
}
