/** What a merchant has set for a buyer who may not change it. */
import { toEmailNormal } from '../email.ts';
import { Refusal } from '../errors.ts';
import type { BuyerForm } from './buyer.ts';

export const LOCKED_FIELDS = ['email', 'country', 'quantity', 'discountCode'] as const;
export type LockedField = (typeof LOCKED_FIELDS)[number];
/** Quantities are the cart's, which asks for itself. */
type LockedAnswer = Exclude<LockedField, 'quantity'>;

interface Locks {
  lockedFields: readonly LockedField[];
  /** As the merchant gave it. */
  form: BuyerForm;
}

/** The form with what is locked as it was set. Throws field_locked where the buyer says another thing. */
export function keepLocked(typed: BuyerForm, { lockedFields, form }: Locks): BuyerForm {
  const isLocked = (field: LockedAnswer): boolean => lockedFields.includes(field);
  for (const field of ANSWERS) if (isLocked(field) && !KEEPS[field](typed, form)) throw toRefusal(field);
  return {
    ...typed,
    ...(isLocked('email') && { email: form.email }),
    ...(isLocked('country') && { countryCode: form.countryCode }),
    ...(isLocked('discountCode') && { discountCode: form.discountCode }),
  };
}

const ANSWERS = ['email', 'country', 'discountCode'] as const;

/** What is left out is not another thing. */
const KEEPS: Readonly<Record<LockedAnswer, (typed: BuyerForm, set: BuyerForm) => boolean>> = {
  email: (typed, set) =>
    typed.email === null || toEmailNormal(typed.email) === toEmailNormal(set.email ?? ''),
  country: (typed, set) => typed.countryCode === null || typed.countryCode === set.countryCode,
  discountCode: (typed, set) =>
    typed.discountCode === null || typed.discountCode.toLowerCase() === set.discountCode?.toLowerCase(),
};

const PATHS: Readonly<Record<LockedAnswer, string>> = {
  email: 'email',
  country: 'countryCode',
  discountCode: 'discountCode',
};

function toRefusal(field: LockedAnswer): Refusal {
  const issue = { path: PATHS[field], message: 'was set by the seller' };
  return new Refusal('field_locked', { message: `${issue.path} ${issue.message}`, details: [issue] });
}
