import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/client.ts';
import { readConflict } from './conflict.ts';
import { FORMS } from './forms.ts';
import type { Field } from './types.ts';
import { toSent } from './values.ts';

const fields: Field[] = ['name', 'description', 'seller.city'].map((name) => ({ name, kind: 'text' }));
const base = { name: 'Old', description: null, seller: { city: 'Berlin' }, version: 1 };
const refuse = (current: object) =>
  new ApiError({
    status: 412,
    code: 'edit_conflict',
    message: '',
    details: [{ object: 'product', current }],
  });

describe('readConflict', () => {
  it('parts what they changed from what both changed', () => {
    const current = { ...base, description: 'Theirs', seller: { city: 'Paris' }, version: 2 };
    const found = readConflict(refuse(current), { fields, base, mine: { 'seller.city': 'Rome' } });
    expect(found?.version).toBe('"2"');
    expect(found?.theirs.map(({ name }) => name)).toEqual(['description']);
    expect(found?.both.map(({ name }) => name)).toEqual(['seller.city']);
  });

  it('finds no conflict in the same change made twice', () => {
    const current = { ...base, name: 'New', version: 2 };
    const found = readConflict(refuse(current), { fields, base, mine: { name: 'New' } });
    expect([found?.theirs, found?.both]).toEqual([[], []]);
  });

  it('finds none in the same days typed twice, though they are typed as text', () => {
    const days: Field[] = [{ name: 'dunning.retryDays', kind: 'lines', areNumbers: true }];
    const before = { dunning: { retryDays: [3, 5] }, version: 1 };
    const current = { dunning: { retryDays: [2, 4, 8] }, version: 2 };
    const mine = {
      'dunning.retryDays': toSent(days[0] as Field, '2\n4\n8', { language: 'en', currency: 'EUR' }),
    };
    expect(mine).toEqual({ 'dunning.retryDays': [2, 4, 8] });
    expect(readConflict(refuse(current), { fields: days, base: before, mine })?.both).toEqual([]);
  });

  it('asks about an amount that was typed as percent and would become money', () => {
    const of = FORMS.discount?.fields ?? [];
    const row = { name: 'Spring', amountType: 'percentage', amount: 10, currency: 'EUR', version: 1 };
    const turned = refuse({ ...row, amountType: 'fixed', version: 2 });
    const found = readConflict(turned, { fields: of, base: row, mine: { amount: 15 } });
    expect(found?.both.map(({ name }) => name)).toEqual(['amount']);
    const renamed = refuse({ ...row, name: 'Summer', version: 2 });
    expect(readConflict(renamed, { fields: of, base: row, mine: { amount: 15 } })?.both).toEqual([]);
  });

  it('leaves every other refusal alone', () => {
    const error = new ApiError({ status: 409, code: 'archived', message: '' });
    expect(readConflict(error, { fields, base, mine: {} })).toBeNull();
  });
});
