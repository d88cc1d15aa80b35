/** The cards of https://docs.stripe.com/testing, by name and number. */
import type { Refusal, TestMethod } from './test-method.ts';

type More = Partial<TestMethod>;

function card(name: string, number: string, more: More = {}): TestMethod {
  return { name, number, type: 'card', brand: toBrand(number), country: 'US', funding: 'credit', ...more };
}

export function toBrand(number: string): string {
  if (/^3[47]/.test(number)) return 'amex';
  if (/^35/.test(number)) return 'jcb';
  if (/^3[068]/.test(number)) return 'diners';
  if (/^4/.test(number)) return 'visa';
  if (/^62/.test(number)) return 'unionpay';
  if (/^(6011|64|65)/.test(number)) return 'discover';
  return /^(5[1-5]|2[2-7])/.test(number) ? 'mastercard' : 'unknown';
}

function declined(decline: string, advice?: string): Refusal {
  return { code: 'card_declined', decline, ...(advice ? { advice } : {}) };
}

const HARD = 'do_not_try_again';
const AGAIN = 'try_again_later';
const CONFIRM = 'confirm_card_data';

const BRANDS: readonly TestMethod[] = [
  card('pm_card_visa', '4242424242424242'),
  card('pm_card_visa_debit', '4000056655665556', { funding: 'debit' }),
  card('pm_card_mastercard', '5555555555554444'),
  card('mastercard_2series', '2223003122003222'),
  card('pm_card_mastercard_debit', '5200828282828210', { funding: 'debit' }),
  card('pm_card_mastercard_prepaid', '5105105105105100', { funding: 'prepaid' }),
  card('pm_card_amex', '378282246310005', { hasNo3ds: true }),
  card('amex_second', '371449635398431'),
  card('pm_card_discover', '6011111111111117'),
  card('discover_second', '6011000990139424'),
  card('discover_debit', '6011981111111113', { funding: 'debit' }),
  card('pm_card_diners', '3056930009020004'),
  card('diners_14', '36227206271667'),
  card('bccard', '6555900000604105'),
  card('pm_card_jcb', '3566002020360505', { country: 'JP' }),
  card('pm_card_unionpay', '6200000000000005'),
  card('unionpay_debit', '6200000000000047', { funding: 'debit' }),
  card('unionpay_19', '6205500000000000004'),
  card('pm_card_visa_cartesBancaires', '4000002500001001', { country: 'FR' }),
  card('pm_card_mastercard_cartesBancaires', '5555552500001001', { country: 'FR' }),
  card('pm_card_visa_debit_eftposAuCoBranded', '4000050360000001', { country: 'AU', funding: 'debit' }),
  card('pm_card_mastercard_debit_eftposAuCoBranded', '5555050360000080', { country: 'AU', funding: 'debit' }),
  card('carnet', '5062210000000009', { country: 'MX' }),
  card('jcb_jp', '3530111333300000', { country: 'JP' }),
  card('pm_card_credit_disableEnterpriseCardFeatures', '4000008400000076'),
];

/** Country and number; the name is `pm_card_` with the country in small letters. */
const COUNTRIES = `AR 4000000320000021 BR 4000000760000002 CA 4000001240000000 CL 4000001520000001 CO 4000001700000003
CR 4000001880000005 EC 4000002180000000 MX 4000004840008001 PA 4000005910000000 PY 4000006000000066 PE 4000006040000068
UY 4000008580000003 AT 4000000400000008 BE 4000000560000004 BG 4000001000000000 BY 4000001120000005 CY 4000001960000008
CZ 4000002030000002 DK 4000002080000001 FI 4000002460000001 FR 4000002500000003 DE 4000002760000016 GR 4000003000000030
HU 4000003480000005 IE 4000003720000005 IT 4000003800000008 LV 4000004280000005 LT 4000004400000000 LU 4000004420000006
MT 4000004700000007 NL 4000005280000002 NO 4000005780000007 PL 4000006160000005 PT 4000006200000007 RO 4000006420000001
SA 4000006820000007 SI 4000007050000006 SK 4000007030000001 ES 4000007240000007 SE 4000007520000008 CH 4000007560000009
GB 4000008260000000 AU 4000000360000006 CN 4000001560000002 HK 4000003440000004 IN 4000003560000008 JP 4000003920000003
MY 4000004580000002 NZ 4000005540000008 SG 4000007020000003 TW 4000001580000008`;

const BY_COUNTRY: readonly TestMethod[] = [
  card('pm_card_us', '4242424242424242'),
  ...COUNTRIES.split(/\s(?=[A-Z]{2}\s)/).map((entry) => {
    const [country = '', number = ''] = entry.split(' ');
    return card(`pm_card_${country.toLowerCase()}`, number, { country });
  }),
  card('pm_card_gb_debit', '4000058260000005', { country: 'GB', funding: 'debit' }),
  card('pm_card_gb_mastercard', '5555558265554449', { country: 'GB' }),
  card('pm_card_th_credit', '4000007640000003', { country: 'TH' }),
  card('pm_card_th_debit', '4000057640000008', { country: 'TH', funding: 'debit' }),
];

function refused(name: string, number: string, refusal: Refusal): TestMethod {
  return card(name, number, { refusal, isRefusedBySetup: true });
}

const DECLINES: readonly TestMethod[] = [
  refused('pm_card_visa_chargeDeclined', '4000000000000002', declined('generic_decline', AGAIN)),
  refused('pm_card_chargeDeclined', '4000000000000002', declined('generic_decline', AGAIN)),
  refused(
    'pm_card_visa_chargeDeclinedInsufficientFunds',
    '4000000000009995',
    declined('insufficient_funds', AGAIN),
  ),
  refused(
    'pm_card_chargeDeclinedInsufficientFunds',
    '4000000000009995',
    declined('insufficient_funds', AGAIN),
  ),
  refused('pm_card_visa_chargeDeclinedLostCard', '4000000000009987', declined('lost_card', HARD)),
  refused('pm_card_visa_chargeDeclinedStolenCard', '4000000000009979', declined('stolen_card', HARD)),
  refused('pm_card_chargeDeclinedExpiredCard', '4000000000000069', { code: 'expired_card', advice: CONFIRM }),
  refused('pm_card_chargeDeclinedIncorrectCvc', '4000000000000127', {
    code: 'incorrect_cvc',
    advice: CONFIRM,
  }),
  refused('pm_card_chargeDeclinedProcessingError', '4000000000000119', {
    code: 'processing_error',
    advice: AGAIN,
  }),
  refused('incorrect_number', '4242424242424241', { code: 'incorrect_number', advice: CONFIRM }),
  refused(
    'pm_card_visa_chargeDeclinedVelocityLimitExceeded',
    '4000000000006975',
    declined('card_velocity_exceeded', AGAIN),
  ),
  refused('pm_card_chargeDeclinedFraudulent', '4100000000000019', declined('fraudulent', HARD)),
  card('pm_card_chargeCustomerFail', '4000000000000341', { refusal: declined('generic_decline', AGAIN) }),
];

const RISKS: readonly TestMethod[] = [
  card('pm_card_radarBlock', '4100000000000019', { risk: 'highest', isBlocked: true }),
  // With the default rules Radar blocks the highest risk.
  card('pm_card_riskLevelHighest', '4000000000004954', { risk: 'highest', isBlocked: true }),
  card('pm_card_riskLevelElevated', '4000000000009235', { risk: 'elevated' }),
  card('pm_card_cvcCheckFail', '4000000000000101', { checks: { cvc: 'fail' } }),
  card('pm_card_avsZipFail', '4000000000000036', { checks: { zip: 'fail' } }),
  card('pm_card_cvcCheckFailElevatedRisk', '4000058400307872', { checks: { cvc: 'fail' }, risk: 'elevated' }),
  card('pm_card_avsZipFailElevatedRisk', '4000058400306072', { checks: { zip: 'fail' }, risk: 'elevated' }),
  card('pm_card_avsLine1Fail', '4000000000000028', { checks: { line1: 'fail' } }),
  card('pm_card_avsFail', '4000000000000010', { checks: { line1: 'fail', zip: 'fail' } }),
  card('pm_card_avsUnchecked', '4000000000000044', { checks: { line1: 'unavailable', zip: 'unavailable' } }),
];

function disputed(name: string, number: string, reasons: readonly string[], isInquiry = false): TestMethod {
  const status = isInquiry ? 'warning_needs_response' : 'needs_response';
  const share = 1 / reasons.length;
  return card(name, number, { disputes: reasons.map((reason) => ({ reason, status, share })) });
}

const AFTER: readonly TestMethod[] = [
  disputed('pm_card_createDispute', '4000000000000259', ['fraudulent']),
  disputed('pm_card_createDisputeProductNotReceived', '4000000000002685', ['product_not_received']),
  disputed('pm_card_createDisputeInquiry', '4000000000001976', ['product_not_received'], true),
  disputed('pm_card_createMultipleDisputes', '4000000404000079', ['fraudulent', 'product_not_received']),
  disputed('pm_card_createCe3EligibleDispute', '4000000404000038', ['fraudulent']),
  disputed('pm_card_createComplianceDispute', '4000008400000779', ['noncompliant']),
  card('pm_card_createIssuerFraudRecord', '4000000000005423', { warns: true }),
  card('pm_card_pendingRefund', '4000000000007726', { refund: 'pending' }),
  card('pm_card_refundFail', '4000000000005126', { refund: 'failsLater' }),
  card('pm_card_bypassPending', '4000000000000077', { isAvailableAtOnce: true }),
  card('pm_card_bypassPendingInternational', '4000003720000278', { isAvailableAtOnce: true, country: 'IE' }),
];

const AUTHENTICATED: readonly TestMethod[] = [
  card('pm_card_authenticationRequiredOnSetup', '4000002500003155', {
    country: 'FR',
    authentication: 'unlessSetUp',
  }),
  card('pm_card_authenticationRequired', '4000002760003184', { country: 'DE', authentication: 'always' }),
  card('pm_card_authenticationRequiredSetupForOffSession', '4000003800000446', {
    country: 'IT',
    authentication: 'onSession',
  }),
  card('pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', '4000008260003178', {
    country: 'GB',
    authentication: 'unlessSetUp',
    afterAuthentication: 'insufficient_funds',
  }),
  card('pm_card_threeDSecure2Required', '4000000000003220', { authentication: 'always' }),
  card('pm_card_threeDSecureRequired', '4000000000003220', { authentication: 'always' }),
  card('pm_card_threeDSecureRequiredChargeDeclined', '4000008400001629', {
    authentication: 'always',
    afterAuthentication: 'declined',
  }),
  card('pm_card_threeDSecureRequiredProcessingError', '4000008400001280', {
    authentication: 'always',
    afterAuthentication: 'error',
  }),
  card('pm_card_threeDSecureOptional', '4000000000003055'),
  card('pm_card_threeDSecureOptionalProcessingError', '4000000000003097'),
  card('pm_card_amex_threeDSecureNotSupported', '378282246310005', { hasNo3ds: true }),
  ...['4000582600000094', '4000582600000045', '4000582600000102', '4000582600000110'].map((number) =>
    card(`challenge_${number.slice(-4)}`, number, { country: 'GB', authentication: 'always' }),
  ),
  card('captcha_1208', '4000000000001208'),
  card('captcha_3725', '4000000000003725'),
];

export const CARDS: readonly TestMethod[] = [
  ...BRANDS,
  ...BY_COUNTRY,
  ...DECLINES,
  ...RISKS,
  ...AFTER,
  ...AUTHENTICATED,
];
