import { describe, expect, it } from 'vitest';
import { isBic, isIban, toEpcText, toIban } from './bank-account.ts';

describe('an IBAN', () => {
  it.each(['DE89370400440532013000', 'GB82WEST12345698765432', 'NO9386011117947'])('%s is one', (text) => {
    expect(isIban(text)).toBe(true);
  });

  it.each(['DE89370400440532013001', 'DE8937040044053201300', '', 'DE00', '89DE370400440532013000'])(
    '%j is none',
    (text) => {
      expect(isIban(text)).toBe(false);
    },
  );

  it('is written with blanks by people', () => {
    expect(isIban(toIban('de89 3704 0044 0532 0130 00'))).toBe(true);
  });
});

it('knows a BIC of eight and of eleven signs', () => {
  expect(['COBADEFFXXX', 'COBADEFF', 'COBADEFFX', 'cobadeff'].map(isBic)).toEqual([true, true, false, false]);
});

describe('P45 the code of a transfer', () => {
  const transfer = {
    holder: 'Muster GmbH',
    iban: 'DE89370400440532013000',
    bic: 'COBADEFFXXX',
    amountMinor: 1999n,
    reference: 'K7QW2M9XTR4B',
  };

  it('is the text that banks read, line by line', () => {
    expect(toEpcText(transfer)?.split('\n')).toEqual([
      ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', 'Muster GmbH', 'DE89370400440532013000', 'EUR19.99'],
      ...['', '', 'K7QW2M9XTR4B'],
    ]);
  });

  it('has no line of a bank that needs no BIC, and its cents in two digits', () => {
    const lines = toEpcText({ ...transfer, bic: null, amountMinor: 5n })?.split('\n');
    expect([lines?.[4], lines?.[7]]).toEqual(['', 'EUR0.05']);
  });

  it('is none of a sum that no such transfer can have', () => {
    expect(toEpcText({ ...transfer, amountMinor: 100_000_000_000n })).toBeNull();
  });
});
