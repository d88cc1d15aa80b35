import { describe, expect, it } from 'vitest';
import { toDecline } from './declines.ts';

const NONE = { code: null, declineCode: null, adviceCode: null, outcomeReason: null, outcomeType: null };
const LISTED = {
  hard: `incorrect_number invalid_number lost_card stolen_card pickup_card restricted_card expired_card invalid_account
    account_closed no_account debit_not_authorized billing_invalid_mandate payment_intent_mandate_invalid
    revocation_of_authorization revocation_of_all_authorizations stop_payment_order transaction_not_allowed
    card_not_supported currency_not_supported do_not_try_again fraudulent merchant_blacklist`,
  authentication: 'authentication_required payment_intent_authentication_failure',
  technical: 'processing_error issuer_not_available',
  soft: `insufficient_funds generic_decline do_not_honor card_velocity_exceeded withdrawal_count_limit_exceeded
    try_again_later call_issuer not_permitted incorrect_cvc incorrect_zip approve_with_id a_word_of_tomorrow`,
};
const rows = Object.entries(LISTED).flatMap(([kind, words]) =>
  words.split(/\s+/).map((word) => ({ word, kind })),
);

describe('P27 a refusal', () => {
  it.each(rows)("by the bank's word $word is $kind", ({ word, kind }) => {
    expect(toDecline({ ...NONE, code: 'card_declined', declineCode: word })).toMatchObject({
      decline: kind,
      reason: word,
    });
  });

  it.each(rows)("by Stripe's code $word is $kind", ({ word, kind }) => {
    expect(toDecline({ ...NONE, code: word })).toMatchObject({ decline: kind, reason: word });
  });

  it.each([
    ['do_not_try_again', 'insufficient_funds', 'hard'],
    ['confirm_card_data', 'generic_decline', 'hard'],
    ['try_again_later', 'lost_card', 'soft'],
    ['a_word_of_tomorrow', 'lost_card', 'hard'],
    ['try_again_later', 'authentication_required', 'authentication'],
  ])('with the advice %s and the word %s is %s', (adviceCode, declineCode, decline) => {
    const refusal = { ...NONE, code: 'card_declined', adviceCode, declineCode };
    expect(toDecline(refusal)).toMatchObject({ decline });
  });

  it('by Radar is hard, and the buyer does not hear why', () => {
    const blocked = { ...NONE, code: 'card_declined', declineCode: 'fraudulent', outcomeType: 'blocked' };
    for (const outcomeReason of ['highest_risk_level', 'rule']) {
      const decline = toDecline({ ...blocked, outcomeReason });
      expect(decline).toMatchObject({ decline: 'hard', reason: 'fraudulent' });
      expect(decline.message).toBe('The payment was declined. Please try another way to pay.');
    }
  });

  it('without a word is soft', () => {
    expect(toDecline(NONE)).toMatchObject({ decline: 'soft', reason: 'card_declined' });
    expect(toDecline({ ...NONE, code: 'card_declined', declineCode: '' })).toMatchObject({ decline: 'soft' });
  });

  it('tells no buyer of theft or fraud', () => {
    for (const { word } of rows) {
      const { message } = toDecline({ ...NONE, code: 'card_declined', declineCode: word });
      expect(message).not.toMatch(/fraud|stolen|lost|pickup|risk|blacklist/i);
    }
  });
});
