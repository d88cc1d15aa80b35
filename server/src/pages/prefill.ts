/** What a link brings along for the buyer: `svc-…` parameters, and custom fields by their own keys. */
import type { BuyerForm } from '../domain/checkout/buyer.ts';
import { isCountry } from '../domain/countries.ts';
import { isEmail } from '../domain/email.ts';
import type { RawQuery } from '../http/query.ts';

const TEXT_LENGTH_MAX = 200;
const CUSTOM_FIELDS_MAX = 50;

export function toPrefill(query: RawQuery): Partial<BuyerForm> {
  const take = (name: string): string | null => {
    const value = query[name]?.at(-1)?.trim();
    return value && value.length <= TEXT_LENGTH_MAX && !value.includes('\u0000') ? value : null;
  };
  const email = take('svc-customer-email');
  const country = take('svc-customer-country')?.toUpperCase() ?? null;
  const quantity = Number(take('svc-quantity') ?? Number.NaN);
  return {
    email: email !== null && isEmail(email) ? email : null,
    firstName: take('svc-customer-first-name'),
    lastName: take('svc-customer-last-name'),
    countryCode: country !== null && isCountry(country) ? country : null,
    state: take('svc-customer-state'),
    city: take('svc-customer-city'),
    postalCode: take('svc-customer-zip-code'),
    discountCode: take('svc-discount-code'),
    quantity: Number.isInteger(quantity) && quantity >= 1 && quantity <= 10_000 ? quantity : null,
    customFields: toCustomFields(query, take),
  };
}

function toCustomFields(query: RawQuery, take: (name: string) => string | null): Record<string, string> {
  const entries = Object.keys(query)
    .filter((name) => !name.startsWith('svc-') && /^[A-Za-z][\w-]{0,63}$/.test(name))
    .slice(0, CUSTOM_FIELDS_MAX)
    .flatMap((name): Array<[string, string]> => {
      const value = take(name);
      return value === null ? [] : [[name, value]];
    });
  return Object.fromEntries(entries);
}
