/** What comparing a processor's books with ours finds, and how one of its charges stands to ours. */

export const FINDING_KINDS = [
  'repaired',
  'imported',
  'adopted',
  'missing_money',
  'unknown_money',
  'amount_differs',
  'foreign',
] as const;
export type FindingKind = (typeof FINDING_KINDS)[number];

/** Only a person can say what is behind them. */
export const ALARMING: ReadonlySet<FindingKind> = new Set([
  'missing_money',
  'unknown_money',
  'amount_differs',
]);

export interface Finding {
  kind: FindingKind;
  /** As the processor names it. */
  processorId: string | null;
  chargeId: string | null;
  /** Minor units of `currency`; null = it is not there. */
  ours: number | null;
  theirs: number | null;
  currency: string | null;
}

export type FindingCounts = Record<FindingKind, number>;

export function countFindings(findings: readonly Finding[]): FindingCounts {
  const counts = Object.fromEntries(FINDING_KINDS.map((kind) => [kind, 0])) as FindingCounts;
  for (const { kind } of findings) counts[kind] += 1;
  return counts;
}

export function isAlarming(counts: FindingCounts): boolean {
  return FINDING_KINDS.some((kind) => ALARMING.has(kind) && counts[kind] > 0);
}

/** More would be no report: the first are enough to see what is wrong, and all are counted. */
const SHOWN_MAX = 1_000;

/** What needs a person comes first, what is another's last. */
export function chooseShown(findings: readonly Finding[]): Finding[] {
  const rank = ({ kind }: Finding) => (ALARMING.has(kind) ? 0 : kind === 'foreign' ? 2 : 1);
  return [...findings].sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN_MAX);
}

/** Whether all that needs a person is among what persons have acknowledged. Of more than a report shows nobody knows. */
export function areAcknowledged(findings: readonly Finding[], acknowledged: readonly Finding[]): boolean {
  const open = findings.filter(({ kind }) => ALARMING.has(kind));
  const known = new Set(acknowledged.map(toKey));
  return open.length <= SHOWN_MAX && open.every((one) => known.has(toKey(one)));
}

const toKey = ({ kind, processorId, chargeId, ours, theirs, currency }: Finding) =>
  JSON.stringify([kind, processorId, chargeId, ours, theirs, currency]);

interface Theirs {
  status: 'succeeded' | 'open' | 'ended';
  amountMinor: bigint;
  currency: string;
}

interface Ours {
  status: 'pending' | 'succeeded' | 'failed';
  hold: string | null;
  reversedAt: number | null;
  amount: bigint;
  currency: string;
  /** Where other money was taken than was asked for. */
  takenAmount: bigint | null;
  takenCurrency: string | null;
}

/** `look`: the processor is asked, and has the last word. */
export type Verdict = 'fine' | 'look' | 'missing_money' | 'amount_differs';

export function judgeCharge(theirs: Theirs, ours: Ours): Verdict {
  if (theirs.status !== 'succeeded') {
    if (ours.status === 'succeeded') return 'missing_money';
    return ours.status === 'pending' && theirs.status === 'ended' ? 'look' : 'fine';
  }
  const isKnown = ours.status === 'succeeded' || ours.hold !== null || ours.reversedAt !== null;
  if (!isKnown) return 'look';
  const { amountMinor, currency } = toTaken(ours);
  return theirs.amountMinor === amountMinor && theirs.currency === currency ? 'fine' : 'amount_differs';
}

/** What was taken, as far as we know. */
export function toTaken({
  amount,
  currency,
  takenAmount,
  takenCurrency,
}: Pick<Ours, 'amount' | 'currency' | 'takenAmount' | 'takenCurrency'>) {
  return { amountMinor: takenAmount ?? amount, currency: takenCurrency ?? currency };
}
