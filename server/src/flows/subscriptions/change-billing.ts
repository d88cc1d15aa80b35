/** How one subscription is billed, changed by name: its own billing details, and the method that it is charged by. */

import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import type { Row } from '../../db/schema.ts';
import { type Scope, toJson } from '../../db/scope.ts';
import type { Change } from '../../domain/billing-details.ts';
import { Refusal } from '../../domain/errors.ts';
import { checkAction } from '../../domain/states/subscription.ts';
import { changeOwnDetails } from '../../domain/subscriptions/own-details.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';
import { changeSubscription } from '../../resources/subscriptions/locked-subscription.queries.ts';
import { chargeByMethod } from '../users/charge-by-method.ts';
import { holdMethod } from '../users/hold-method.ts';

export interface AskedBilling {
  /** What is missing stays. */
  billingDetails?: Change<BillingDetailsJson>;
  paymentMethodId?: string;
}

/** The columns as they will be; empty = nothing was asked. */
export type PlannedBilling = Partial<Pick<Row<'subscriptions'>, 'billingDetails' | 'paymentMethodId'>>;

/** Refuses subscription_state, unknown_reference for a method that is not the user's, and details that cannot be. */
export async function planBilling(
  ctx: Context,
  scope: Scope,
  { subscription, asked }: { subscription: Row<'subscriptions'>; asked: AskedBilling },
): Promise<PlannedBilling> {
  const { billingDetails, paymentMethodId } = asked;
  if (billingDetails === undefined && paymentMethodId === undefined) return {};
  checkAction('update_billing', { status: subscription.status });
  if (paymentMethodId !== undefined) await checkMethod(ctx, scope, { subscription, paymentMethodId });
  return {
    ...(billingDetails === undefined
      ? {}
      : { billingDetails: changeOwnDetails(subscription.billingDetails ?? {}, billingDetails) }),
    ...(paymentMethodId === undefined ? {} : { paymentMethodId }),
  };
}

async function checkMethod(
  ctx: Context,
  scope: Scope,
  { subscription, paymentMethodId }: { subscription: Row<'subscriptions'>; paymentMethodId: string },
): Promise<void> {
  if (paymentMethodId === subscription.paymentMethodId) return;
  const method = await findPaymentMethod(ctx.db, scope, paymentMethodId);
  if (method?.userId !== subscription.userId || !method.kept) throw toUnknownMethod();
}

export function toUnknownMethod(): Refusal {
  return new Refusal('unknown_reference', {
    message: 'paymentMethodId names no payment method of this user.',
  });
}

/** Before the subscription is locked: a method that is named is looked at once more, and stays its user's meanwhile. */
export async function holdNamedMethod(
  tx: Tx,
  scope: Scope,
  { subscription, planned }: { subscription: Row<'subscriptions'>; planned: PlannedBilling },
): Promise<void> {
  const { paymentMethodId: methodId } = planned;
  if (!methodId || methodId === subscription.paymentMethodId) return;
  if (!(await holdMethod(tx, scope, { userId: subscription.userId, methodId }))) throw toUnknownMethod();
}

/** Of a locked subscription. Nothing is told of it; where something is owed a new method is tried at once. */
export async function writeBilling(
  ctx: Step,
  scope: Scope,
  { tx, subscription, planned }: { tx: Tx; subscription: Row<'subscriptions'>; planned: PlannedBilling },
): Promise<Row<'subscriptions'>> {
  const { billingDetails, paymentMethodId } = planned;
  const { id: subscriptionId } = subscription;
  if (paymentMethodId && paymentMethodId !== subscription.paymentMethodId) {
    await chargeByMethod(ctx, scope, { tx, methodId: paymentMethodId, of: { subscriptionId } });
  }
  const details = billingDetails ? { billingDetails: toJson(billingDetails) } : {};
  return changeSubscription(tx, scope, subscriptionId, {
    ...details,
    ...(paymentMethodId ? { paymentMethodId } : {}),
  });
}
