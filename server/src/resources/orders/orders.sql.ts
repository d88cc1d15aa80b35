/** What of an order is read, one by one and in lists. */
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** An order with what is shown of its user, last payment and subscription. */
export function selectOrders(db: Db, scope: Scope) {
  return db
    .selectFrom('orders')
    .innerJoin('users', (join) =>
      join
        .onRef('users.workspaceId', '=', 'orders.workspaceId')
        .on('users.workspaceId', '=', scope.workspaceId)
        .onRef('users.testMode', '=', 'orders.testMode')
        .onRef('users.id', '=', 'orders.userId'),
    )
    .leftJoin('payments as last', (join) =>
      join
        .onRef('last.workspaceId', '=', 'orders.workspaceId')
        .on('last.workspaceId', '=', scope.workspaceId)
        .onRef('last.testMode', '=', 'orders.testMode')
        .onRef('last.id', '=', 'orders.lastPaymentId'),
    )
    .leftJoin('subscriptions', (join) =>
      join
        .onRef('subscriptions.workspaceId', '=', 'orders.workspaceId')
        .on('subscriptions.workspaceId', '=', scope.workspaceId)
        .onRef('subscriptions.testMode', '=', 'orders.testMode')
        .onRef('subscriptions.id', '=', 'orders.subscriptionId'),
    )
    .select(toConsents(scope).as('consents'))
    .where(inScope(scope, 'orders'));
}

/** What was agreed to at the last try; most orders are not asked for it. */
const toConsents = (scope: Scope) => sql<
  ConsentJson[] | null
>`case when orders.consented_at is null then null else (
  select jsonb_agg(jsonb_build_object('kind', c.kind, 'text', c.text, 'textVersion', c.text_version,
    'language', c.language, 'givenAt', c.given_at, 'confirmedAt', c.confirmed_at, 'sha256', c.sha256) order by c.kind)
  from consents c
  where ${inScope(scope, 'c')} and c.order_id = orders.id
    and c.given_at = orders.consented_at) end`;

type ConsentJson = Pick<
  Row<'consents'>,
  'kind' | 'text' | 'textVersion' | 'language' | 'givenAt' | 'confirmedAt' | 'sha256'
>;

export const ORDER_COLUMNS = [
  'orders.id',
  'orders.number',
  'orders.status',
  'orders.type',
  'orders.value',
  'orders.tax',
  'orders.fee',
  'orders.refundedValue',
  'orders.totalItems',
  'orders.country',
  'orders.currency',
  'orders.createdAt',
  'orders.paidAt',
  'orders.userId',
  'orders.checkoutId',
  'orders.discount',
  'orders.lastPaymentId',
  'orders.sessionId',
  'orders.subscriptionId',
  'orders.archivedAt',
  'orders.reference',
  'orders.correctedAt',
  'orders.holds',
  'orders.frozenAt',
  'orders.withdrawableUntil',
  'orders.imported',
  'users.username',
  'last.number as lastNumber',
  'last.type as lastType',
  'last.status as lastStatus',
  'last.value as lastValue',
  'last.currency as lastCurrency',
  'subscriptions.status as subscriptionStatus',
] as const;
