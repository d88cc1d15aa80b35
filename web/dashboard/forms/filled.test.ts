import { describe, expect, it } from 'vitest';
import { collect, toStart } from './filled.ts';
import { FORMS } from './forms.ts';

const fieldsOf = (form: string) => FORMS[form]?.fields ?? [];
const tools = { language: 'en', currency: 'EUR' };

/** What an edit of the row sends once these were typed or chosen. */
function edit(form: string, row: Record<string, unknown>, typed: Record<string, unknown>) {
  const { inputs, before } = toStart(fieldsOf(form), row, tools);
  return collect(fieldsOf(form), { ...inputs, ...typed }, { before, ...tools });
}

const code = { type: 'code', discountCode: 'SPRING', duration: 'once', includesAllOffers: true };
const percent = { ...code, amountType: 'percentage', amount: 8, currency: 'EUR' };
const fixed = { ...code, amountType: 'fixed', amount: 800, currency: 'EUR' };

describe('what an edit sends', () => {
  it('is nothing where nothing differs, however it is typed', () => {
    expect(edit('discount', percent, {})).toEqual({});
    expect(edit('discount', fixed, {})).toEqual({});
    expect(edit('discount', fixed, { amount: '8' })).toEqual({});
  });

  it('is an amount whose digits stayed where its type has changed', () => {
    expect(edit('discount', percent, { amountType: 'fixed' })).toEqual({ amountType: 'fixed', amount: 800 });
    expect(edit('discount', fixed, { amountType: 'percentage' })).toEqual({
      amountType: 'percentage',
      amount: 8,
    });
    const turned = edit('discount', fixed, { currency: 'jpy', amount: '800' });
    expect(turned).toEqual({ currency: 'jpy' });
  });

  it('empties what the API refuses beside what was chosen', () => {
    expect(edit('discount', percent, { type: 'sale' })).toEqual({ type: 'sale', discountCode: null });
    const repeating = { ...percent, duration: 'repeating', durationIntervals: 3 };
    expect(edit('discount', repeating, { duration: 'once' })).toEqual({
      duration: 'once',
      durationIntervals: null,
    });
    const size = { label: 'Size', key: 'size', type: 'dropdown', options: ['S', 'L'], pattern: null };
    expect(edit('custom-field', size, { type: 'text' })).toEqual({ type: 'text', options: [] });
  });

  it('is a new one whole, without what was left empty or not asked', () => {
    const { inputs } = toStart(fieldsOf('discount'), undefined, tools);
    const typed = { ...inputs, discountCode: 'A', amount: '7,5' };
    expect(collect(fieldsOf('discount'), typed, { before: null, ...tools })).toEqual({
      ...{ type: 'code', discountCode: 'A', amountType: 'percentage', amount: 7.5 },
      ...{ duration: 'once', includesAllOffers: true },
    });
  });
});
