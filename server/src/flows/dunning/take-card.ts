/**
 * Whoever has the link of a subscription's card page gives it another method: that is charged for this subscription from
 * then on, and at once for what it owes. Nothing of another subscription, and no method that is stored, is charged by it.
 */
import type { Context } from '../../context.ts';
import type { Scope } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { toAddressKey } from '../../domain/client-address.ts';
import type { ActionOutcome, ChargeMethod } from '../../providers/payment/payment-provider.ts';
import { findMethodSetup } from '../../resources/method-setups/method-setups.queries.ts';
import { lockBilling } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { getSubscription } from '../../resources/subscriptions/subscriptions.queries.ts';
import { findUser } from '../../resources/users/users.queries.ts';
import { takeTry } from '../limits/limit-tries.ts';
import { collectNow } from './collect-with-new-card.ts';
import { confirmMethod, findSetupAction, takeMethodFor } from './take-method.ts';

export interface GivenCard {
  subscriptionId: string;
  method: ChargeMethod;
  ipAddress: string;
}

/**
 * Refuses processor_not_configured, payment_in_progress while another is under way that nobody can stop, and 429 after
 * many tries. A subscription that has ended takes none.
 */
export async function takeCard(ctx: Context, scope: Scope, given: GivenCard): Promise<void> {
  const { subscriptionId, method, ipAddress } = given;
  const { currency, endedAt, status } = await getSubscription(ctx.db, scope, subscriptionId);
  if (endedAt !== null || status === 'incomplete') return;
  const setupId = await takeMethodFor(ctx, scope, {
    ...{ owner: { subscriptionId }, currency, method, addressKey: toAddressKey(ipAddress) },
    admit: async (tx) => {
      const subscription = await lockBilling(tx, scope, subscriptionId);
      assert(subscription, 'the page of a card has its subscription');
      const { email = null } = (await findUser(tx, scope, subscription.userId)) ?? {};
      await takeTry(ctx, scope, { tx, paymentId: subscriptionId, ipAddress, email });
      return { userId: subscription.userId, purpose: 'card', subscriptionId, subscriptionIds: [] };
    },
  });
  await collectTaken(ctx, scope, setupId);
}

/** What is owed is charged while its holder waits; else the work that was put down does it. */
async function collectTaken(ctx: Context, scope: Scope, setupId: string): Promise<void> {
  const setup = await findMethodSetup(ctx.db, scope, setupId);
  if (setup?.status !== 'succeeded' || setup.subscriptionId === null) return;
  await collectNow(ctx, scope, { subscriptionId: setup.subscriptionId, methodId: null });
}

/** The holder is back from their bank: what is decided is settled. */
export async function confirmCard(ctx: Context, scope: Scope, subscriptionId: string): Promise<void> {
  const setupId = await confirmMethod(ctx, scope, { subscriptionId });
  if (setupId !== null) await collectTaken(ctx, scope, setupId);
}

/** What the processor asks of the holder: asked anew each time, and never kept. */
export function findCardAction(ctx: Context, scope: Scope, subscriptionId: string): Promise<ActionOutcome> {
  return findSetupAction(ctx, scope, { subscriptionId });
}
