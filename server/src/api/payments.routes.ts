/** Payments: every movement of money, each renewal of a subscription included. */
import { Type } from 'typebox';
import type { Db } from '../db/database.ts';
import type { Scope } from '../db/scope.ts';
import { Refusal } from '../domain/errors.ts';
import { toMinor } from '../domain/money/money.ts';
import { parseNumber, WHOLE_ID } from '../domain/numbers.ts';
import { cancelPayment } from '../flows/payments/cancel-payment.ts';
import { receivePayment } from '../flows/payments/receive-payment.ts';
import { flow, isLive, type Route, read, write } from '../http/route.ts';
import { ListSales, WholePaymentData } from '../resources/orders/orders.schema.ts';
import { countMatches, cutPage, toPage } from '../resources/paging.ts';
import {
  countPayments,
  findPayment,
  findPaymentByNumber,
  listPayments,
  type PaymentRow,
} from '../resources/payments/payments.queries.ts';
import {
  PaymentData,
  PaymentsData,
  toListedPayment,
  toPayment,
} from '../resources/payments/payments.schema.ts';
import { findPaymentWithItems } from '../resources/sales/sale.view.ts';
import { Body, IdOrNumber, Minor, Text, TimeInput } from '../resources/shapes.ts';
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
    const payments = cut.rows.map((row) => toListedPayment(row, ctx.config.publicUrl));
    return { payments, count, ...cut.page };
  },
});

const REFERENCE_LENGTH_MAX = 200;

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
    const { paymentId: text } = params;
    const id = WHOLE_ID.test(text) ? text : (await getByIdOrNumber(db, scope, text)).id;
    const found = await findPaymentWithItems(db, scope, { paymentId: id, withKeys: withSecret });
    if (!found) throw new Refusal('not_found');
    return { payment: toPayment(found.payment, ctx.config.publicUrl), items: found.items };
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

const receive = write({
  method: 'POST',
  path: '/v0/payments/:paymentId/receive',
  operationId: 'receivePayment',
  tag: 'payments',
  needsFreshProof: isLive,
  summary: 'Say that a transfer has come',
  description:
    'Of a payment that a `manual` processor waits for: it is paid, without a fee. One that failed because nothing had ' +
    'come by then is paid all the same, and so is a period that waits behind it. Where another sum or currency has come, say so of the order first, by ' +
    '`PATCH /v0/orders/{orderIdOrNumber}/update`.',
  params: PaymentParams,
  body: Body({
    amount: Minor({ minimum: 0, description: 'As it has come, in minor units: what the payment asks for.' }),
    receivedAt: TimeInput(),
    reference: Text(REFERENCE_LENGTH_MAX, { description: 'What the transfer is known by at the bank.' }),
  }),
  data: PaymentData,
  errors: ['not_found', 'payment_state', 'amount_mismatch'],
  example: { amount: 1999, receivedAt: 1_700_000_000_000, reference: 'T-4711' },
  handler: async ({ ctx, scope, tx, params, body: { amount, receivedAt, reference }, audit }) => {
    const { publicUrl } = ctx.config;
    const { id: paymentId, ...before } = await getByIdOrNumber(tx, scope, params.paymentId);
    audit({ payment: toPayment({ id: paymentId, ...before }, publicUrl) }, paymentId);
    const receipt = { paymentId, amountMinor: toMinor(amount), receivedAtMs: receivedAt, reference };
    return { payment: toPayment(await receivePayment(ctx, scope, { tx, receipt }), publicUrl) };
  },
});

export const paymentRoutes: Route[] = [list, get, cancel, receive];
