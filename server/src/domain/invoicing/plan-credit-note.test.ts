import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTaxKey } from '../billing/line.ts';
import { divideHalfAwayFromZero } from '../money/rounding.ts';
import { planCreditNote, toCreditedLines } from './plan-credit-note.ts';
import { type Snapshot, type SnapshotLine, sumTaxes, toRateKey } from './snapshot.ts';
import { makeLine, makeRate, makeSnapshot } from './values.testing.ts';

/** An invoice over these lines, with the sums that belong to them. */
function toInvoice(lines: SnapshotLine[]): Snapshot {
  const sum = (of: (line: SnapshotLine) => number) => lines.reduce((total, line) => total + of(line), 0);
  const tax = sum((line) => line.tax);
  const net = sum((line) => line.net);
  return makeSnapshot({ lines, taxes: sumTaxes(lines), net, tax, total: net + tax });
}

function toTaxed(net: number, percentages: number[]): SnapshotLine {
  const rates = percentages.map((percentage) =>
    makeRate({
      name: `T${percentage}`,
      percentage,
      taxable: net,
      amount: Math.round((net * percentage) / 100),
    }),
  );
  const tax = rates.reduce((sum, { amount }) => sum + amount, 0);
  return makeLine({ net, tax, total: net + tax, rates });
}

function toLines(notes: readonly Snapshot[]): SnapshotLine[] {
  return notes.flatMap(({ lines }) => lines);
}

/** Gives the amounts back one after the other, tax in proportion, and the rest of it with the last. */
function creditAll(invoice: Snapshot, amounts: number[], toBefore = toLines): Snapshot[] {
  const notes: Snapshot[] = [];
  let amountLeft = BigInt(invoice.total);
  let taxLeft = BigInt(invoice.tax);
  for (const amount of amounts) {
    const amountMinor = BigInt(amount);
    const taxMinor = divideHalfAwayFromZero(amountMinor * taxLeft, amountLeft);
    amountLeft -= amountMinor;
    taxLeft -= taxMinor;
    const refund = { amountMinor, taxMinor, reason: 'other', refundedAt: 0 };
    notes.push({
      ...planCreditNote(invoice, toBefore(notes), refund),
      number: 'CN',
      finalisedAt: 0,
    });
  }
  return notes;
}

const line = fc
  .record({
    net: fc.integer({ min: 1, max: 100_000 }),
    percentages: fc.constantFrom<number[]>([19], [7], [0], [5, 9.975], [20]),
  })
  .map(({ net, percentages }) => toTaxed(net, percentages));

describe('the notes of an invoice', () => {
  it('never pass it, tax by tax, and end exactly at it', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), parts, (lines, weights) => {
        const invoice = toInvoice(lines);
        const amounts = cutUp(invoice.total, weights);
        const notes = creditAll(invoice, amounts);
        for (const note of notes) {
          expect(note.lines.reduce((sum, { total }) => sum + total, 0)).toBe(note.total);
          expect(note.taxes.reduce((sum, { amount }) => sum + amount, 0)).toBe(note.tax);
        }
        const credited = sumTaxes(notes.flatMap((note) => note.lines));
        for (const tax of invoice.taxes) {
          const sum = credited.find((other) => toRateKey(other) === toRateKey(tax));
          expect([sum?.taxable ?? 0, sum?.amount ?? 0]).toEqual([tax.taxable, tax.amount]);
        }
      }),
    );
  });

  it('of one tax are the same by the sums of those before as by their lines', () => {
    const parts = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 8 });
    const nets = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(nets, parts, (amounts, weights) => {
        const invoice = toInvoice(amounts.map((net) => toTaxed(net, [19])));
        const cuts = cutUp(invoice.total, weights);
        const bySums = creditAll(invoice, cuts, (notes) => {
          const sum = (of: (note: Snapshot) => number) =>
            notes.reduce((all, note) => all + BigInt(of(note)), 0n);
          const sums = { totalMinor: sum(({ total }) => total), taxMinor: sum(({ tax }) => tax) };
          return toCreditedLines(invoice, sums) ?? [];
        });
        expect(bySums).toEqual(creditAll(invoice, cuts));
      }),
    );
    const sums = { totalMinor: 100n, taxMinor: 10n };
    expect(toCreditedLines(toInvoice([toTaxed(100, [19]), toTaxed(100, [7])]), sums)).toBeNull();
    expect(toCreditedLines(toInvoice([toTaxed(100, [5, 9.975])]), sums)).toBeNull();
  });

  it('each say which invoice they belong to and why they were made', () => {
    const [note] = creditAll(makeSnapshot(), [1000]);
    expect(note).toMatchObject({
      kind: 'credit_note',
      total: 1000,
      tax: 160,
      refersTo: { number: 'INV-2026-000001' },
      creditReason: 'other',
      lines: [{ name: 'Refund of INV-2026-000001', net: 840, tax: 160 }],
    });
  });

  it('of a credit that is paid back take the lines of its own tax alone, and leave the others whole', () => {
    const [taxed, untaxed] = [toTaxed(1000, [19]), toTaxed(1000, [0])];
    const invoice = toInvoice([taxed, untaxed]);
    const taxKey = toTaxKey({ taxReason: taxed.reason, taxRates: taxed.rates });
    const part = { taxKey, netMinor: 250n, taxMinor: [48n] };
    const refund = { amountMinor: 595n, taxMinor: 95n, reason: 'other', refundedAt: 0 };
    const note = planCreditNote(invoice, [], {
      ...refund,
      ofTaxes: [part, { ...part, taxMinor: [47n] }],
    });
    expect(note.lines).toMatchObject([{ net: 500, tax: 95, total: 595, rates: [{ percentage: 19 }] }]);
    const rest = { amountMinor: 1595n, taxMinor: 95n, reason: 'other', refundedAt: 0 };
    expect(planCreditNote(invoice, note.lines, rest).lines).toMatchObject([
      { net: 500, tax: 95 },
      { net: 1000, tax: 0 },
    ]);
  });

  it('give a credit among the lines no share of a part, and take it in with the rest', () => {
    const credit = makeLine({
      net: -500,
      tax: -35,
      total: -535,
      rates: [makeRate({ percentage: 7, taxable: -500, amount: -35 })],
    });
    const invoice = toInvoice([makeLine(), credit]);
    const [part, rest] = creditAll(invoice, [1000, invoice.total - 1000]);
    expect(part?.lines).toHaveLength(1);
    expect(part?.total).toBe(1000);
    expect((rest?.total ?? 0) + 1000).toBe(invoice.total);
  });
});

/** Cuts a whole into parts in about these proportions, none of 0. */
function cutUp(total: number, weights: number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  const parts: number[] = [];
  let left = total;
  for (const weight of weights.slice(1)) {
    const part = Math.min(Math.floor((total * weight) / sum), left - 1);
    if (part >= 1) parts.push(part);
    left -= Math.max(part, 0);
  }
  return [...parts, left];
}
