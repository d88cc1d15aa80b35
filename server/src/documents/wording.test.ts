import { describe, expect, it } from 'vitest';
import { writeProrationSum } from '../domain/billing/proration-name.ts';
import { createWording } from './wording.ts';

describe('what stands under the name of a line', () => {
  const detailIn = (language: 'en' | 'de' | 'nl' | 'ja', price: string, currency: string) =>
    createWording(language).lineDetail(
      writeProrationSum({ price, currency, restMs: 1_727_998_360, fullMs: 2_592_000_000 }),
    );

  it('writes a prorated sum as the language of the document writes numbers', () => {
    expect(detailIn('en', '1864.20', 'EUR')).toBe('1,864.20 EUR × 1,727,998,360 ms / 2,592,000,000 ms');
    expect(detailIn('de', '864.20', 'EUR')).toBe('864,20 EUR × 1.727.998.360 ms / 2.592.000.000 ms');
    // In Dutch 86.420 would be eighty-six thousand.
    expect(detailIn('nl', '86.420', 'KWD')).toBe('86,420 KWD × 1.727.998.360 ms / 2.592.000.000 ms');
    expect(detailIn('ja', '86420', 'JPY')).toBe('86,420 JPY × 1,727,998,360 ms / 2,592,000,000 ms');
  });

  it('leaves what the merchant wrote as it is', () => {
    expect(createWording('de').lineDetail('10.00 EUR off')).toBe('10.00 EUR off');
  });
});
