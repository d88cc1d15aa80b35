import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import { toManualDetails } from './manual-details.ts';

const BANK = { iban: 'DE89370400440532013000', holder: 'Muster GmbH' };

describe('P45 where a transfer goes', () => {
  it('is said by an account, or in words that are not blank', () => {
    const asked = [{ instructions: { en: '' } }, { instructions: { en: ' \n' }, iban: '' }, { iban: '' }];
    for (const one of asked) expect(() => toManualDetails(null, one), JSON.stringify(one)).toThrow(Refusal);
    expect(() => toManualDetails(null, { ...BANK, holder: ' ' })).toThrow(Refusal);
    expect(toManualDetails(null, { instructions: { en: 'At our desk' } })).toMatchObject({ iban: null });
  });

  it('is refused in words that a page can show', () => {
    expect(() => toManualDetails(null, { iban: BANK.iban })).toThrow('holder is needed with an IBAN');
    expect(() => toManualDetails(null, { ...BANK, iban: 'DE00' })).toThrow(/^iban is no IBAN: /);
    expect(() => toManualDetails(null, { ...BANK, bic: 'X' })).toThrow(/^bic is no BIC: /);
    expect(() => toManualDetails(null, {})).toThrow(/unless an IBAN does$/);
  });

  it('and a blank text hides no other language’s', () => {
    const details = toManualDetails(null, {
      ...BANK,
      instructions: { de: ' ', en: 'With the number, please' },
    });
    expect(details.instructions).toEqual({ en: 'With the number, please' });
  });

  it('is not unsaid by a change', () => {
    const before = toManualDetails(null, { instructions: { en: 'At our desk' } });
    expect(() => toManualDetails(before, { instructions: { en: '' } })).toThrow(Refusal);
    expect(toManualDetails(before, { dueDays: 3 }).instructions).toEqual({ en: 'At our desk' });
  });
});
