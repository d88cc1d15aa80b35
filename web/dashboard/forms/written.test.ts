import { describe, expect, it } from 'vitest';
import { BLOCKS } from '../settings/blocks.ts';
import { writeValue } from './written.ts';

const locale = {
  language: 'de',
  t: (key: string) => key,
  tName: (prefix: string, name: string) => `${prefix}${name}`,
  time: (ms: number) => new Date(ms).toISOString().slice(0, 10),
  countryName: (code: string) => `<${code}>`,
};
const write = (name: string, value: unknown) => {
  const field = Object.values(BLOCKS)
    .flat()
    .find((one) => one.name === name);
  if (!field) throw new Error(`there is no setting ${name}`);
  return writeValue(field, value, { locale, currency: 'EUR' });
};

describe('a value in words', () => {
  it('is what its field shows, with no word of the machine in it', () => {
    expect(write('pricesIncludeTax', true)).toBe('yes');
    expect(write('portal.planChange', 'listed')).toBe('planChange.listed');
    expect(write('portal.cancelReasons', ['unused', 'other'])).toBe(
      'cancelReason.unused, cancelReason.other',
    );
    expect(write('dunning.retryDays', [3, 5])).toBe('3, 5');
    expect(write('sellerCountry', 'DE')).toBe('<DE>');
    expect(write('redirectFixedParameters', { source: 'shop', to: 'x' })).toBe('source=shop, to=x');
    expect(write('seller.city', null)).toBe('');
  });

  it('of rows is that of each of their fields', () => {
    const row = {
      country: 'DE',
      region: null,
      category: 'saas',
      percentage: 7.5,
      validFrom: 0,
      validTo: null,
    };
    expect(write('taxRateOverrides', [{ ...row, note: 'ours' }])).toBe(
      '<DE> category.saas 7,5 1970-01-01 UTC ours',
    );
  });

  it('of an amount is the amount', () => {
    const field = { name: 'price', kind: 'money' } as const;
    expect(writeValue(field, 1250, { locale, currency: 'EUR' })).toBe('12,50');
  });
});
