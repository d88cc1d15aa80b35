import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type LedgerLine,
  planCharge,
  planConvertedCharge,
  planDisputeLost,
  planDisputeOpened,
  planDisputeWon,
  planRefund,
  planReversal,
} from './entries.ts';

/** `account amount` of each line, as a book shows them. */
const shown = (lines: LedgerLine[]) => lines.map(({ account, amount }) => `${account} ${amount}`);
const sum = (lines: LedgerLine[]) => lines.reduce((total, { amount }) => total + amount, 0n);

describe('an entry', () => {
  const parts = { amountMinor: 5831n, taxMinor: 931n };
  const charge = {
    processor: 'sandbox',
    valueMinor: 5831n,
    taxMinor: 931n,
    feeMinor: 169n,
    takenMinor: 5831n,
  };

  it.each([
    [
      'of a charge',
      planCharge(charge),
      ['processor_clearing 5662', 'fees 169', 'sales -4900', 'tax_payable -931'],
    ],
    [
      'of a charge that took less than was asked for',
      planCharge({ ...charge, takenMinor: 5830n }),
      ['processor_clearing 5661', 'fees 169', 'sales -4900', 'tax_payable -931', 'processor_other 1'],
    ],
    [
      'of one that took more',
      planCharge({ ...charge, takenMinor: 5832n }),
      ['processor_clearing 5663', 'fees 169', 'sales -4900', 'tax_payable -931', 'processor_other -1'],
    ],
    [
      'of a charge taken by hand',
      planCharge({ ...charge, processor: 'manual', feeMinor: 0n }),
      ['manual 5831', 'sales -4900', 'tax_payable -931'],
    ],
    [
      'of a refund',
      planRefund({ processor: 'sandbox', ...parts }),
      ['refunds 4900', 'tax_payable 931', 'processor_clearing -5831'],
    ],
    [
      'of a refund given by hand',
      planRefund({ processor: 'manual', ...parts, taxMinor: 0n }),
      ['refunds 5831', 'manual -5831'],
    ],
    ['of an opened dispute', planDisputeOpened(parts), ['disputes 5831', 'processor_clearing -5831']],
    ['of a dispute that was won', planDisputeWon(parts), ['disputes -5831', 'processor_clearing 5831']],
    [
      'of a dispute that was lost',
      planDisputeLost(parts),
      ['refunds 4900', 'tax_payable 931', 'disputes -5831'],
    ],
  ])('%s touches its accounts, and none with 0', (_what, lines, expected) => {
    expect(shown(lines)).toEqual(expected);
  });

  it('of money for a closed payment leaves nothing but its fee', () => {
    const { moneyIn, moneyOut } = planReversal({ processor: 'sandbox', amountMinor: 5831n, feeMinor: 169n });
    expect(shown(moneyIn)).toEqual(['processor_clearing 5662', 'fees 169', 'refunds -5831']);
    expect(shown(moneyOut)).toEqual(['refunds 5831', 'processor_clearing -5831']);
  });

  it('of money in another currency leaves the sale in its own, and what came in the other', () => {
    const { sale, out, into } = planConvertedCharge({ ...charge, takenMinor: 6400n, feeMinor: 186n });
    expect(shown(sale)).toEqual(['processor_clearing 5831', 'sales -4900', 'tax_payable -931']);
    expect(shown(out)).toEqual(['processor_clearing -5831', 'conversion 5831']);
    expect(shown(into)).toEqual(['conversion -6400', 'fees 186', 'processor_clearing 6214']);
  });

  it('sums to 0 whatever the amounts are', () => {
    const amount = fc.bigInt({ min: 0n, max: 9_007_199_254_740_991n });
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        amount,
        fc.constantFrom('sandbox', 'manual'),
        (a, b, c, d, processor) => {
          const reversal = planReversal({ processor, amountMinor: a, feeMinor: b });
          const entries = [
            planCharge({ processor, valueMinor: a, taxMinor: b, feeMinor: c, takenMinor: d }),
            ...Object.values(
              planConvertedCharge({ processor, valueMinor: a, taxMinor: b, feeMinor: c, takenMinor: d }),
            ),
            planRefund({ processor, amountMinor: a, taxMinor: b }),
            reversal.moneyIn,
            reversal.moneyOut,
            planDisputeOpened({ amountMinor: a }),
            planDisputeWon({ amountMinor: a }),
            planDisputeLost({ amountMinor: a, taxMinor: b }),
          ];
          for (const lines of entries) {
            expect(sum(lines)).toBe(0n);
            expect(lines.every((line) => line.amount !== 0n)).toBe(true);
          }
        },
      ),
    );
  });
});
