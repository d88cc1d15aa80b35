import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SoldSums, toBreakdown } from './breakdown.ts';

const VAT = { name: 'VAT', country: 'DE', region: null, percentage: 19 };
const item = (sums: Partial<SoldSums>): SoldSums => ({
  subtotal: 0,
  discount: 0,
  inclusive: false,
  taxRates: [],
  ...sums,
});

describe('the breakdown of a sale', () => {
  it('adds what its items keep, and one line per tax', () => {
    const sold = [
      item({ subtotal: 2_499, discount: 250, taxRates: [{ ...VAT, amount: 427 }] }),
      item({ subtotal: 899, taxRates: [{ ...VAT, amount: 171 }] }),
      item({ subtotal: 500, taxRates: [{ ...VAT, percentage: 7, amount: 35 }] }),
    ];
    expect(toBreakdown(sold)).toEqual({
      inclusive: false,
      subtotal: 3_898,
      discount: 250,
      taxLines: [
        { ...VAT, amount: 598 },
        { ...VAT, percentage: 7, amount: 35 },
      ],
    });
  });

  it('names no tax that comes to nothing, and says whether prices hold theirs', () => {
    const reversed = item({
      subtotal: 100,
      inclusive: true,
      taxRates: [{ ...VAT, percentage: 0, amount: 0 }],
    });
    expect(toBreakdown([reversed])).toEqual({ inclusive: true, subtotal: 100, discount: 0, taxLines: [] });
    expect(toBreakdown([])).toEqual({ inclusive: false, subtotal: 0, discount: 0, taxLines: [] });
  });

  it('comes to the total where only some prices hold their tax', () => {
    // 0.99 and its tax on top, 1.99 with its tax within and 0.20 off: 1.06 and 1.79.
    const sold = [
      item({ subtotal: 99, taxRates: [{ ...VAT, percentage: 7, amount: 7 }] }),
      item({
        subtotal: 199,
        discount: 20,
        inclusive: true,
        taxRates: [{ ...VAT, percentage: 7, amount: 12 }],
      }),
    ];
    const { inclusive, subtotal, discount, taxLines } = toBreakdown(sold);
    expect({ inclusive, subtotal, discount }).toEqual({ inclusive: false, subtotal: 286, discount: 20 });
    expect(subtotal - discount + (taxLines[0]?.amount ?? 0)).toBe(106 + 179);
  });

  it('loses no unit of any tax', () => {
    const rate = fc.record({
      name: fc.constantFrom('VAT', 'GST'),
      country: fc.constantFrom('DE', 'CA'),
      region: fc.constantFrom(null, 'QC'),
      percentage: fc.constantFrom(5, 19),
      amount: fc.integer({ min: -10_000, max: 10_000 }),
    });
    fc.assert(
      fc.property(fc.array(fc.array(rate)), (lists) => {
        const { taxLines } = toBreakdown(lists.map((taxRates) => item({ taxRates })));
        const sum = (rates: Array<{ amount: number }>) => rates.reduce((all, { amount }) => all + amount, 0);
        expect(sum(taxLines)).toBe(sum(lists.flat()));
      }),
    );
  });
});
