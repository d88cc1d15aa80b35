/** Payments: every movement of money, each renewal of a subscription included. */
import { Type } from 'typebox';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { parseNumber, WHOLE_ID } from '../domain/numbers.ts';
import { cancelPayment } from '../flows/payments/cancel-payment.ts';
import { flow, type Route, read } from '../http/route.ts';
import { ListSales, WholePaymentData } from '../resources/orders/orders.schema.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';
import {
  countPayments,
  findPayment,
  findPaymentByNumber,
  listPayments,
  type PaymentRow,
} from '../resources/payments/payments.queries.ts';
import { PaymentData, PaymentsData, toPayment } from '../resources/payments/payments.schema.ts';
import { loadPaymentItems } from '../resources/sales/sale.view.ts';
import { Body, IdOrNumber } from '../resources/shapes.ts';
import { toSalesFilter, toSortValue } from './sales-list.ts';

const list = read({
  method: 'GET',
  path: '/v0/payments/list',
  operationId: 'listPayments',
  tag: 'payments',
  summary: 'List payments, newest first unless sorted',
  query: ListSales,
  data: PaymentsData,
  handler: async ({ db, scope, query, ctx, withSecret }) => {
    const page = toPage(query);
    const filter = await toSalesFilter(db, scope, query, withSecret);
    const rows = await listPayments(db, scope, filter, page);
    const cut = cutPage(rows, page, (row) => ({ value: toSortValue(row, query.orderBy), id: row.id }));
    const asked = { page, shown: cut, returnCount: query.returnCount };
    const count = await countMatches(asked, (limit) => countPayments(db, scope, { filter, limit }));
    const payments = cut.rows.map((row) => toPayment(row, ctx.config.publicUrl));
    return { payments, count, ...cut.page };
  },
});

const PaymentParams = Type.Object({ paymentId: IdOrNumber() });

async function findByIdOrNumber(db: Db, scope: Scope, text: string): Promise<PaymentRow | undefined> {
  if (WHOLE_ID.test(text)) return findPayment(db, scope, text);
  const number = parseNumber(text);
  return number === null ? undefined : findPaymentByNumber(db, scope, number);
}

async function getByIdOrNumber(db: Db, scope: Scope, text: string): Promise<PaymentRow> {
  const row = await findByIdOrNumber(db, scope, text);
  if (!row) throw new Refusal('not_found');
  return row;
}

const get = read({
  method: 'GET',
  path: '/v0/payments/:paymentId',
  operationId: 'getPayment',
  tag: 'payments',
  summary: 'Get a payment by its id or number',
  params: PaymentParams,
  data: WholePaymentData,
  handler: async ({ db, scope, params, ctx, withSecret }) => {
    const row = await getByIdOrNumber(db, scope, params.paymentId);
    const items = await loadPaymentItems(db, scope, { payment: row, withKeys: withSecret });
    return { payment: toPayment(row, ctx.config.publicUrl), items };
  },
});

const cancel = flow({
  method: 'POST',
  path: '/v0/payments/:paymentId/cancel',
  operationId: 'cancelPayment',
  tag: 'payments',
  summary: 'Call off a payment that is PENDING or UNPAID',
  description:
    'A charge under way is stopped at the processor first. One that was taken meanwhile makes the payment PAID, and ' +
    'the answer is 409. An initial payment takes its order and subscription with it; the plan change of a ' +
    '`subscription_update` is dropped.',
  params: PaymentParams,
  body: Body({ id: Type.Optional(IdOrNumber()) }),
  data: PaymentData,
  errors: ['not_found', 'payment_state', 'payment_in_progress'],
  handler: async ({ ctx, scope, params, claim, audit, finish }) => {
    const { publicUrl } = ctx.config;
    const before = await getByIdOrNumber(ctx.db, scope, params.paymentId);
    audit({ payment: toPayment(before, publicUrl) }, before.id);
    const toData = (row: PaymentRow) => ({ payment: toPayment(row, publicUrl) });
    const cancelled = await cancelPayment(ctx, scope, {
      paymentId: before.id,
      begin: claim.hold,
      finish: (tx, row) => finish(tx, toData(row)),
    });
    return toData(cancelled);
  },
});

export const paymentRoutes: Route[] = [list, get, cancel];
