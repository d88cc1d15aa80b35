/** What a link brings along for the buyer: `svc-…` parameters, and custom fields by their own keys. */
import type { BuyerForm } from '../domain/checkout/buyer.ts';
import { isCountry } from '../domain/countries.ts';
import { isEmail } from '../domain/email.ts';
import type { LinkDetails } from '../flows/checkout/open-checkout.ts';
import type { RawQuery } from '../http/query.ts';

const TEXT_LENGTH_MAX = 200;

const TEXTS = [
  ['email', 'svc-customer-email'],
  ['firstName', 'svc-customer-first-name'],
  ['lastName', 'svc-customer-last-name'],
  ['countryCode', 'svc-customer-country'],
  ['state', 'svc-customer-state'],
  ['city', 'svc-customer-city'],
  ['postalCode', 'svc-customer-zip-code'],
  ['discountCode', 'svc-discount-code'],
] as const;
const QUANTITY = 'svc-quantity';
/** Another name of the e-mail that clients send. */
const USER_EMAIL = 'svc-user-email';
const REFERENCE = 'svc-reference';
const REDIRECT_URL = 'svc-redirect-url';
const ADDRESS_LENGTH_MAX = 2_000;

export type Prefill = Pick<BuyerForm, (typeof TEXTS)[number][0] | 'quantity' | 'customFields'>;

/** What a link says of the purchase, beside what it fills in. */
export type LinkTerms = LinkDetails;

interface Known {
  /** Of the store's custom fields: a link may carry anything, such as the marks of a campaign. */
  keys: readonly string[];
  /** Other names of this API: `abc-quantity` is understood as `svc-quantity` is. */
  aliases: readonly string[];
}

function takeOne(query: RawQuery, name: string, lengthMax = TEXT_LENGTH_MAX): string | null {
  const value = query[name]?.at(-1)?.trim();
  return value && value.length <= lengthMax && !/\p{Cc}/u.test(value) ? value : null;
}

function toTaker(query: RawQuery, aliases: readonly string[]) {
  return (name: string, lengthMax?: number): string | null => {
    const spellings = [name, ...aliases.map((alias) => name.replace(/^svc-/, `${alias}-`))];
    return spellings.map((one) => takeOne(query, one, lengthMax)).find((value) => value !== null) ?? null;
  };
}

export function toLinkTerms(query: RawQuery, { aliases }: Pick<Known, 'aliases'>): LinkTerms {
  const take = toTaker(query, aliases);
  return { reference: take(REFERENCE), redirectUrl: take(REDIRECT_URL, ADDRESS_LENGTH_MAX) };
}

export function toPrefill(query: RawQuery, { keys, aliases }: Known): Prefill {
  const take = toTaker(query, aliases);
  const texts = Object.fromEntries(TEXTS.map(([field, name]) => [field, take(name)])) as Record<
    (typeof TEXTS)[number][0],
    string | null
  >;
  const email = texts.email ?? take(USER_EMAIL);
  const country = texts.countryCode?.toUpperCase() ?? null;
  const quantity = Number(take(QUANTITY) ?? Number.NaN);
  return {
    ...texts,
    email: email !== null && isEmail(email) ? email : null,
    countryCode: country !== null && isCountry(country) ? country : null,
    quantity: Number.isInteger(quantity) && quantity >= 1 && quantity <= 10_000 ? quantity : null,
    customFields: Object.fromEntries(
      keys.flatMap((key): Array<[string, string]> => {
        const value = takeOne(query, key);
        return value === null ? [] : [[key, value]];
      }),
    ),
  };
}

/** The same parameters again, for the address that the link leads to; '' for none. */
export function toPrefillQuery(
  { quantity, customFields, ...texts }: Prefill,
  { reference, redirectUrl }: LinkTerms,
): string {
  const given: Array<[string, string | number | null]> = [
    ...TEXTS.map(([field, name]): [string, string | null] => [name, texts[field]]),
    [QUANTITY, quantity],
    [REFERENCE, reference],
    [REDIRECT_URL, redirectUrl],
    ...Object.entries(customFields),
  ];
  const query = new URLSearchParams(
    given.flatMap(
      ([name, value]): Array<[string, string]> => (value === null ? [] : [[name, String(value)]]),
    ),
  ).toString();
  return query && `?${query}`;
}
