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
