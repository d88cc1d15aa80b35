import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CorrectedLine, correctLines } from './correct-lines.ts';

const rate = { name: 'VAT', country: 'DE', region: null, percentage: 19, reason: 'standard' };

function line(fields: Partial<CorrectedLine> = {}): CorrectedLine {
  return {
    id: 'a',
    subtotal: 2000n,
    total: 2380n,
    tax: 380n,
    inclusive: false,
    taxReason: 'standard',
    taxRates: [{ ...rate, taxable: 2000, amount: 380 }],
    ...fields,
  };
}

describe('correctLines', () => {
  it('halves a line that is halved, as a discount', () => {
    expect(correctLines([line()], { value: 1190n, tax: 190n })).toEqual([
      {
        id: 'a',
        total: 1190n,
        tax: 190n,
        discount: 1000n,
        taxRates: [{ ...rate, taxable: 1000, amount: 190 }],
      },
    ]);
  });

  it('puts more on a line than it cost, as a discount below 0', () => {
    const [only] = correctLines([line({ inclusive: true, subtotal: 2380n })], { value: 3000n, tax: 380n });
    expect(only).toMatchObject({ total: 3000n, tax: 380n, discount: -620n });
  });

  it('gives an untaxed line a tax that it can show', () => {
    const untaxed = line({ total: 2000n, tax: 0n, taxRates: [] });
    const [only] = correctLines([untaxed], { value: 2000n, tax: 100n });
    expect(only?.taxRates).toMatchObject([{ taxable: 1900, amount: 100 }]);
  });

  it('always adds up, with no line of more tax than money, and each line the sum of its own parts', () => {
    const amount = fc.bigInt({ min: 0n, max: 5000n });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(amount, amount, fc.boolean()), { minLength: 1, maxLength: 6 }),
        amount,
        amount,
        (given, value, share) => {
          const lines = given.map(([total, part, inclusive], index) => {
            const tax = part % (total + 1n);
            const subtotal = inclusive ? total : total - tax;
            const taxRates = [{ ...rate, taxable: Number(total - tax), amount: Number(tax) }];
            return line({ id: String(index), total, tax, inclusive, subtotal, taxRates });
          });
          const tax = share % (value + 1n);
          const changes = correctLines(lines, { value, tax });
          const sumOf = (field: 'total' | 'tax') => changes.reduce((sum, change) => sum + change[field], 0n);
          expect([sumOf('total'), sumOf('tax')]).toEqual([value, tax]);
          for (const [index, change] of changes.entries()) {
            const { subtotal = 0n, inclusive = false } = lines[index] ?? {};
            expect(change.tax >= 0n && change.tax <= change.total).toBe(true);
            expect(subtotal - change.discount + (inclusive ? 0n : change.tax)).toBe(change.total);
            expect(change.taxRates.reduce((sum, { amount: part }) => sum + part, 0)).toBe(Number(change.tax));
          }
        },
      ),
    );
  });
});
