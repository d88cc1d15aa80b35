/** Orders are named in paths by their id or by their number. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { parseNumber, WHOLE_ID } from '../domain/numbers.ts';
import { findOrder, findOrderByNumber, type OrderRow } from '../resources/orders/orders.queries.ts';

async function findOrderNamed(db: Db, scope: Scope, text: string): Promise<OrderRow | undefined> {
  if (WHOLE_ID.test(text)) return findOrder(db, scope, text);
  const number = parseNumber(text);
  return number === null ? undefined : findOrderByNumber(db, scope, number);
}

/** Throws not_found. */
export async function getOrderNamed(db: Db, scope: Scope, idOrNumber: string): Promise<OrderRow> {
  const row = await findOrderNamed(db, scope, idOrNumber);
  if (!row) throw new Refusal('not_found');
  return row;
}
