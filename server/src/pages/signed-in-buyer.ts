/** Who is signed in at the portal of a store, for pages that are open to everybody. */
import type { FastifyRequest } from 'fastify';
import type { Service } from '../context.ts';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { refuseCrossSite } from '../http/cross-site.ts';
import { createPortalCookies } from '../http/portal-cookies.ts';
import { type FoundBuyer, findBuyer, loadPortal } from '../http/portal-session.ts';
import { listOrderItems, listOrders } from '../resources/orders/orders.queries.ts';
import { toPage } from '../resources/paging.ts';

/** More than anybody withdraws from by a page. */
const ORDERS_MAX = 20;

/** Null = nobody, as for a page of another site that asks with the browser's cookie. */
export async function findSignedIn(
  service: Service,
  request: FastifyRequest,
  scope: Scope,
): Promise<FoundBuyer | null> {
  const { publicUrl } = service.config;
  const { headers } = request;
  try {
    if (request.method !== 'GET' && headers.authorization === undefined) refuseCrossSite(request, publicUrl);
    const { store } = await loadPortal(service.db, scope);
    const named = store.slug + (scope.testMode ? '/test' : '');
    return await findBuyer(service, createPortalCookies(publicUrl), { ...headers, 'x-svc-store': named });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** What a buyer may withdraw from, newest first: orders with their items. */
export async function listWithdrawable(
  db: Db,
  scope: Scope,
  { user: { id: userId, email, billingDetails } }: FoundBuyer,
) {
  const filter = { userId, archived: 'with' as const };
  const rows = (await listOrders(db, scope, filter, toPage({ take: ORDERS_MAX }))).slice(0, ORDERS_MAX);
  const orders = [];
  for (const { id, number, status, paidAt } of rows) {
    if (paidAt === null || status === 'REFUNDED') continue;
    const items = await listOrderItems(db, scope, id);
    orders.push({
      number,
      paidAt,
      items: items.map((item) => ({ id: item.id, name: item.name, quantity: item.quantity })),
    });
  }
  const { firstName, lastName, companyName } = billingDetails;
  const name = [firstName, lastName].filter(Boolean).join(' ') || companyName || '';
  return { name, email: email ?? '', orders };
}
