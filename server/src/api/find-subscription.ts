import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { notFound } from '../domain/errors.ts';
import { parseNumber } from '../domain/numbers.ts';
import { findSubscriptionId } from '../resources/subscriptions/subscriptions.queries.ts';

/** The row's id behind what a caller wrote: a number, with or without `#`. Refuses not_found. */
export async function getSubscriptionId(db: Db, scope: Scope, text: string): Promise<string> {
  const number = parseNumber(text);
  const id = number === null ? undefined : await findSubscriptionId(db, scope, number);
  if (id === undefined) throw notFound('subscription', text);
  return id;
}
