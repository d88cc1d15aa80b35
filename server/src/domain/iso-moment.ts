/**
 * A moment as ISO 8601 writes it: extended or basic (`20261122T000051Z`), to the hour, minute, second or a part of it, and
 * with its zone, without which nobody knows which moment is meant.
 */
const FORMS = [
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|([+−-])(\d{2})(?::?(\d{2}))?)$/i,
  /^(\d{4})(\d{2})(\d{2})T(\d{2})(?:(\d{2})(?:(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|([+−-])(\d{2})(?::?(\d{2}))?)$/i,
];

/** In whole ms; null for what names no moment, such as a 30th of February. */
export function parseIsoMoment(text: string): number | null {
  const found = FORMS.map((form) => form.exec(text)).find((one) => one !== null);
  if (!found) return null;
  const [, ...parts] = found;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(toNumber);
  const [fraction = '', , sign, offsetHours, offsetMinutes] = parts.slice(6);
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  // A day may end at 24:00.
  const isMidnight = hour === 24 && minute === 0 && second === 0 && Number(fraction) === 0;
  if (!isDay || minute > 59 || second > 59 || (hour > 23 && !isMidnight)) return null;
  if (toNumber(offsetHours) > 23 || toNumber(offsetMinutes) > 59) return null;
  const offset = (toNumber(offsetHours) * 60 + toNumber(offsetMinutes)) * (sign === '+' ? 1 : -1);
  const ms = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return date.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + ms;
}

const toNumber = (text: string | undefined) => Number(text ?? 0);
