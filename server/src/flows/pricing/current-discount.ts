/** The discount that lowers the period of a subscription that is running; null = none does. */
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import type { Scope } from '../../db/scope.ts';
import { isInForce } from '../../domain/billing/compose.ts';
import type { DiscountTerms } from '../../domain/pricing/discount.ts';
import { readTerms } from '../../domain/subscriptions/stored-plan.ts';
import { isPeriodCounted } from '../../resources/payments/payment-lines.queries.ts';

export async function findCurrentDiscount(
  db: Db,
  scope: Scope,
  subscription: Row<'subscriptions'>,
): Promise<DiscountTerms | null> {
  const { id: subscriptionId, currentIntervalStart: startMs, discountUses: uses } = subscription;
  const { discountSince, discountBefore } = subscription;
  if (startMs === null) return null;
  // One that was put on since counts from the next period.
  if (discountSince !== null && startMs < discountSince) return readTerms(discountBefore);
  const terms = readTerms(subscription.discount);
  if (terms === null) return null;
  // The period's own payment counts among the uses already. A period that was given up has none that does: what would
  // have lowered it is what lowers the next one.
  const isCounted = await isPeriodCounted(db, scope, { subscriptionId, startMs });
  return isInForce(terms, isCounted ? uses - 1 : uses) ? terms : null;
}
