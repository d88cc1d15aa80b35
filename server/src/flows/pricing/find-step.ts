/** In which steps the processor of a subscription's method moves its currency. */
import type { Step } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { findPaymentMethod } from '../../resources/payment-methods/payment-methods.queries.ts';

/** What a part of a period costs is rarely a multiple of it by itself, and nobody could be charged for it. */
export async function findStepMinor(
  { payments }: Pick<Step, 'payments'>,
  scope: Scope,
  {
    db,
    subscription: { paymentMethodId, currency },
  }: { db: Db; subscription: Pick<Row<'subscriptions'>, 'paymentMethodId' | 'currency'> },
): Promise<bigint> {
  const steps = payments.listSteps(currency);
  if (steps.size === 0) return 1n;
  const method = await findPaymentMethod(db, scope, paymentMethodId);
  return steps.get(method?.processor ?? '') ?? 1n;
}
