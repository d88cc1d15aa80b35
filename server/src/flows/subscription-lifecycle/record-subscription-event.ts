/** Events of a change that no payment made: what was asked for, and what time brings. */
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { SaleKind } from '../../domain/mails/kinds.ts';
import { loadSale, toEventData } from '../../resources/sales/sale.view.ts';
import { recordEvents } from '../outbox/record-event.ts';

type Told = 'subscription_updated' | 'subscription_cancelled';

/**
 * Call it once per transaction, after all changes: `subscription` carries the version of the change. `mail` is what
 * the buyer is told of a `subscription_updated`; without it they are told nothing.
 */
export async function tellSubscription(
  ctx: Context,
  scope: Scope,
  {
    tx,
    subscription,
    types = ['subscription_updated'],
    mail,
  }: { tx: Tx; subscription: Row<'subscriptions'>; types?: Told[]; mail?: SaleKind },
): Promise<void> {
  const { id, orderId, lastPaymentId: paymentId, version } = subscription;
  assert(paymentId, 'a subscription is sold with a payment');
  const sale = await loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
  const data = toEventData(sale);
  await recordEvents(
    tx,
    scope,
    ctx.ids,
    types.map((type) => ({
      type,
      entityId: id,
      entityVersion: version,
      orderId,
      paymentId,
      subscriptionId: id,
      createdAtMs: ctx.nowMs,
      data,
      ...(type === 'subscription_updated' && mail ? { mail } : {}),
    })),
  );
}
