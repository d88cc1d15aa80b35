/** What a buyer has ordered, and the documents of it. */
import { toDocumentUrl } from '../domain/invoicing/numbering.ts';
import { buyerRead } from '../http/portal-route.ts';
import type { Route } from '../http/route.ts';
import { listInvoices } from '../resources/invoices/listed-invoices.queries.ts';
import { listOrders } from '../resources/orders/list-orders.queries.ts';
import { listOrderItems } from '../resources/orders/orders.queries.ts';
import { toItem, toListedOrder, toOrder } from '../resources/orders/orders.schema.ts';
import { cutPage, toPage } from '../resources/paging.ts';
import { listPaymentsOfOrder } from '../resources/payments/payments.queries.ts';
import { toPayment } from '../resources/payments/payments.schema.ts';
import {
  DocumentsData,
  ListOwn,
  OwnOrderData,
  OwnOrderParams,
  OwnOrdersData,
  toPortalDocument,
} from '../resources/portal/bought.schema.ts';
import { listRefundsOfOrder } from '../resources/refunds/refunds.queries.ts';
import { toRefund } from '../resources/refunds/refunds.schema.ts';
import { getOwnOrder } from './own-objects.ts';

const list = buyerRead({
  method: 'GET',
  path: '/v0/portal/orders/list',
  operationId: 'listPortalOrders',
  tag: 'portal',
  summary: 'List the orders of this buyer, newest first',
  query: ListOwn,
  data: OwnOrdersData,
  handler: async ({ db, scope, query, buyer }) => {
    const page = toPage(query);
    const filter = { userId: buyer.user.id, archived: 'with' as const };
    const rows = await listOrders(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    return { orders: cut.rows.map(toListedOrder), count: null, ...cut.page };
  },
});

const get = buyerRead({
  method: 'GET',
  path: '/v0/portal/orders/:orderNumber',
  operationId: 'getPortalOrder',
  tag: 'portal',
  summary: 'Get an order of this buyer',
  description: 'Keys are masked: the library shows them.',
  params: OwnOrderParams,
  data: OwnOrderData,
  handler: async ({ ctx, db, scope, params, buyer }) => {
    const row = await getOwnOrder(db, scope, { userId: buyer.user.id, text: params.orderNumber });
    const items = await listOrderItems(db, scope, row.id);
    const payments = await listPaymentsOfOrder(db, scope, row.id);
    const refunds = await listRefundsOfOrder(db, scope, row.id);
    const { publicUrl } = ctx.config;
    const order = toOrder(row);
    return {
      order,
      items: items.map((item) => toItem(item, { withKeys: false })),
      payments: payments.map((payment) => toPayment(payment, publicUrl)),
      refunds: refunds.map((refund) => ({
        ...toRefund(refund, refund.creditNoteToken && toDocumentUrl(publicUrl, refund.creditNoteToken)),
        // A merchant's word among themselves.
        note: null,
      })),
      consents: order.consents,
      withdrawableUntil: order.withdrawableUntil,
      withdrawalOpen:
        order.status !== 'REFUNDED' &&
        order.withdrawableUntil !== null &&
        ctx.nowMs <= order.withdrawableUntil,
    };
  },
});

const documents = buyerRead({
  method: 'GET',
  path: '/v0/portal/documents/list',
  operationId: 'listPortalDocuments',
  tag: 'portal',
  summary: 'List the invoices and credit notes of this buyer, newest first',
  query: ListOwn,
  data: DocumentsData,
  handler: async ({ ctx, db, scope, query, buyer }) => {
    const page = toPage(query);
    const rows = await listInvoices(db, scope, { filter: { userId: buyer.user.id }, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.finalisedAt, id: row.id }));
    const { publicUrl } = ctx.config;
    return { documents: cut.rows.map((row) => toPortalDocument(row, publicUrl)), count: null, ...cut.page };
  },
});

export const portalOrderRoutes: Route[] = [list, get, documents];
