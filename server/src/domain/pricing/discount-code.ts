/** A code as it is compared: without case, and with letters of any width as one. */
export function toCodeNormal(code: string): string {
  return code.normalize('NFKC').toLowerCase().normalize('NFKC');
}

const UNSEEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Whether all of a code can be seen: two that look alike must not be two codes. */
export function isVisibleCode(code: string): boolean {
  return !UNSEEN.test(code);
}
