import { Temporal } from 'temporal-polyfill';

/** Whether a text is an IANA time zone name, such as `Europe/Warsaw`, or a fixed offset from UTC, such as `+02:00`. */
export function isTimeZone(name: string): boolean {
  if (OFFSET.test(name)) return true;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** None on earth lies further from UTC than 14 hours. */
const OFFSET = /^[+-](0\d:[0-5]\d|1[0-3]:[0-5]\d|14:00)$/;

const LOCAL = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?)?$/;

/**
 * A date, or a date and time, that names no zone, as a clock of the zone shows it. Of an hour that it shows twice the first
 * is meant, of one that it leaves out the one behind. Null for any other text, and for 30 February.
 */
export function parseLocalTime(text: string, zone: string): number | null {
  if (!LOCAL.test(text)) return null;
  try {
    const ms = Temporal.PlainDateTime.from(text.replace(' ', 'T')).toZonedDateTime(zone).epochMilliseconds;
    return ms < 0 ? null : ms;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
