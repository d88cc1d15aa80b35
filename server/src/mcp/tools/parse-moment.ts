import { parseIso } from '../../http/query.ts';
import { ToolRefusal } from '../caller.ts';

/** A date or moment as the API reads it: in UTC where no zone is said, whatever zone the process is in. Throws ToolRefusal. */
export function parseMoment(text: string, field: string): number {
  const ms = parseIso(text);
  if (ms !== null) return ms;
  throw new ToolRefusal({
    status: 400,
    code: 'invalid_input',
    message: `${field} must be a date or moment, ISO 8601`,
  });
}
