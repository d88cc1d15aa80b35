/** What was claimed for free, and the mails that told of it. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** Offers that a user has claimed since then, the first order of each first. What was called off may be claimed again. */
export async function listClaims(
  tx: Tx,
  scope: Scope,
  { userId, sinceMs }: { userId: string; sinceMs: number },
): Promise<Array<{ offerId: string | null; orderId: string }>> {
  return tx
    .selectFrom('orders as o')
    .innerJoin('orderItems as i', (join) =>
      join
        .onRef('i.workspaceId', '=', 'o.workspaceId')
        .on('i.workspaceId', '=', scope.workspaceId)
        .onRef('i.testMode', '=', 'o.testMode')
        .onRef('i.orderId', '=', 'o.id'),
    )
    .select(['i.offerId', 'o.id as orderId'])
    .where(inScope(scope, 'o'))
    .where('o.userId', '=', userId)
    .where('o.type', '=', 'claim_free')
    .where('o.status', '=', 'PAID')
    .where('o.createdAt', '>', sinceMs)
    .orderBy('o.createdAt')
    .orderBy('o.id')
    .execute();
}

export async function countClaimMails(
  tx: Tx,
  scope: Scope,
  { orderId, recipient, sinceMs }: { orderId: string; recipient: string; sinceMs: number },
): Promise<number> {
  const { count } = await tx
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(inScope(scope))
    .where(sql`lower(recipient)`, '=', recipient.toLowerCase())
    .where('orderId', '=', orderId)
    .where('kind', '=', 'free_claim')
    .where('createdAt', '>', sinceMs)
    .executeTakeFirstOrThrow();
  return count;
}
