/**
 * What a line of a change of plan is called, and what its sum was made of. Both are written in English, the API's language; who shows it to a buyer reads
 * them again and says them in theirs.
 */

export interface ProrationName {
  part: 'unused' | 'remaining';
  title: string;
  /** `2026-11-21` */
  startDay: string;
  endDay: string;
  /** What it was changed to, or from; null where it was removed, or added. */
  other: string | null;
}

export function writeProrationName({ part, title, startDay, endDay, other }: ProrationName): string {
  const days = `${startDay} to ${endDay}`;
  if (part === 'unused') {
    return `Unused time of ${title}, ${days} (${other === null ? 'removed' : `changed to ${other}`})`;
  }
  return `Remaining time of ${title}, ${days} (${other === null ? 'added' : `changed from ${other}`})`;
}

const DAY = '(\\d{4}-\\d\\d-\\d\\d)';
const NAME = new RegExp(
  `^(?:Unused|Remaining) time of (.+), ${DAY} to ${DAY} \\((?:removed|added|changed (?:to|from) (.+))\\)$`,
  's',
);

/** Null for the name of anything else. */
export function readProrationName(name: string): ProrationName | null {
  const found = NAME.exec(name);
  if (!found) return null;
  const [, title = '', startDay = '', endDay = '', other = null] = found;
  return { part: name.startsWith('Unused') ? 'unused' : 'remaining', title, startDay, endDay, other };
}

/** The inputs of a line's sum: the full price, and how much of the period is left, to the millisecond. */
export interface ProrationSum {
  /** `10.00`, in major units. */
  price: string;
  currency: string;
  restMs: number;
  fullMs: number;
}

export function writeProrationSum({ price, currency, restMs, fullMs }: ProrationSum): string {
  return `${price} ${currency} × ${restMs} ms / ${fullMs} ms`;
}

const SUM = /^(\d+(?:\.\d+)?) ([A-Z]{3}) × (\d+) ms \/ (\d+) ms$/;

/** Null for the description of anything else. */
export function readProrationSum(description: string): ProrationSum | null {
  const found = SUM.exec(description);
  if (!found) return null;
  const [, price = '', currency = '', restMs, fullMs] = found;
  return { price, currency, restMs: Number(restMs), fullMs: Number(fullMs) };
}
