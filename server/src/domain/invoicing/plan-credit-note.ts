/**
 * What a credit note says: how a refund falls to the taxes of its invoice. Amounts are given back as what is
 * left of the invoice after the notes before, so that all notes together never pass it, tax by tax.
 */
import { toTaxKey } from '../billing/line.ts';
import { allocate } from '../money/allocate.ts';
import { toNumber } from '../money/money.ts';
import { type Snapshot, type SnapshotBody, type SnapshotLine, sumTaxes, toRateKey } from './snapshot.ts';

export interface CreditedRefund {
  /** What goes back, tax in, and the tax within it; minor units. */
  amountMinor: bigint;
  taxMinor: bigint;
  reason: string;
  refundedAt: number;
  /** The taxes that it gives back where they are its own; null = as much of each as of the others. */
  ofTaxes?: readonly CreditedTax[] | null;
}

/** A part of a refund that is of one tax, by the tax's key. */
export interface CreditedTax {
  taxKey: string;
  netMinor: bigint;
  /** By rate. */
  taxMinor: readonly bigint[];
}

/** Lines that are taxed alike, with what is left of them. */
interface Group {
  line: SnapshotLine;
  netMinor: bigint;
  /** By rate, in the order of the line. */
  taxMinor: bigint[];
}

/** `before` = the lines of all notes that the invoice has had. */
export function planCreditNote(
  invoice: Snapshot,
  before: readonly SnapshotLine[],
  refund: CreditedRefund,
): SnapshotBody {
  const groups = subtractLines(groupLines(invoice.lines), before);
  const lines = (shareOwn(groups, refund) ?? share(groups, refund)).map((group) =>
    toCreditLine(group, invoice),
  );
  return {
    ...omitGiven(invoice),
    kind: 'credit_note',
    lines,
    taxes: sumTaxes(lines),
    discountName: null,
    net: toNumber(refund.amountMinor - refund.taxMinor),
    tax: toNumber(refund.taxMinor),
    total: toNumber(refund.amountMinor),
    paidAt: refund.refundedAt,
    refersTo: { number: invoice.number, finalisedAt: invoice.finalisedAt },
    creditReason: refund.reason,
  };
}

/**
 * The lines of all notes together, from their sums alone: for an invoice with one tax at one rate, which most are.
 * Null where only the notes themselves can tell.
 */
export function toCreditedLines(
  invoice: Snapshot,
  { totalMinor, taxMinor }: { totalMinor: bigint; taxMinor: bigint },
): SnapshotLine[] | null {
  const [group, ...others] = groupLines(invoice.lines).values();
  if (!group || others.length > 0 || group.taxMinor.length !== 1) return null;
  return [toCreditLine({ ...group, netMinor: totalMinor - taxMinor, taxMinor: [taxMinor] }, invoice)];
}

function omitGiven({ number: _, finalisedAt: __, ...body }: Snapshot): SnapshotBody {
  return body;
}

function groupLines(lines: readonly SnapshotLine[]): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const line of lines) {
    const key = toGroupKey(line);
    const group = groups.get(key) ?? { line, netMinor: 0n, taxMinor: line.rates.map(() => 0n) };
    group.netMinor += BigInt(line.net);
    group.taxMinor = group.taxMinor.map((tax, index) => tax + BigInt(line.rates[index]?.amount ?? 0));
    groups.set(key, group);
  }
  return groups;
}

function toGroupKey({ rates }: SnapshotLine): string {
  return rates.map(toRateKey).join();
}

function subtractLines(groups: Map<string, Group>, lines: readonly SnapshotLine[]): Group[] {
  for (const line of lines) {
    const group = groups.get(toGroupKey(line));
    if (!group) continue;
    group.netMinor -= BigInt(line.net);
    group.taxMinor = group.taxMinor.map((tax, index) => tax - BigInt(line.rates[index]?.amount ?? 0));
  }
  return [...groups.values()];
}

/** A credit that is paid back comes off the lines of its own tax; null where the invoice has no such line. */
function shareOwn(groups: readonly Group[], { ofTaxes }: CreditedRefund): Group[] | null {
  if (!ofTaxes) return null;
  const shared = new Map<Group, Group>();
  for (const { taxKey, netMinor, taxMinor } of ofTaxes) {
    const group = groups.find(({ line }) => toLineTaxKey(line) === taxKey);
    if (!group) return null;
    const before = shared.get(group);
    shared.set(group, {
      line: group.line,
      netMinor: (before?.netMinor ?? 0n) + netMinor,
      taxMinor: group.taxMinor.map((_, index) => (before?.taxMinor[index] ?? 0n) + (taxMinor[index] ?? 0n)),
    });
  }
  return [...shared.values()];
}

function toLineTaxKey({ reason, rates }: SnapshotLine): string {
  return toTaxKey({ taxReason: reason, taxRates: rates });
}

/** All that is left goes back as it lies; a part of it is split in proportion. */
function share(groups: Group[], { amountMinor, taxMinor }: CreditedRefund): Group[] {
  const netMinor = amountMinor - taxMinor;
  const taxes = groups.flatMap((group) => group.taxMinor);
  const isRest = sum(groups.map((group) => group.netMinor)) === netMinor && sum(taxes) === taxMinor;
  if (isRest) return groups.filter(isSomething);
  const nets = split(
    netMinor,
    groups.map((group) => group.netMinor),
  );
  const parts = split(taxMinor, taxes);
  let next = 0;
  const shared = groups.map(({ line }, index) => ({
    line,
    netMinor: nets[index] ?? 0n,
    taxMinor: line.rates.map(() => parts[next++] ?? 0n),
  }));
  return shared.filter(isSomething);
}

function isSomething({ netMinor, taxMinor }: Group): boolean {
  return netMinor !== 0n || taxMinor.some((tax) => tax !== 0n);
}

/** A credit among the invoice's lines leaves less than nothing of its tax: that has no share. */
function split(totalMinor: bigint, left: readonly bigint[]): bigint[] {
  const weights = left.map((minor) => (minor > 0n ? minor : 0n));
  if (sum(weights) === 0n) return left.map((_, index) => (index === 0 ? totalMinor : 0n));
  return allocate(totalMinor, weights);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function toCreditLine({ line, netMinor, taxMinor }: Group, invoice: Snapshot): SnapshotLine {
  const net = toNumber(netMinor);
  const tax = toNumber(sum(taxMinor));
  return {
    ...line,
    name: `Refund of ${invoice.number}`,
    detail: null,
    internalId: null,
    unitPrice: net,
    quantity: 1,
    inclusive: false,
    discount: 0,
    net,
    tax,
    total: net + tax,
    rates: line.rates.map((rate, index) => ({
      ...rate,
      taxable: net,
      amount: toNumber(taxMinor[index] ?? 0n),
    })),
    periodStart: null,
    periodEnd: null,
  };
}
