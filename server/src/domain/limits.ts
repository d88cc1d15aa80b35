/**
 * How often strangers may do what costs a shop, its buyers or its processor something, in real time. Requests with
 * the secret key count for nothing here.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Longer than anything is owed: a limit "in all". */
const LONGEST_MS = 366 * 24 * HOUR_MS;

export interface LimitTerms {
  max: number;
  /** At most `max` in any span of this length. */
  windowMs: number;
}

/** Named by what is counted and by what it is counted for. */
export const LIMITS = {
  decline_by_session: { max: 5, windowMs: 15 * MINUTE_MS },
  decline_by_address: { max: 10, windowMs: HOUR_MS },
  decline_by_email: { max: 10, windowMs: HOUR_MS },
  unknown_code_by_session: { max: 10, windowMs: HOUR_MS },
  unknown_code_by_address: { max: 30, windowMs: HOUR_MS },
  session_by_address: { max: 60, windowMs: 10 * MINUTE_MS },
  free_claim_by_address: { max: 20, windowMs: HOUR_MS },
  owed_try_by_payment: { max: 3, windowMs: HOUR_MS },
  owed_try_by_payment_in_all: { max: 10, windowMs: LONGEST_MS },
  /** Methods that a buyer adds in their portal: each asks a bank. */
  method_by_buyer: { max: 5, windowMs: HOUR_MS },
  /** Of one kind to one mailbox, where somebody can cause it without paying or signing in. */
  mail_by_mailbox: { max: 5, windowMs: HOUR_MS },
  /** Of purchases that somebody began and did not finish, under whatever addresses they typed. */
  reminder_by_address: { max: 10, windowMs: HOUR_MS },
  /** Codes and links that are asked for at the door of a portal. */
  portal_code_by_email: { max: 5, windowMs: HOUR_MS },
  portal_code_by_email_a_day: { max: 20, windowMs: 24 * HOUR_MS },
  portal_code_by_address: { max: 30, windowMs: HOUR_MS },
  /** Changes of the address that a buyer asks for. */
  email_change_by_user: { max: 5, windowMs: HOUR_MS },
  email_change_by_user_a_day: { max: 20, windowMs: 24 * HOUR_MS },
  /** Codes and passwords that were wrong: counted also where nothing else is limited. */
  portal_try_by_address: { max: 60, windowMs: HOUR_MS },
  portal_password_by_email: { max: 10, windowMs: 15 * MINUTE_MS },
  /** At whomever: one word is tried at the door of many. */
  portal_password_by_address: { max: 100, windowMs: 10 * MINUTE_MS },
  /** Withdrawals and cancellations that are sent without signing in. */
  statement_by_address: { max: 10, windowMs: HOUR_MS },
  /** Their receipts, to an address that no contract of the shop has. */
  acknowledgement_by_mailbox: { max: 3, windowMs: 24 * HOUR_MS },
  /** Secrets and keys that somebody in the dashboard asks to see, of a store. */
  reveal: { max: 100, windowMs: HOUR_MS },
  /** Machines that ask for a key pair. */
  device_request_by_address: { max: 30, windowMs: HOUR_MS },
  /** Codes that no machine shows: counted also where nothing else is limited. */
  device_code_by_account: { max: 10, windowMs: HOUR_MS },
} as const satisfies Record<string, LimitTerms>;

export type LimitKind = keyof typeof LIMITS;

/** Orders that hold stock, a place or a code and are not paid: more are not begun. */
export const OPEN_ORDERS_BY_EMAIL_MAX = 3;
export const OPEN_ORDERS_BY_ADDRESS_MAX = 20;
