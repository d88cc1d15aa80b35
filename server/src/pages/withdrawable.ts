/** What a buyer may withdraw from. */
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { toWholeName } from '../domain/item-note.ts';
import { toPersonName } from '../domain/person-name.ts';
import type { FoundBuyer } from '../http/portal-session.ts';
import { listOrders } from '../resources/orders/list-orders.queries.ts';
import { listOrderItems } from '../resources/orders/orders.queries.ts';
import { toPage } from '../resources/paging.ts';

/** More than anybody withdraws from by a page. */
const ORDERS_MAX = 20;

/** Newest first: orders with their items. */
export async function listWithdrawable(db: Db, scope: Scope, buyer: FoundBuyer) {
  const userId = buyer.user.id;
  const filter = { userId, archived: 'with' as const };
  const rows = (await listOrders(db, scope, filter, toPage({ take: ORDERS_MAX }))).slice(0, ORDERS_MAX);
  const orders = [];
  for (const { id, number, status, paidAt } of rows) {
    if (paidAt === null || status === 'REFUNDED') continue;
    const items = await listOrderItems(db, scope, id);
    orders.push({
      number,
      paidAt,
      items: items.map((item) => ({ id: item.id, name: toWholeName(item), quantity: item.quantity })),
    });
  }
  return { ...toContact(buyer), orders };
}

/** Who states it, as far as the portal knows. */
export function toContact({ user: { email, billingDetails } }: FoundBuyer) {
  const name = toPersonName(billingDetails) || billingDetails.companyName || '';
  return { name, email: email ?? '' };
}
