import type { Locale } from './locale.tsx';

/** As the API calls a line of a change of plan, whose language is English. */
const CHANGE =
  /^(Unused|Remaining) time of (.+), (\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d) \((?:removed|added|changed (?:to|from) (.+))\)$/s;

/** What a line is called, in the language of the page. */
export function nameLine(name: string, { language, t, day }: Pick<Locale, 'language' | 't' | 'day'>): string {
  const [, part, title = '', from = '', to = '', other] = CHANGE.exec(name) ?? [];
  if (language === 'en' || part === undefined) return name;
  // Its days are written in UTC.
  const days = `${day(Date.parse(from), 'UTC')} – ${day(Date.parse(to), 'UTC')}`;
  const isUnused = part === 'Unused';
  if (other === undefined) return t(isUnused ? 'line.unusedRemoved' : 'line.remainingAdded', { title, days });
  return t(isUnused ? 'line.unusedChanged' : 'line.remainingChanged', { title, days, other });
}
