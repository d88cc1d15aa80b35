import { describe, expect, it } from 'vitest';
import { writeProrationSum } from '../domain/billing/proration-name.ts';
import { createWording } from './wording.ts';

describe('what stands under the name of a line', () => {
  const detailIn = (language: 'en' | 'de' | 'nl' | 'ja', price: string, currency: string) =>
    createWording(language).lineDetail(
      writeProrationSum({ price, currency, restMs: 1_233_239_040, fullMs: 2_592_000_000 }),
    );

  it('writes a prorated sum as the language of the document writes numbers', () => {
    expect(detailIn('en', '1864.20', 'EUR')).toBe('1,864.20 EUR × 14.2736 days / 30 days');
    expect(detailIn('de', '864.20', 'EUR')).toBe('864,20 EUR × 14,2736 Tage / 30 Tage');
    // In Dutch 86.420 would be eighty-six thousand.
    expect(detailIn('nl', '86.420', 'KWD')).toBe('86,420 KWD × 14,2736 dagen / 30 dagen');
    expect(detailIn('ja', '86420', 'JPY')).toBe('86,420 JPY × 14.2736 日 / 30 日');
  });

  it('leaves what the merchant wrote as it is', () => {
    expect(createWording('de').lineDetail('10.00 EUR off')).toBe('10.00 EUR off');
  });
});
