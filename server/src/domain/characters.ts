/**
 * Texts counted and cut by whole characters (code points), as the description's `maxLength` and the store count them.
 * `length` and `slice` count UTF-16 units: an emoji is two, and half of one is no text that every receiver can read.
 */

export function isLongerThan(text: string, max: number): boolean {
  // No text has more characters than units, so most are not looked through.
  return text.length > max && [...text].length > max;
}

export function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}

export function lastCharacters(text: string, count: number): string {
  return [...text.slice(-2 * count)].slice(-count).join('');
}
