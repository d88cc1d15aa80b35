/** Fields that clients know by two names. */
import { invalidField } from './errors.ts';

/**
 * The value of a field by its own name or by its other one; undefined where neither is given. Throws invalid_input when
 * the two differ.
 */
export function chooseSpelling<T>(
  [name, value]: readonly [string, T | undefined],
  [other, alias]: readonly [string, T | undefined],
): T | undefined {
  if (value !== undefined && alias !== undefined && value !== alias) {
    throw invalidField(other, `must be the same as ${name}`);
  }
  return value === undefined ? alias : value;
}
