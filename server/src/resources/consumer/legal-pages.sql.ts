/** A part of queries that ask which legal pages a store has. */
import { type RawBuilder, sql } from 'kysely';

/** Whether the store of the row named has an offer of a subscription, also one that is sold no more: contracts run on. */
export function hasSubscriptionOffers(table: 'stores' | 'mails'): RawBuilder<boolean> {
  return sql<boolean>`exists (select from offers so
    where so.workspace_id = ${sql.ref(`${table}.workspaceId`)} and so.test_mode = ${sql.ref(`${table}.testMode`)}
      and so.recurring_interval is not null)`;
}
