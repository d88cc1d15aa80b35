/** Billing details of a subscription: its own from its purchase on, changed by name or along with its user's. */
import { type Change, changeDetails, findDetailsIssues, mergeDetails } from '../billing-details.ts';
import { invalidField } from '../errors.ts';

interface Located {
  countryCode?: string;
  postalCode?: string;
}

/** After a change of this subscription's alone. What is charged again needs a country. */
export function changeOwnDetails<T extends Located>(before: T, change: Change<T>): T {
  const whole = changeDetails(before, change);
  if (whole.countryCode === undefined) throw invalidField('billingDetails.countryCode', 'is required');
  return whole;
}

/**
 * After a change of the user's: what was said of the user is said of the subscription, and the rest of it stays its
 * own. Where that makes no whole, such as a new country without its postal code, it takes the user's as they are now.
 */
export function followUserDetails<T extends Located>(before: T, change: Change<T>, users: T): T {
  const merged = mergeDetails(before, change);
  const isWhole = merged.countryCode !== undefined && findDetailsIssues(merged).length === 0;
  if (isWhole) return merged;
  return users.countryCode === undefined ? before : users;
}
