/** SQL of the subscriptions that are charged over a connection. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

export interface Subscriber {
  id: string;
  number: string;
  orderId: string;
  /** Its first: the names that it was sold by. */
  item: { name: string; product: unknown; variant: unknown } | null;
}

/** Those that go on being charged and whose buyer had no mail of the kind since then, by their ids, after `afterId`. */
export async function listUninvited(
  db: Db,
  scope: Scope,
  {
    connectionId,
    kind,
    since,
    afterId,
    limit,
  }: { connectionId: string; kind: string; since: number; afterId: string | null; limit: number },
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select s.id, s.number, s.order_id, (
      select jsonb_build_object('name', i.name, 'product', i.product, 'variant', i.variant)
      from subscription_items i where ${inScope(scope, 'i')} and i.subscription_id = s.id
      order by i.position limit 1) as item
    from subscriptions s
    join payment_methods m on ${inScope(scope, 'm')} and m.id = s.payment_method_id
      and m.connection_id = ${connectionId}
    where ${inScope(scope, 's')} and s.ended_at is null and not s.cancel_at_interval_end
      and s.status in ('trialing', 'active', 'past_due', 'unpaid', 'paused')
      and (${afterId}::uuid is null or s.id > ${afterId}::uuid)
      and not exists (select from mails w where ${inScope(scope, 'w')} and w.order_id = s.order_id
        and w.kind = ${kind} and w.created_at > ${since})
    order by s.id limit ${limit}`.execute(db);
  return rows;
}
