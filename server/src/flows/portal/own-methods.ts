/** A buyer's own cards: kept, chosen and let go by nobody else. */
import type { Context, Step } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Scope } from '../../db/scope.ts';
import { Refusal } from '../../domain/errors.ts';
import { insertDueWork } from '../../resources/due-work/due-work.queries.ts';
import {
  choosePaymentMethod,
  letGoPaymentMethod,
} from '../../resources/payment-methods/payment-methods.queries.ts';
import { lockUser } from '../../resources/users/users.queries.ts';
import { chargeByMethod } from '../users/charge-by-method.ts';
import { keepSandboxCard } from '../users/keep-sandbox-card.ts';

/** Answers its id. Throws card_data_refused outside of test mode, and card_invalid. */
export async function keepMethod(
  ctx: Context,
  scope: Scope,
  { tx, userId, card }: { tx: Tx; userId: string; card: string },
): Promise<string> {
  const { sandbox } = ctx.payments;
  if (!scope.testMode) throw new Refusal('card_data_refused');
  const reference = sandbox.toStoredReference(`card_${card.replaceAll(/[ -]/g, '')}`);
  if (reference === null) throw new Refusal('card_invalid', { message: 'card is no sandbox card.' });
  await lockUser(tx, scope, userId);
  return keepSandboxCard(ctx, scope, { tx, userId, reference, as: 'kept' });
}

/** Before it is read whether a method is kept, or pays anything: of two who ask at once, one sees what the other did. */
export async function lockMethods(tx: Tx, scope: Scope, userId: string): Promise<void> {
  await lockUser(tx, scope, userId);
}

export interface PayingMethod {
  tx: Tx;
  userId: string;
  methodId: string;
  /** That it pays from now on; what they owe is tried at once. */
  subscriptionIds: readonly string[];
  /** Where none is named it is charged. */
  isDefault: boolean;
}

export async function payByMethod(
  ctx: Step,
  scope: Scope,
  { tx, userId, methodId, subscriptionIds, isDefault }: PayingMethod,
): Promise<void> {
  if (isDefault) await choosePaymentMethod(tx, scope, { userId, id: methodId, chosenAt: ctx.nowMs });
  for (const subscriptionId of subscriptionIds) {
    await chargeByMethod(ctx, scope, { tx, methodId, of: { subscriptionId } });
  }
}

/** Charges of the past still name it; it is offered for nothing any more. */
export async function dropMethod(
  { nowMs }: Pick<Step, 'nowMs'>,
  scope: Scope,
  { tx, id }: { tx: Tx; id: string },
): Promise<void> {
  await letGoPaymentMethod(tx, scope, id);
  // Where it is kept it is to be charged no more either.
  await insertDueWork(tx, scope, [{ kind: 'detach_method', refId: id, dueMs: nowMs }]);
}
