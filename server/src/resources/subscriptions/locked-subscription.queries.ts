/** SQL of a subscription's own clock: its lock, what it owes, and the method it is charged by. */
import { sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { SubscriptionsTable } from '../../db/schema/subscriptions.ts';
import type { BillingDetailsJson } from '../../db/schema/users.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

const toHalted = (scope: Scope) => sql<boolean>`exists (
  select from payment_methods m join processors p
    on ${inScope(scope, 'p')} and p.id = m.connection_id
  where ${inScope(scope, 'm')}
    and m.id = subscriptions.payment_method_id and (p.status <> 'active' or p.health = 'broken' or p.adopt_from is not null))`;

const toAdopted = (scope: Scope) => sql<boolean>`exists (
  select from adopted_charges a
  where ${inScope(scope, 'a')}
    and a.subscription_id = subscriptions.id and a.period_start = subscriptions.current_interval_end)`;

const toConnection = (scope: Scope) => sql<string | null>`(
  select m.connection_id from payment_methods m
  where ${inScope(scope, 'm')}
    and m.id = subscriptions.payment_method_id)`;

const lock = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.workspaceId', '=', 'subscriptions.workspaceId')
        .on('orders.workspaceId', '=', scope.workspaceId)
        .onRef('orders.testMode', '=', 'subscriptions.testMode')
        .onRef('orders.id', '=', 'subscriptions.orderId'),
    )
    .selectAll('subscriptions')
    .select([toHalted(scope).as('isHalted'), toAdopted(scope).as('isAdopted')])
    .select(toConnection(scope).as('connectionId'))
    .where(inScope(scope, 'subscriptions'))
    .where('subscriptions.id', '=', id)
    .forUpdate(['orders', 'subscriptions']),
);

/** A subscription, and whether its method can be charged at all now. */
export interface LockedBilling extends Row<'subscriptions'> {
  /** Nothing is charged over the connection of its method, which may be retired, or not before what was lost of it is known, and nothing is booked. */
  isHalted: boolean;
  /** The next period was paid by a charge that our rows have lost. */
  isAdopted: boolean;
  /** Over which its method is charged; null = there is none. */
  connectionId: string | null;
}

/**
 * Locks a subscription after its order, as settling a payment does: whoever changes a subscription or one of
 * its payments holds the order's lock.
 */
export async function lockBilling(tx: Tx, scope: Scope, id: string): Promise<LockedBilling | undefined> {
  const [row] = await lock(tx, { ...scopeColumns(scope), id });
  return row;
}

const lockAlone = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('subscriptions').selectAll().where(inScope(scope)).where('id', '=', id).forUpdate(),
);

/** Locks a subscription whose order the transaction has locked already. */
export async function lockOfLockedOrder(tx: Tx, scope: Scope, id: string): Promise<Row<'subscriptions'>> {
  const [row] = await lockAlone(tx, { ...scopeColumns(scope), id });
  assert(row, 'a payment names a subscription that exists');
  return row;
}

export type SubscriptionChanges = Updateable<SubscriptionsTable>;

const update = keepQuery(
  (db, { workspaceId, testMode, id, ...changes }: Scope & SubscriptionChanges & { id: string }) =>
    db
      .updateTable('subscriptions')
      .set(changes)
      .where(inScope({ workspaceId, testMode }))
      .where('id', '=', id)
      .returningAll(),
);

/** Writes changes of a locked subscription and answers it as it is then. */
export async function changeSubscription(
  tx: Tx,
  scope: Scope,
  id: string,
  changes: SubscriptionChanges,
): Promise<Row<'subscriptions'>> {
  const [row] = await update(tx, { ...changes, ...scopeColumns(scope), id });
  assert(row, 'a locked subscription exists');
  return row;
}

export interface OpenPayment {
  id: string;
  type: string;
  status: 'PENDING' | 'FAILED' | 'UNPAID';
  value: bigint;
  currency: string;
  userId: string;
  subscriptionId: string | null;
  payToken: string;
  periodStart: number | null;
  version: number;
}

const open = keepQuery((db, { subscriptionId, ...scope }: Scope & { subscriptionId: string }) =>
  db
    .selectFrom('payments')
    .select([
      'id',
      'type',
      'status',
      'value',
      'currency',
      'userId',
      'subscriptionId',
      'payToken',
      'periodStart',
      'version',
    ])
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('status', 'in', ['PENDING', 'FAILED', 'UNPAID'])
    .orderBy('periodStart')
    .orderBy('createdAt')
    .orderBy('id'),
);

/** Payments of a subscription that are neither paid nor closed, those of periods first, oldest first. */
export async function listOpenPayments(db: Db, scope: Scope, subscriptionId: string): Promise<OpenPayment[]> {
  // The condition lets no other status through.
  return (await open(db, { ...scopeColumns(scope), subscriptionId })) as OpenPayment[];
}

/** What was paid for the period that begins at `startMs` and is not refunded nor being refunded, newest first. */
export async function listPaidForPeriod(
  db: Db,
  scope: Scope,
  { subscriptionId, startMs }: { subscriptionId: string; startMs: number },
): Promise<Array<{ paymentId: string; leftMinor: bigint }>> {
  const { rows } = await sql<{ paymentId: string; leftMinor: bigint }>`
    select p.id as payment_id, p.value - coalesce((
        select sum(r.amount) from refunds r where ${inScope(scope, 'r')} and r.payment_id = p.id
          and r.status in ('pending', 'succeeded')), 0)::minor_units as left_minor
    from payments p
    where ${inScope(scope, 'p')} and p.subscription_id = ${subscriptionId}
      and p.status in ('PAID', 'PARTIALLY_REFUNDED')
      and (p.type in ('subscription_initial', 'subscription_interval') and p.period_start = ${startMs}
        or p.type = 'subscription_update' and p.paid_at >= ${startMs})
    order by p.created_at desc, p.id desc`.execute(db);
  return rows;
}

/**
 * Lets subscriptions be charged by another method: one, or all of a user that have not ended. Answers those that
 * owe, which the new method is to be tried for at once.
 */
export async function takeMethod(
  tx: Tx,
  scope: Scope,
  { methodId, of }: { methodId: string; of: { subscriptionId: string } | { userId: string } },
): Promise<string[]> {
  const rows = await tx
    .updateTable('subscriptions')
    .set({ paymentMethodId: methodId, dunningHard: false })
    .where(inScope(scope))
    .where((eb) => ('userId' in of ? eb('userId', '=', of.userId) : eb('id', '=', of.subscriptionId)))
    .where('endedAt', 'is', null)
    .where('status', '<>', 'incomplete')
    .returning(['id', 'status'])
    .execute();
  return rows.filter(({ status }) => status === 'past_due' || status === 'unpaid').map(({ id }) => id);
}

/** Whether what a subscription's run is about was charged by its method of now already; true without a method. */
export async function isMethodTried(
  db: Db,
  scope: Scope,
  { id, paymentMethodId }: Pick<Row<'subscriptions'>, 'id' | 'paymentMethodId'>,
): Promise<boolean> {
  if (paymentMethodId === null) return true;
  const tried = await db
    .selectFrom('payments')
    .innerJoin('charges', (join) =>
      join
        .onRef('charges.workspaceId', '=', 'payments.workspaceId')
        .onRef('charges.testMode', '=', 'payments.testMode')
        .onRef('charges.paymentId', '=', 'payments.id'),
    )
    .select('charges.id')
    .where(inScope(scope, 'payments'))
    .where(inScope(scope, 'charges'))
    .where('payments.subscriptionId', '=', id)
    .where('payments.type', '=', 'subscription_interval')
    .where('payments.status', 'in', ['PENDING', 'FAILED'])
    .where('charges.paymentMethodId', '=', paymentMethodId)
    .limit(1)
    .executeTakeFirst();
  return tried !== undefined;
}

export interface RunningDetails {
  id: string;
  billingDetails: BillingDetailsJson | null;
}

/** Locks what of a user's subscriptions has not ended, in the order of their ids, with its billing details. */
export async function lockRunningDetails(tx: Tx, scope: Scope, userId: string): Promise<RunningDetails[]> {
  return tx
    .selectFrom('subscriptions')
    .select(['id', 'billingDetails'])
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}
