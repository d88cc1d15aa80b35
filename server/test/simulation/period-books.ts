/** What may be credited for a period, and what is left of a payment to be given back: once more, in plain numbers. */
import type { Payment } from './books.ts';
import { type Line, sum, totalOf } from './money.ts';

const CAPTURED = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'];

export const isCaptured = ({ status, type }: Payment): boolean =>
  type !== 'extra' && CAPTURED.includes(status);

/** Of a payment that may still be paid, what had waited counts; a change that was declined has given it back. */
function linesThatCount(payment: Payment): Line[] {
  if (isCaptured(payment)) return payment.lines;
  const isOpen = ['PENDING', 'UNPAID'].includes(payment.status);
  const isRetried = payment.status === 'FAILED' && payment.type === 'interval';
  return isOpen || isRetried ? payment.carried : [];
}

const of = (lines: readonly Line[], end: number) => lines.filter(({ to }) => to === end);

export function roomOf(end: number, payments: readonly Payment[], waiting: readonly Line[]): number {
  const lines = payments.flatMap(linesThatCount);
  const paidBack = payments.flatMap(({ backs }) => backs.flatMap((back) => back.credits ?? []));
  const asked = payments.filter(isCaptured).map((payment) => askedBackFor(payment, end));
  return totalOf(of([...lines, ...waiting, ...paidBack], end)) - sum(asked);
}

/** A refund that was asked for is of the payment's own period first, then of the newest. */
function askedBackFor(payment: Payment, end: number): number {
  const ends = [...new Set(payment.lines.map(({ to }) => to))].filter((to) => to !== payment.end);
  let rest = sum(payment.backs.filter(({ credits }) => credits === null).map(({ amount }) => amount));
  for (const one of [payment.end ?? 0, ...ends.toSorted((a, b) => b - a)]) {
    const share = Math.min(rest, Math.max(totalOf(of(payment.lines, one)), 0));
    if (one === end) return share;
    rest -= share;
  }
  return 0;
}

/** Of one tax: what was asked for took of each in proportion, what paid a credit back of the credit's own. */
export function leftOf(payment: Payment, place: string): number {
  const left = new Map<string, number>();
  const add = (line: Line) => left.set(line.place, (left.get(line.place) ?? 0) + line.total);
  payment.lines.forEach(add);
  for (const { amount, credits } of payment.backs) {
    if (credits) credits.forEach(add);
    else for (const [key, part] of split(amount, left)) left.set(key, (left.get(key) ?? 0) - part);
  }
  return left.get(place) ?? 0;
}

function split(amount: number, over: ReadonlyMap<string, number>): Array<[string, number]> {
  const shares = [...over].map(([key, weight]) => ({ key, weight: Math.max(weight, 0) }));
  const all = sum(shares.map(({ weight }) => weight));
  if (all === 0) return [];
  const parts = shares.map(({ key, weight }) => ({
    key,
    part: Math.floor((amount * weight) / all),
    rest: (amount * weight) % all,
  }));
  const missing = amount - sum(parts.map(({ part }) => part));
  for (const one of parts.toSorted((a, b) => b.rest - a.rest).slice(0, missing)) one.part += 1;
  return parts.map(({ key, part }) => [key, part]);
}

/** Payments of a period, newest first, then those of the periods that its carried credits came from. */
export function sourcesOf(end: number, payments: readonly Payment[]): Payment[] {
  const found: Payment[] = [];
  const seen = new Set([end]);
  let ends = [end];
  while (ends.length > 0) {
    const level = payments.filter((payment) => isCaptured(payment) && ends.includes(payment.end ?? 0));
    found.push(...level.toReversed());
    const carried = level.flatMap(({ lines, end: own }) =>
      lines.filter(({ total, to }) => total < 0 && to !== own).map(({ to }) => to),
    );
    ends = [...new Set(carried)].filter((to) => !seen.has(to));
    for (const to of ends) seen.add(to);
  }
  return found;
}

/** The credits of a period, less what they are too much by: the newest first. */
export function lowered(waiting: readonly Line[], end: number, over: number): Line[] {
  let rest = Math.max(over, 0);
  const lines = waiting.toReversed().map((line) => {
    if (line.total >= 0 || line.to !== end) return line;
    const cut = Math.min(rest, -line.total);
    rest -= cut;
    return { ...line, total: line.total + cut };
  });
  return lines.toReversed().filter((line, index) => line.total !== 0 || waiting[index]?.total === 0);
}
