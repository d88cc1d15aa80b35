/** From the query of a list of orders or payments to its filter. */
import type { Static } from 'typebox';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { isCountry } from '../domain/countries.ts';
import { invalidField } from '../domain/errors.ts';
import { parseNumber } from '../domain/numbers.ts';
import { listActiveCustomFields } from '../resources/checkouts/carts.queries.ts';
import type { ListSales } from '../resources/orders/orders.schema.ts';
import { toArchived, toStatuses } from '../resources/paging.ts';
import type { SalesFilter } from '../resources/sales/sales-filter.sql.ts';

export async function toSalesFilter(
  db: Db,
  scope: Scope,
  query: Static<typeof ListSales>,
  withSecret: boolean,
): Promise<SalesFilter> {
  const { number, subscriptionId, customFields, ...others } = query;
  const { skip, take, cursor, returnCount, withArchived, ...rest } = others;
  return {
    ...rest,
    statuses: withoutArchived(toStatuses(query)),
    types: query.types ?? query.type,
    currencies: query.currencies ?? query.currency,
    countries: toCountries(query),
    archived: toArchived(query, withSecret),
    ...(number ? { number: toNumber('number', number) } : {}),
    ...(subscriptionId ? { subscriptionId: toNumber('subscriptionId', subscriptionId) } : {}),
    ...(customFields ? { customFields: await toFieldValues(db, scope, customFields) } : {}),
  };
}

/** `archived` among the statuses is no status of a sale. */
function withoutArchived(statuses: string[] | undefined): string[] | undefined {
  const rest = statuses?.filter((status) => status !== 'archived');
  return rest?.length ? rest : undefined;
}

function toCountries({ countries, country }: Static<typeof ListSales>): string[] | undefined {
  const path = countries ? 'countries' : 'country';
  const codes = countries ?? country;
  // Two letters that are no country would find nothing: a typo must not be lost.
  if (codes?.some((code) => !isCountry(code))) throw invalidField(path, 'must be ISO 3166-1 alpha-2 codes');
  return codes;
}

function toNumber(path: string, input: string): string {
  const number = parseNumber(input);
  if (number === null) throw invalidField(path, 'is not a number of an order');
  return number;
}

/** A JSON object of field key, or the field's id, to value. */
async function toFieldValues(db: Db, scope: Scope, text: string): Promise<Record<string, string>> {
  const values = parseObject(text);
  const byId = new Map((await listActiveCustomFields(db, scope)).map((field) => [field.id, field.key]));
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (typeof value !== 'string') throw invalidField('customFields', 'must have texts as values');
      if (!isStorable(key) || !isStorable(value))
        throw invalidField('customFields', 'must not contain U+0000 or half a character');
      return [byId.get(key.toLowerCase()) ?? key, value];
    }),
  );
}

/** JSON can say what the store's JSON cannot hold. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      // An object that JSON.parse made has string keys.
      return value as Record<string, unknown>;
    }
  } catch {
    // Answered below, like any other text that is not an object.
  }
  throw invalidField('customFields', 'must be a JSON object of field key to value');
}

/** What the cursor keeps of the last row, by the column that the list is sorted by. */
export function toSortValue(
  row: { createdAt: number; number: string; value: bigint },
  orderBy: 'createdAt' | 'orderNumber' | 'value' | undefined,
): string | number {
  if (orderBy === 'orderNumber') return row.number;
  return orderBy === 'value' ? Number(row.value) : row.createdAt;
}
