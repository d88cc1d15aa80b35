/** Events of a change that no payment made: what was asked for, and what time brings. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { SaleKind } from '../../domain/mails/kinds.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import { loadSale, toEventData } from '../../resources/sales/sale.view.ts';
import { PLACE_MAX } from '../outbox/derive-id.ts';
import { type EventOfPeriod, recordEvents } from '../outbox/record-event.ts';

type Told = 'subscription_updated' | 'subscription_cancelled';

/** More than one change tells. */
const EVENTS_MAX = 16;

export interface TellingSubscription {
  tx: Tx;
  subscription: Row<'subscriptions'>;
  types?: Told[];
  mail?: SaleKind;
  inPeriod?: 'first' | 'last';
}

/**
 * Call it once per transaction, after all changes: `subscription` carries the version of the change. `mail` is what
 * the buyer is told of a `subscription_updated`; without it they are told nothing. `inPeriod` is for what the period
 * brings by itself, and says whether it comes before what is told of the period's payments in the same moment.
 */
export async function recordSubscriptionEvent(
  ctx: Step,
  scope: Scope,
  { tx, subscription, types = ['subscription_updated'], mail, inPeriod }: TellingSubscription,
): Promise<void> {
  // Its buyer and whoever listens hear of it where it is charged.
  if (subscription.waiting) return;
  const { id, orderId, lastPaymentId: paymentId, version } = subscription;
  assert(paymentId, 'a subscription is sold with a payment');
  const sale = await loadSale(tx, scope, { orderId, paymentId, publicUrl: ctx.config.publicUrl });
  const data = toEventData(sale);
  await recordEvents(
    tx,
    scope,
    ctx.ids,
    types.map((type, index) => ({
      type,
      entityId: id,
      entityVersion: version,
      orderId,
      paymentId,
      subscriptionId: id,
      createdAtMs: ctx.nowMs,
      data,
      ...(type === 'subscription_updated' && mail ? { mail } : {}),
      ...(inPeriod ? toWork(subscription, { inPeriod, index }) : {}),
    })),
  );
}

/** Two copies that differ by then differ in version or status, and with them in the ids. */
function toWork(
  { id: subscriptionId, version, status, currentIntervalStart: startMs }: Row<'subscriptions'>,
  { inPeriod, index }: { inPeriod: 'first' | 'last'; index: number },
): { work?: EventOfPeriod } {
  if (startMs === null) return {};
  const statuses = Object.keys(SUBSCRIPTION.moves);
  // Below 0, where no payment's event is.
  const n = -1 - (version * statuses.length + statuses.indexOf(status)) * EVENTS_MAX - index;
  const place = inPeriod === 'first' ? index : PLACE_MAX - EVENTS_MAX + index;
  return { work: { subscriptionId, startMs, n, place } };
}
