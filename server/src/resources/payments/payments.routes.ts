/** Payments: every movement of money, each renewal of a subscription included. */
import { Type } from 'typebox';
import { Refusal } from '../../domain/errors.ts';
import { parseNumber } from '../../domain/numbers.ts';
import { cutPage, toPage } from '../../http/pagination.ts';
import { type Route, read } from '../../http/route.ts';
import { toSortValue } from '../orders/orders.routes.ts';
import { ListSales } from '../orders/orders.schema.ts';
import { toSalesFilter } from '../orders/sales-list.ts';
import { countPayments, findPayment, findPaymentByNumber, listPayments } from './payments.queries.ts';
import { PaymentData, PaymentsData, toPayment } from './payments.schema.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const list = read({
  method: 'GET',
  path: '/v0/payments/list',
  operationId: 'listPayments',
  tag: 'payments',
  summary: 'List payments, newest first unless sorted',
  query: ListSales,
  data: PaymentsData,
  handler: async ({ db, scope, query, ctx }) => {
    const page = toPage(query);
    const filter = await toSalesFilter(db, scope, query);
    const rows = await listPayments(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: toSortValue(row, query.orderBy), id: row.id }));
    const count = query.returnCount ? await countPayments(db, scope, filter) : null;
    const payments = cut.rows.map((row) => toPayment(row, ctx.config.publicUrl));
    return { payments, count, cursor: cut.cursor, hasMore: cut.hasMore };
  },
});

const get = read({
  method: 'GET',
  path: '/v0/payments/:paymentId',
  operationId: 'getPayment',
  tag: 'payments',
  summary: 'Get a payment by its id or number',
  params: Type.Object({ paymentId: Type.String({ maxLength: 64 }) }),
  data: PaymentData,
  handler: async ({ db, scope, params, ctx }) => {
    const { paymentId } = params;
    const number = UUID.test(paymentId) ? null : parseNumber(paymentId);
    const row = UUID.test(paymentId)
      ? await findPayment(db, scope, paymentId)
      : number === null
        ? undefined
        : await findPaymentByNumber(db, scope, number);
    if (!row) throw new Refusal('not_found');
    return { payment: toPayment(row, ctx.config.publicUrl) };
  },
});

export const paymentRoutes: Route[] = [list, get];
