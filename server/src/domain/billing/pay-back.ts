/**
 * Credits whose tax nobody is charged any more can lower no payment: they are paid back, with their own tax, by refunds
 * of the payments that they came from.
 */
import { smallerAmount } from '../money/money.ts';
import { clampTax } from '../payments/refund.ts';
import { type BillingLine, computePartTax, splitCredit, toTaxKey } from './line.ts';
import { type BookedPayment, computeLeft, type LeftOfPayment, toBookedLine } from './period-books.ts';

/** A refund of one payment, and the credits that it consumes: parts of lines, negative. */
export interface PayBack {
  paymentId: string;
  amountMinor: bigint;
  taxMinor: bigint;
  lines: BillingLine[];
}

export interface PayBackPlan {
  payBacks: PayBack[];
  /** What is left of each credit that was paid back in part or whole, by the credit. */
  rests: Map<BillingLine, BillingLine>;
}

/** The taxes of credits that no charge bears any more. */
export function findUnborne(credits: readonly BillingLine[], charges: readonly BillingLine[]): Set<string> {
  const borne = new Set(charges.filter(({ total }) => total > 0n).map(toTaxKey));
  const taxes = credits.filter(({ total }) => total < 0n).map(toTaxKey);
  return new Set(taxes.filter((key) => !borne.has(key)));
}

/**
 * Pays credits of these taxes back, oldest first, one refund a payment: of the payments of the credit's period, newest
 * first, then of those that credits carried into that period came from. What cannot be paid back goes on waiting.
 */
export function planPayBacks(
  waiting: readonly BillingLine[],
  taxes: ReadonlySet<string>,
  payments: readonly BookedPayment[],
): PayBackPlan {
  const left = new Map(payments.map((payment) => [payment.id, computeLeft(payment)]));
  const payBacks = new Map<string, PayBack>();
  const rests = new Map<BillingLine, BillingLine>();
  for (const credit of waiting) {
    if (credit.total >= 0n || credit.periodEnd === null || !taxes.has(toTaxKey(credit))) continue;
    let rest = credit;
    for (const { id } of listSources(credit.periodEnd, payments)) {
      const of = left.get(id);
      const taken = of && take(rest, of);
      if (!taken) continue;
      rest = taken.rest;
      rests.set(credit, rest);
      payBacks.set(id, addPart(payBacks.get(id), id, taken.part));
    }
  }
  return { payBacks: [...payBacks.values()], rests };
}

/** The lines that wait once the payments back are made. */
export function afterPayBacks(waiting: readonly BillingLine[], { rests }: PayBackPlan): BillingLine[] {
  return waiting.map((line) => rests.get(line) ?? line);
}

/** The payments with what a plan gives back of them. */
export function withPayBacks(
  payments: readonly BookedPayment[],
  payBacks: readonly PayBack[],
): BookedPayment[] {
  return payments.map((payment) => {
    const own = payBacks.find(({ paymentId }) => paymentId === payment.id);
    if (!own) return payment;
    const { amountMinor, taxMinor, lines } = own;
    const refund = { amountMinor, taxMinor, paidBack: lines.map(toBookedLine) };
    return { ...payment, refunds: [...payment.refunds, refund] };
  });
}

/** Payments of the period, newest first, then those of the periods that carried credits of it came from. */
function listSources(periodEnd: number, payments: readonly BookedPayment[]): BookedPayment[] {
  const found: BookedPayment[] = [];
  let ends = new Set([periodEnd]);
  const seen = new Set(ends);
  while (ends.size > 0) {
    const level = payments.filter((payment) => payment.periodEnd !== null && ends.has(payment.periodEnd));
    found.push(...level.toReversed());
    ends = new Set(level.flatMap(listCarriedFrom).filter((end) => !seen.has(end)));
    for (const end of ends) seen.add(end);
  }
  return found.filter(({ canPayBack }) => canPayBack);
}

/** The periods whose credits a payment of another period has used. */
export function listCarriedFrom({ periodEnd, lines }: Pick<BookedPayment, 'periodEnd' | 'lines'>): number[] {
  const carried = lines.filter((line) => line.totalMinor < 0n && line.periodEnd !== periodEnd);
  return carried.flatMap((line) => line.periodEnd ?? []);
}

/** As much of a credit as is left of its tax in the payment; null = nothing is. */
function take(credit: BillingLine, left: LeftOfPayment) {
  const key = toTaxKey(credit);
  const ofTax = left.byTax.get(key) ?? 0n;
  const amountMinor = smallerAmount(-credit.total, smallerAmount(left.valueMinor, ofTax));
  if (amountMinor <= 0n) return null;
  const taxMinor = clampTax(-computePartTax(credit, -amountMinor), {
    amountMinor,
    leftTaxMinor: left.taxMinor,
    leftAfterMinor: left.valueMinor - amountMinor,
  });
  left.valueMinor -= amountMinor;
  left.taxMinor -= taxMinor;
  left.byTax.set(key, ofTax - amountMinor);
  return splitCredit(credit, -amountMinor, -taxMinor);
}

function addPart(before: PayBack | undefined, paymentId: string, part: BillingLine): PayBack {
  const { amountMinor, taxMinor, lines } = before ?? { amountMinor: 0n, taxMinor: 0n, lines: [] };
  return {
    paymentId,
    amountMinor: amountMinor - part.total,
    taxMinor: taxMinor - part.tax,
    lines: [...lines, part],
  };
}
