/** What a password must be. Length is counted in characters (code points), not in bytes. */
const LENGTH_MIN = 8;
const LENGTH_MAX = 72;

/** Why a password cannot be taken, as a field's message; null when it can. */
export function findPasswordIssue(password: string): string | null {
  const { length } = Array.from(password);
  if (length < LENGTH_MIN || length > LENGTH_MAX)
    return `must have ${LENGTH_MIN} to ${LENGTH_MAX} characters`;
  if (!/[^\p{L}\p{M}\p{N}\s]/u.test(password)) return 'must hold a special character';
  if (!/\p{Nd}/u.test(password)) return 'must hold a digit';
  return /\p{Lu}/u.test(password) ? null : 'must hold an upper-case letter';
}

/** The form that is hashed: keyboards write the same character in more than one way. */
export function toPasswordNormal(password: string): string {
  return password.normalize('NFC');
}
