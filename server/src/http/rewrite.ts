/** One rewrite at the door instead of three sets of routes. */

const ALIASES: Array<[RegExp, string]> = [
  [/^\/api\/v0(?=\/|$|\?)/, '/v0'],
  [/^\/subscriptions\/?(?=\?|$)/, '/v0/subscriptions/list'],
  [/^\/subscriptions(?=\/)/, '/v0/subscriptions'],
  [/^\/v0\/subscriptions\/?(?=\?|$)/, '/v0/subscriptions/list'],
  [/^\/v0\/elements\/create(?=\?|$)/, '/v0/elements/checkout/create'],
  [/^\/v0\/elements\/list(?=\?|$)/, '/v0/elements/checkout/list'],
  [/^(\/v0\/subscriptions\/[^/?]+)\/pause-collection(?=\?|$)/, '$1/pauseCollection'],
];

/** What any of them begins with: most URLs are looked at once and not as often as there are aliases. */
const MAY_BE_ALIAS = /^\/(?:api\/|subscriptions|v0\/(?:subscriptions|elements))/;

/** A number as people see it, whose sign no browser would send unencoded: the router would end the path there. */
const PLAIN_SIGN = /^(\/[^?#]*\/)#(?=\w)/;

/** The canonical spelling of a request's URL. */
export function toCanonicalUrl(written: string): string {
  const url = written.includes('#') ? written.replace(PLAIN_SIGN, '$1%23') : written;
  if (!MAY_BE_ALIAS.test(url)) return url;
  let canonical = url;
  for (const [pattern, replacement] of ALIASES) canonical = canonical.replace(pattern, replacement);
  return canonical;
}
