/** A made-up event for merchants who build a receiver: it goes the way of a real one, and says that it is none. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import type { EventType } from '../../resources/events/event-types.ts';
import { countDeliveries, findEvent } from '../../resources/events/events.queries.ts';
import { toEventData } from '../../resources/sales/sale.view.ts';
import { findWebhook } from '../../resources/webhooks/webhooks.queries.ts';
import { recordSample } from '../outbox/record-event.ts';
import { toSampleRefund, toSampleSale } from './sample-sale.ts';

/** Goes to the active webhooks that hear the type, or to the one named if it does. */
export async function sendTestEvent(
  ctx: Context,
  scope: Scope,
  { tx, type, webhookId }: { tx: Tx; type: EventType; webhookId: string | undefined },
): Promise<{ event: { body: string }; webhooks: number }> {
  if (webhookId !== undefined) {
    const webhook = await findWebhook(tx, scope, webhookId);
    if (!webhook) throw new Refusal('unknown_reference', { message: 'webhookId names no webhook' });
    if (webhook.deletedAt !== null) throw new Refusal('archived');
  }
  const data = toSampleData(ctx, type);
  const id = await recordSample(tx, scope, ctx.ids, { type, data, createdAtMs: ctx.nowMs, webhookId });
  const event = await findEvent(tx, scope, id);
  assert(event?.body, 'an event is there, with its body, once it was recorded');
  return { event: { body: event.body }, webhooks: await countDeliveries(tx, scope, id) };
}

/** What a real event of the type holds. */
function toSampleData(ctx: Context, type: EventType): object {
  const sale = toSampleSale(ctx, type);
  const data = toEventData(sale);
  if (type !== 'payment_refunded') return data;
  const refund = toSampleRefund(ctx, sale);
  return { ...data, payment: { ...data.payment, refundAmount: refund.amount }, refund };
}
