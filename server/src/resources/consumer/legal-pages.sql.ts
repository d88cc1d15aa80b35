/** A part of queries that ask which legal pages a store has. */
import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scope } from '../../db/scope.ts';

/** Whether the store has an offer of a subscription, also one that is sold no more: contracts run on. */
export function hasSubscriptionOffers(scope: Scope): RawBuilder<boolean> {
  return sql<boolean>`exists (select from offers so
    where ${inScope(scope, 'so')} and so.recurring_interval is not null)`;
}
