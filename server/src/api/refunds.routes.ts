/** Refunds that are given back by hand. */
import { Type } from 'typebox';
import { settleByHand } from '../flows/refunds/settle-by-hand.ts';
import { loadRefund } from '../flows/refunds/settle-refund.ts';
import { type Route, write } from '../http/route.ts';
import { RefundData } from '../resources/orders/orders.schema.ts';
import { findRefund } from '../resources/refunds/refunds.queries.ts';
import { Body, Uuid } from '../resources/shapes.ts';

const REFERENCE_LENGTH_MAX = 200;

const settle = write({
  method: 'POST',
  path: '/v0/refunds/:refundId/settle',
  operationId: 'settleRefund',
  tag: 'orders',
  area: 'corrections',
  summary: 'Say that a refund which no processor gives back has gone back',
  description:
    'Of a `pending` refund that is given back by hand, such as one of a charge that was accepted in another currency.',
  params: Type.Object({ refundId: Uuid() }),
  body: Body({
    reference: Type.String({
      minLength: 1,
      maxLength: REFERENCE_LENGTH_MAX,
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

export const refundRoutes: Route[] = [settle];
