/** The accounts of Stripe's pages on SEPA and Bacs debits, and the methods that a page of the bank's confirms. */
import type { TestMethod } from './test-method.ts';

const SOON_MS = 1_000;
const DELAYED_MS = 3 * 60_000;

/** What a SEPA name says happens; the country follows it: `pm_success_de`. */
const SEPA: Readonly<Record<string, Partial<TestMethod>>> = {
  success: {},
  successDelayed: { afterMs: DELAYED_MS },
  failed: {
    refusal: { code: 'payment_intent_payment_attempt_failed', decline: 'generic_could_not_process' },
  },
  failedDelayed: {
    afterMs: DELAYED_MS,
    refusal: { code: 'payment_intent_payment_attempt_failed', decline: 'generic_could_not_process' },
  },
  disputed: { disputes: [{ reason: 'debit_not_authorized', status: 'needs_response', share: 1 }] },
  exceedsWeeklyVolumeLimit: { refusal: { code: 'charge_exceeds_source_limit' } },
  exceedsWeeklyTransactionLimit: { refusal: { code: 'charge_exceeds_weekly_limit' } },
  insufficientFunds: { refusal: { code: 'insufficient_funds' } },
};

/** In the order of the table above. */
const IBANS: Readonly<Record<string, string>> = {
  de: 'DE89370400440532013000 DE08370400440532013003 DE62370400440532013001 DE78370400440532013004 DE35370400440532013002 DE65370400440000343434 DE27370400440000121212 DE65370400440002222227',
  gi: 'GI60MPFS599327643783385 GI08RRNW626436291644533 GI41SAFA461293238477751 GI50LROG772261344693297 GI26KJBC361883934534696 GI14NWBK000000000343434 GI73NWBK000000000121212 GI14NWBK000000002222227',
  ie: 'IE29AIBK93115212345678 IE24AIBK93115212345671 IE02AIBK93115212345679 IE94AIBK93115212345672 IE51AIBK93115212345670 IE10AIBK93115200343434 IE69AIBK93115200121212 IE10AIBK93115202222227',
  li: 'LI0508800636123378777 LI4408800387787111369 LI1208800143823175626 LI4908800356441975566 LI7708800125525347723 LI2408800000000343434 LI8308800000000121212 LI2408800000002222227',
  lt: 'LT121000011101001000 LT281000011101001003 LT821000011101001001 LT981000011101001004 LT551000011101001002 LT591000000000343434 LT211000000000121212 LT591000000002222227',
  lu: 'LU280019400644750000 LU440019400644750003 LU980019400644750001 LU170019400644750004 LU710019400644750002 LU900010000000343434 LU520010000000121212 LU900010000002222227',
  nl: 'NL39RABO0300065264 NL55RABO0300065267 NL91ABNA0417164300 NL28RABO0300065268 NL82RABO0300065266 NL27RABO0000343434 NL86RABO0000121212 NL55RABO0300065267',
};

const DEBITS: readonly TestMethod[] = Object.entries(IBANS).flatMap(([country, ibans]) =>
  ibans.split(' ').map((number, index): TestMethod => {
    const [name = '', more = {}] = Object.entries(SEPA)[index] ?? [];
    return {
      name: `pm_${name}_${country}`,
      number,
      type: 'sepa_debit',
      country: country.toUpperCase(),
      afterMs: SOON_MS,
      ...more,
    };
  }),
);

function bacs(name: string, number: string, more: Partial<TestMethod> = {}): TestMethod {
  return {
    name: `pm_bacsDebit_${name}`,
    number,
    type: 'bacs_debit',
    country: 'GB',
    afterMs: SOON_MS,
    ...more,
  };
}

const UNAUTHORISED: Partial<TestMethod> = { refusal: { code: 'debit_not_authorized' }, losesMandate: true };

const BACS: readonly TestMethod[] = [
  bacs('success', '00012345'),
  bacs('successDelayed', '90012345', { afterMs: DELAYED_MS }),
  bacs('debitNotAuthorized', '33333335', UNAUTHORISED),
  bacs('debitNotAuthorizedDelayed', '93333335', { ...UNAUTHORISED, afterMs: DELAYED_MS }),
  bacs('insufficientFunds', '22222227', { refusal: { code: 'insufficient_funds' } }),
  bacs('insufficientFundsDelayed', '92222227', {
    refusal: { code: 'insufficient_funds' },
    afterMs: DELAYED_MS,
  }),
  bacs('dispute', '55555559', {
    disputes: [{ reason: 'debit_not_authorized', status: 'needs_response', share: 1 }],
  }),
  bacs('mandateRefused', '00033333', { mandateIsRefused: true }),
  bacs('invalidAccount', '00044444', { refusal: { code: 'account_closed' }, isRefusedBySetup: true }),
  bacs('exceedsWeeklyLimit', '34343434', { refusal: { code: 'charge_exceeds_source_limit' } }),
  bacs('exceedsTransactionLimit', '12121212', { refusal: { code: 'charge_exceeds_transaction_limit' } }),
];

/** The five that the bank's own page confirms, and Link, whose wallet holds a card. */
const OTHERS: readonly TestMethod[] = [
  ...(['ideal', 'bancontact', 'eps', 'p24', 'klarna', 'link'] as const).map((type) => ({ name: type, type })),
];

export const BANKS: readonly TestMethod[] = [...DEBITS, ...BACS, ...OTHERS];
