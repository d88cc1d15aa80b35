/** SQL of who has had a trial of what. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** By what card an order's trial is begun: of a later try the later one. */
export async function noteTrialCard(
  tx: Tx,
  scope: Scope,
  { orderId, card }: { orderId: string; card: string },
): Promise<void> {
  await tx
    .updateTable('subscriptions')
    .set({ trialCard: card })
    .where(inScope(scope))
    .where('orderId', '=', orderId)
    .execute();
}

/**
 * Whether a user, or whoever has the card, has had a trial of one of the products, however it ended, or is beginning one: a purchase whose card is
 * being taken just now.
 */
export async function hasHadTrial(
  tx: Tx,
  scope: Scope,
  {
    userId,
    card,
    productIds,
    exceptOrderId,
  }: { userId: string; card: string | null; productIds: string[]; exceptOrderId: string },
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from subscriptions s
      join order_items i on ${inScope(scope, 'i')} and i.order_id = s.order_id
      where ${inScope(scope, 's')} and (s.user_id = ${userId} or s.trial_card = ${card})
        and s.order_id <> ${exceptOrderId}
        and i.product_id = any(${productIds}::uuid[])
        and (s.trial_start is not null or s.status = 'incomplete' and s.trial_end is not null and exists (
          select from payments p
          join charges c on ${inScope(scope, 'c')} and c.payment_id = p.id and c.status = 'pending'
          where ${inScope(scope, 'p')} and p.order_id = s.order_id))
    ) as found`.execute(tx);
  return rows[0]?.found ?? false;
}
