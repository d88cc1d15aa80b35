/** Refunds: what was given back, and what is given back by hand. */
import { Type } from 'typebox';
import { toMinor } from '../domain/money/money.ts';
import { previewRefund } from '../flows/refunds/preview-refund.ts';
import { settleByHand } from '../flows/refunds/settle-by-hand.ts';
import { loadRefund } from '../flows/refunds/settle-refund.ts';
import { isLive, type Route, read, write } from '../http/route.ts';
import { RefundData } from '../resources/orders/orders.schema.ts';
import { countMatches, cutPage, toPage, toStatuses } from '../resources/paging.ts';
import { countRefunds, listRefunds } from '../resources/refunds/listed-refunds.queries.ts';
import { findRefund } from '../resources/refunds/refunds.queries.ts';
import {
  ListRefunds,
  PreviewRefund,
  REFUND_ERRORS,
  RefundPreviewData,
  RefundsData,
  toListedRefund,
  toRefundPreview,
} from '../resources/refunds/refunds.schema.ts';
import { Body, IdOrNumber, Text, Uuid } from '../resources/shapes.ts';
import { getOrderNamed } from './find-order.ts';

const REFERENCE_LENGTH_MAX = 200;

const settle = write({
  method: 'POST',
  path: '/v0/refunds/:refundId/settle',
  operationId: 'settleRefund',
  needsFreshProof: isLive,
  tag: 'orders',
  summary: 'Say that a refund which no processor gives back has gone back',
  description:
    'Of a `pending` refund that is given back by hand, such as one of a charge that was accepted in another currency, ' +
    'and of one that came back (`returnedAt`), whose status stays as it is.',
  params: Type.Object({ refundId: Uuid() }),
  body: Body({
    reference: Text(REFERENCE_LENGTH_MAX, {
      description: 'What the transfer is known by, such as its number at the bank.',
    }),
  }),
  data: RefundData,
  errors: ['not_found', 'refund_state'],
  example: { reference: 'T-4711' },
  handler: async ({ ctx, scope, tx, params: { refundId }, body: { reference }, audit }) => {
    const before = await findRefund(tx, scope, refundId);
    if (before) audit(await loadRefund(tx, scope, { refundId, publicUrl: ctx.config.publicUrl }), refundId);
    return settleByHand(ctx, scope, { tx, refundId, reference });
  },
});

const preview = read({
  method: 'GET',
  path: '/v0/orders/:orderIdOrNumber/refunds/preview',
  operationId: 'previewRefund',
  tag: 'refunds',
  needsSecret: true,
  summary: 'Show what a refund would give back, and how much of it is tax',
  description: 'Decided as the refund itself; nothing is written.',
  params: Type.Object({ orderIdOrNumber: IdOrNumber() }),
  query: PreviewRefund,
  data: RefundPreviewData,
  errors: [...REFUND_ERRORS],
  handler: async ({ ctx, db, scope, params: { orderIdOrNumber }, query }) => {
    const { id: orderId } = await getOrderNamed(db, scope, orderIdOrNumber);
    const planned = await previewRefund(ctx, scope, {
      orderId,
      paymentId: query.paymentId ?? null,
      amountMinor: query.amount === undefined ? null : toMinor(query.amount),
    });
    return { refundPreview: toRefundPreview(planned) };
  },
});

const list = read({
  method: 'GET',
  path: '/v0/refunds/list',
  operationId: 'listRefunds',
  tag: 'refunds',
  needsSecret: true,
  summary: 'List refunds, newest first',
  query: ListRefunds,
  data: RefundsData,
  handler: async ({ db, scope, query, ctx }) => {
    const page = toPage(query);
    const { returnCount, status: _status, ...given } = query;
    const filter = { ...given, statuses: toStatuses(query) };
    const rows = await listRefunds(db, scope, { filter, page });
    const cut = cutPage(rows, page, (row) => ({ value: row.createdAt, id: row.id }));
    const asked = { page, shown: cut, returnCount };
    const count = await countMatches(asked, (limit) => countRefunds(db, scope, { filter, limit }));
    const refunds = cut.rows.map((row) => toListedRefund(row, ctx.config.publicUrl));
    return { refunds, count, ...cut.page };
  },
});

export const refundRoutes: Route[] = [list, preview, settle];
