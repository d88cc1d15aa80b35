/** The door of a link to pay what a subscription owes: whoever holds it may pay, and nothing else. */
import type { Context, Service } from '../context.ts';
import type { Scope } from '../db/scope.ts';
import { isInitialPayment } from '../domain/states/payment.ts';
import type { Debt } from '../flows/dunning/pay-owed.ts';
import { openContext } from '../http/context.ts';
import { findDebtByToken } from '../resources/subscriptions/locked-subscription.queries.ts';

const TOKEN_LENGTH_MAX = 64;

export interface OpenedDebt {
  ctx: Context;
  scope: Scope;
  debt: Debt;
}

/** The payment behind a link's token, with its workspace's clock; undefined for one that carries an order. */
export async function findDebt(
  service: Service,
  token: string,
  isWrite: boolean,
): Promise<OpenedDebt | undefined> {
  const found = token.length <= TOKEN_LENGTH_MAX ? await findDebtByToken(service.db, token) : undefined;
  if (!found || found.subscriptionId === null || isInitialPayment(found.type)) return undefined;
  const { workspaceId, testMode, id: paymentId, subscriptionId } = found;
  const scope = { workspaceId, testMode };
  const ctx = await openContext(service, scope, { needsClock: true, isWrite });
  return { ctx, scope, debt: { paymentId, subscriptionId } };
}
