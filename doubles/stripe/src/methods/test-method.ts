/** What a test method of Stripe's page of test values does; each is a row of the tables beside this file. */

/** Why a payment is refused; a card's code is `card_declined` unless it is said. */
export interface Refusal {
  code: string;
  decline?: string;
  advice?: string;
}

export interface TestMethod {
  /** `pm_card_visa`, or a name of our own for what has only a number. */
  name: string;
  /** Without this it cannot be named in a call, only typed. */
  number?: string;
  type: 'bacs_debit' | 'bancontact' | 'card' | 'eps' | 'ideal' | 'klarna' | 'link' | 'p24' | 'sepa_debit';
  brand?: string;
  country?: string;
  funding?: 'credit' | 'debit' | 'prepaid';
  /** Refused when it is to be paid with. */
  refusal?: Refusal;
  /** May not be saved with a customer either. */
  isRefusedBySetup?: boolean;
  /**
   * 3-D Secure: `always`; `onSession` unless it is off-session; `unlessSetUp` off-session it needs no authentication
   * once it was set up.
   */
  authentication?: 'always' | 'onSession' | 'unlessSetUp';
  /** What authentication leads to; `error` = it cannot even begin. */
  afterAuthentication?: 'declined' | 'error' | 'insufficient_funds';
  hasNo3ds?: boolean;
  risk?: 'elevated' | 'highest';
  isBlocked?: boolean;
  checks?: { cvc?: string; line1?: string; zip?: string };
  disputes?: readonly {
    reason: string;
    status: 'needs_response' | 'warning_needs_response';
    share: number;
  }[];
  warns?: boolean;
  refund?: 'failsLater' | 'pending';
  isAvailableAtOnce?: boolean;
  /** Of a bank debit: after how long what happens, in milliseconds. */
  afterMs?: number;
  losesMandate?: boolean;
  mandateIsRefused?: boolean;
}
