/** Collection pauses: periods and the end of a trial go by without a charge, and dunning stops. */
import type { Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { invalidField } from '../../domain/errors.ts';
import { move } from '../../domain/states/machine.ts';
import { SUBSCRIPTION } from '../../domain/states/subscription.ts';
import {
  changeSubscription,
  listOpenPayments,
} from '../../resources/subscriptions/locked-subscription.queries.ts';
import { atLock } from '../outbox/at-lock.ts';
import { lockSubscriptionFor } from './lock-subscription.ts';
import { recordSubscriptionEvent } from './record-subscription-event.ts';
import { isChargingPeriod, scheduleSubscription } from './schedule-subscription.ts';

export interface Pausing {
  tx: Tx;
  subscriptionId: string;
  /** What becomes of the payments of periods that go by. */
  behavior: 'void' | 'keep_as_draft' | 'mark_uncollectible';
  /** When it ends by itself, ms; null = when it is asked to. */
  resumeAt?: number | null;
}

/** Refuses not_found, subscription_state, and invalid_input for a resumeAt that lies behind. */
export async function pauseSubscription(
  step: Step,
  scope: Scope,
  { tx, subscriptionId, behavior, resumeAt = null }: Pausing,
): Promise<Row<'subscriptions'>> {
  const before = await lockSubscriptionFor(step, scope, { tx, id: subscriptionId, action: 'pause' });
  const ctx = atLock(step);
  if (resumeAt !== null && resumeAt <= ctx.nowMs) throw invalidField('resumeAt', 'must lie in the future');
  const after = await changeSubscription(tx, scope, subscriptionId, {
    status: move(SUBSCRIPTION, before.status, 'paused'),
    pausedAt: ctx.nowMs,
    resumeAt,
    pauseBehavior: behavior,
    version: before.version + 1,
  });
  const isCharging = isChargingPeriod(await listOpenPayments(tx, scope, subscriptionId));
  await scheduleSubscription(tx, scope, after, { isCharging });
  await recordSubscriptionEvent(ctx, scope, { tx, subscription: after });
  return after;
}
