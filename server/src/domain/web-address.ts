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

const PAGE = 'https://page.example';

/** As a browser reads it within a page: an http or https address, or a path of the page's own host; never a script. */
export function leadsIntoWeb(text: string): boolean {
  if (!URL.canParse(text, PAGE)) return false;
  const { protocol, username, password } = new URL(text, PAGE);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}
