/** What a link brings along for the buyer: `svc-…` parameters, and custom fields by their own keys. */
import type { BuyerForm } from '../domain/checkout/buyer.ts';
import { isCountry } from '../domain/countries.ts';
import { isEmail } from '../domain/email.ts';
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

export type Prefill = Pick<BuyerForm, (typeof TEXTS)[number][0] | 'quantity' | 'customFields'>;

/** `keys` are those of the store's custom fields: a link may carry anything, such as the marks of a campaign. */
export function toPrefill(query: RawQuery, keys: readonly string[]): Prefill {
  const take = (name: string): string | null => {
    const value = query[name]?.at(-1)?.trim();
    return value && value.length <= TEXT_LENGTH_MAX && !value.includes('\u0000') ? value : null;
  };
  const texts = Object.fromEntries(TEXTS.map(([field, name]) => [field, take(name)])) as Record<
    (typeof TEXTS)[number][0],
    string | null
  >;
  const country = texts.countryCode?.toUpperCase() ?? null;
  const quantity = Number(take(QUANTITY) ?? Number.NaN);
  return {
    ...texts,
    email: texts.email !== null && isEmail(texts.email) ? texts.email : null,
    countryCode: country !== null && isCountry(country) ? country : null,
    quantity: Number.isInteger(quantity) && quantity >= 1 && quantity <= 10_000 ? quantity : null,
    customFields: Object.fromEntries(
      keys.flatMap((key): Array<[string, string]> => {
        const value = take(key);
        return value === null ? [] : [[key, value]];
      }),
    ),
  };
}

/** The same parameters again, for the address that the link leads to; '' for none. */
export function toPrefillQuery({ quantity, customFields, ...texts }: Prefill): string {
  const given: Array<[string, string | number | null]> = [
    ...TEXTS.map(([field, name]): [string, string | null] => [name, texts[field]]),
    [QUANTITY, quantity],
    ...Object.entries(customFields),
  ];
  const query = new URLSearchParams(
    given.flatMap(
      ([name, value]): Array<[string, string]> => (value === null ? [] : [[name, String(value)]]),
    ),
  ).toString();
  return query && `?${query}`;
}
