/** What a change of a subscription does to monthly recurring revenue, written in the transaction of the change. */
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { bringsRevenue, computeMrr, decideMovement } from '../../domain/figures/mrr.ts';
import {
  getRecurringState,
  hasOnlyEnded,
  insertMovement,
  wasEverAbove,
} from '../../resources/reports/mrr.queries.ts';
import { toPlanItems } from '../../resources/subscriptions/plan-items.schema.ts';
import { listSubscriptionItems } from '../../resources/subscriptions/subscriptions.queries.ts';

export interface MovementOf {
  tx: Tx;
  /** Locked, and changed already: rows and items are read as they are now. */
  subscriptionId: string;
  /** The workspace's time, ms. */
  at: number;
  /** The event that tells of the change; null where none does. */
  eventId: string | null;
}

/** Writes nothing where the subscription brings what it brought before; so it may be called once too often. */
export async function recordMrrMovement(
  scope: Scope,
  { tx, subscriptionId, at, eventId }: MovementOf,
): Promise<void> {
  const { last, ...state } = await getRecurringState(tx, scope, subscriptionId);
  const items = bringsRevenue(state.status) ? await listSubscriptionItems(tx, scope, subscriptionId) : [];
  const afterMinor = computeMrr({ ...state, items: toPlanItems(items) });
  const beforeMinor = last?.after ?? 0n;
  if (afterMinor === beforeMinor) return;
  const isRise = beforeMinor === 0n;
  const wasAbove = !isRise || (last !== null && (await wasEverAbove(tx, scope, subscriptionId)));
  const { userId, status, currency } = state;
  const isReturn =
    isRise && !wasAbove && (await hasOnlyEnded(tx, scope, { userId, exceptId: subscriptionId }));
  const decided = decideMovement({
    last,
    wasAbove,
    afterMinor,
    status,
    isImported: state.broughtBy !== null,
    isReturn,
  });
  if (decided === null) return;
  await insertMovement(tx, scope, {
    subscriptionId,
    position: (last?.position ?? 0) + 1,
    kind: decided.kind,
    delta: decided.deltaMinor,
    after: afterMinor,
    currency,
    // Of two changes at once the one that waited for the other may have begun before it.
    at: Math.max(at, last?.at ?? at),
    cause: status,
    eventId,
  });
}
