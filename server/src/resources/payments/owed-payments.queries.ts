/** SQL of what the page of a subscription's payments shows of them. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** What a payment is for, without the credits that lower it; in the order of its lines. */
const toNames = (scope: Scope): RawBuilder<string[]> => sql`(
  select coalesce(array_agg(l.name order by l.position, l.id), '{}')
  from payment_lines l
  where ${inScope(scope, 'l')}
    and l.payment_id = payments.id and l.kind <> 'proration_credit')`;

const toInvoiceToken = (scope: Scope): RawBuilder<string | null> => sql`(
  select i.token from invoices i
  where ${inScope(scope, 'i')}
    and i.payment_id = payments.id and i.kind = 'invoice')`;

function selectLaterPayments(db: Db, scope: Scope, subscriptionId: string) {
  return db
    .selectFrom('payments')
    .select(['id', 'number', 'type', 'value', 'tax', 'periodStart', 'periodEnd', 'invoiceNumber'])
    .select([toNames(scope).as('names'), toInvoiceToken(scope).as('invoiceToken')])
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .orderBy('periodStart')
    .orderBy('createdAt')
    .orderBy('id');
}

export type LaterPayment = Awaited<ReturnType<typeof listLaterPayments>>[number];

/** Those of the payments given, oldest first. */
export async function listLaterPayments(
  db: Db,
  scope: Scope,
  { subscriptionId, paymentIds }: { subscriptionId: string; paymentIds: string[] },
) {
  if (paymentIds.length === 0) return [];
  return selectLaterPayments(db, scope, subscriptionId).where('id', 'in', paymentIds).execute();
}
