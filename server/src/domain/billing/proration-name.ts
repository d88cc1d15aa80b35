/**
 * What a line of a change of plan is called. It is written in English, the API's language; who shows it to a buyer reads
 * it again and says it in theirs.
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
