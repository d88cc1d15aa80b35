/** Addresses of pages, as people write them. */

/**
 * A parser also takes `https:shop.example` and slashes the wrong way. A page reads the first as a path of its own, and
 * whoever looks at either does not see where it leads.
 */
export const namesHost = (text: string): boolean => /^https?:\/\//i.test(text.trimStart());

export function isWebAddress(text: string): boolean {
  if (!namesHost(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}
