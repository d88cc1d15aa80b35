/** A list of a big store may have more to look through than anybody waits for. */
import type { Db } from '../db/database.ts';
import { isOutOfTime } from '../db/store-failure.ts';
import { readWithin } from '../db/transaction.ts';
import { Refusal } from '../domain/errors.ts';
import type { RouteRequest } from './route.ts';

const LIMIT_MS = 5_000;
/** They choose a page of a list, and its order, and no rows. */
const OF_PAGE: ReadonlySet<string> = new Set([
  ...['skip', 'take', 'cursor', 'orderBy', 'orderDirection', 'returnCount'],
]);

/**
 * Filters of which one value finds every other row and the next hardly any: by a plan for all values a list of orders looks
 * through all of them for a rare one. The others have an index that begins with them, or cost the same either way.
 */
const BY_THEIR_VALUES: ReadonlySet<string> = new Set([
  ...['customFields', 'fulfilment', 'productIds', 'offerIds'],
  ...['valueFrom', 'valueTo', 'paidFrom', 'paidTo'],
]);

/** Whether a read with this query is of a list, by what it may be asked. */
export function isListQuery(query: object | undefined): boolean {
  const { properties = {} } = (query ?? {}) as { properties?: object };
  return 'take' in properties;
}

/** What rows are chosen by; [] = by nothing. */
function listFilters(query: unknown): string[] {
  return Object.entries((query ?? {}) as object)
    .filter(([name, value]) => value !== undefined && !OF_PAGE.has(name))
    .map(([name]) => name);
}

/** Runs a read. One of a list that filters has 5 seconds for each statement; the first page of all rows needs no bound. */
export async function runBounded(
  { ctx, query }: Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'query'>,
  isList: boolean,
  run: (db: Db) => Promise<unknown>,
): Promise<unknown> {
  const { returnCount } = (query ?? {}) as { returnCount?: boolean };
  const filters = isList ? listFilters(query) : [];
  if (filters.length === 0 && !(isList && returnCount)) return run(ctx.db);
  try {
    const hangsOnValues = filters.some((name) => BY_THEIR_VALUES.has(name));
    return await readWithin(ctx.db, { limitMs: LIMIT_MS, hangsOnValues }, run);
  } catch (error) {
    if (!isOutOfTime(error)) throw error;
    throw new Refusal('list_too_wide', { message: tell(filters), cause: error });
  }
}

function tell(filters: readonly string[]): string {
  if (filters.length === 0) return 'All rows cannot be counted within 5 seconds: leave out `returnCount`.';
  const name = filters.length === 1 ? 'names' : 'name together';
  return `What ${filters.join(', ')} ${name} cannot be found within 5 seconds.`;
}
