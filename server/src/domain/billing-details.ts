/** Billing details of a user or a subscription: what is said changes, what is not said stays. */
import { isCountry } from './countries.ts';
import { type InputIssue, Refusal } from './errors.ts';
import { chooseSpelling } from './spellings.ts';
import { needsPostalCode } from './tax/location.ts';

export type Change<T> = { [K in keyof T]?: T[K] | null };

/** Null unsets a field; an unset one is absent. */
export function mergeDetails<T extends object>(before: T, change: Change<T>): T {
  const merged = { ...leaveState(before, change), ...toOneTaxIdType(change) };
  // Every null came from the change, and says that the field is to go.
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value != null)) as T;
}

interface Stated {
  countryCode?: string | null;
  state?: string | null;
}

/** A state is one of its country: whoever moves to another leaves it behind, unless one is said with it. */
function leaveState<T extends Stated>(before: T, { countryCode, state }: Stated): T {
  if (countryCode === undefined || countryCode === before.countryCode || state !== undefined) return before;
  return { ...before, state: null };
}

interface TaxIdType {
  taxIdType?: string | null;
  taxId?: string | null;
}

/** `taxId` is another name of `taxIdType`. Throws invalid_input where the two differ. */
function toOneTaxIdType(change: TaxIdType): TaxIdType {
  const { taxId, ...details } = change;
  if (taxId === undefined) return details;
  const type: [string, string | null | undefined] = ['billingDetails.taxIdType', details.taxIdType];
  return { ...details, taxIdType: chooseSpelling(type, ['billingDetails.taxId', taxId]) };
}

/** What of the whole cannot be; a country may be missing until something is paid. */
export function findDetailsIssues(details: { countryCode?: string; postalCode?: string }): InputIssue[] {
  const { countryCode, postalCode } = details;
  if (countryCode === undefined) return [];
  if (!isCountry(countryCode)) return [{ path: 'billingDetails.countryCode', message: 'is not a country' }];
  if (!needsPostalCode(countryCode) || postalCode !== undefined) return [];
  return [{ path: 'billingDetails.postalCode', message: 'is required for this country' }];
}

/** The details after a change, refused where the whole cannot be. Nothing said of them leaves them as they are. */
export function changeDetails<T extends object>(before: T, change: Change<T> | undefined): T {
  if (change === undefined) return before;
  const whole = mergeDetails(before, change);
  const issues = findDetailsIssues(whole);
  const [first] = issues;
  if (first)
    throw new Refusal('invalid_input', { message: `${first.path} ${first.message}`, details: issues });
  return whole;
}
