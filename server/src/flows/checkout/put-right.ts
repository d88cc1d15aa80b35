/** An unpaid order whose amounts a merchant has put right is paid as its rows stand: nothing prices it anew. */
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { listOrderItems } from '../../resources/orders/orders.queries.ts';

/** Where all lines are of 0, as in a trial, there is no sum to put right. */
export async function isPutRight(
  db: Db,
  scope: Scope,
  { id, correctedAt }: Pick<Row<'orders'>, 'id' | 'correctedAt'>,
): Promise<boolean> {
  if (correctedAt === null) return false;
  return (await listOrderItems(db, scope, id)).some(({ unitPrice }) => unitPrice > 0n);
}

/** As a cart's has it: by this the buyer is asked again where the sum is another than they were shown. */
export function toPlacedFingerprint({
  currency,
  value,
}: Pick<Row<'payments'>, 'currency' | 'value'>): string {
  return `${currency}:${value}:${value}`;
}
