/** All SQL of the lines of later payments, and of those that wait for one. */
import { type Insertable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { PaymentLinesTable } from '../../db/schema/payments.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';

export type PaymentLineRow = Row<'paymentLines'>;
type NewLine = Omit<Insertable<PaymentLinesTable>, 'workspaceId' | 'testMode'>;

const linesOfPayment = keepQuery((db, { paymentId, ...scope }: Scope & { paymentId: string }) =>
  db
    .selectFrom('paymentLines')
    .selectAll()
    .where(inScope(scope))
    .where('paymentId', '=', paymentId)
    .orderBy('position')
    .orderBy('id'),
);

export async function listPaymentLines(db: Db, scope: Scope, paymentId: string): Promise<PaymentLineRow[]> {
  return linesOfPayment(db, { ...scope, paymentId });
}

const waitingLines = keepQuery((db, { subscriptionId, ...scope }: Scope & { subscriptionId: string }) =>
  db
    .selectFrom('paymentLines')
    .selectAll()
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('paymentId', 'is', null)
    .where('lapsedAt', 'is', null)
    .orderBy('createdAt')
    .orderBy('id'),
);

/** What waits for the next payment of a subscription, oldest first. */
export async function listWaitingLines(
  db: Db,
  scope: Scope,
  subscriptionId: string,
): Promise<PaymentLineRow[]> {
  return waitingLines(db, { ...scope, subscriptionId });
}

const insertion = keepQuery((db, { rows, ...scope }: Scope & { rows: NewLine[] }) =>
  db.insertInto('paymentLines').values(rows.map((row) => ({ ...scope, ...row }))),
);

export async function insertPaymentLines(tx: Tx, scope: Scope, lines: NewLine[]): Promise<void> {
  if (lines.length > 0) await insertion(tx, { ...scopeColumns(scope), rows: lines });
}

/** A line that waited comes onto a payment. */
export async function billWaitingLine(
  tx: Tx,
  scope: Scope,
  { id, paymentId, position }: { id: string; paymentId: string; position: number },
): Promise<void> {
  await tx
    .updateTable('paymentLines')
    .set({ paymentId, position, carried: true })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('paymentId', 'is', null)
    .execute();
}

/** What is left of a waiting credit after a part of it was used. */
export async function updateWaitingLine(
  tx: Tx,
  scope: Scope,
  {
    id,
    ...sums
  }: { id: string } & Pick<NewLine, 'unitPrice' | 'quantity' | 'subtotal' | 'tax' | 'total' | 'taxRates'>,
): Promise<void> {
  await tx.updateTable('paymentLines').set(sums).where(inScope(scope)).where('id', '=', id).execute();
}

/** The subscription has ended: what was not billed by then lapses. */
export async function lapseWaitingLines(
  tx: Tx,
  scope: Scope,
  { subscriptionId, lapsedAt }: { subscriptionId: string; lapsedAt: number },
): Promise<void> {
  await tx
    .updateTable('paymentLines')
    .set({ lapsedAt })
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('paymentId', 'is', null)
    .where('lapsedAt', 'is', null)
    .execute();
}

/**
 * Whether the period that begins at `startMs` is one of those that the discount is counted by: its payment was paid or
 * is owed. Not one that was given up or called off, nor one that went by without a payment.
 */
export async function isPeriodCounted(
  db: Db,
  scope: Scope,
  { subscriptionId, startMs }: { subscriptionId: string; startMs: number },
): Promise<boolean> {
  const { rows } = await sql<{ isCounted: boolean }>`
    select exists (
      select from payments p
      where ${inScope(scope, 'p')} and p.subscription_id = ${subscriptionId} and p.period_start = ${startMs}
        and (p.type in ('subscription_initial', 'subscription_interval') and p.status <> 'CANCELLED'
          -- A change of plan has begun the period where it has paid for all of it, and not for a rest.
          or p.type = 'subscription_update' and p.status in ('PAID', 'PARTIALLY_REFUNDED', 'REFUNDED')
            and exists (select from payment_lines l where ${inScope(scope, 'l')} and l.payment_id = p.id
              and l.kind = 'interval'))) as is_counted`.execute(db);
  return rows[0]?.isCounted === true;
}

/** What bounds the credits of a change: another answer later says that lines or refunds have moved in between. */
export async function describeCredits(
  db: Db,
  scope: Scope,
  { subscriptionId, orderId }: { subscriptionId: string; orderId: string },
): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    select concat_ws('/',
      (select string_agg(l.id || ':' || l.total, ',' order by l.id) from payment_lines l
        where ${inScope(scope, 'l')} and l.subscription_id = ${subscriptionId}
          and l.payment_id is null and l.lapsed_at is null),
      (select string_agg(r.id || ':' || r.status, ',' order by r.id) from refunds r
        where ${inScope(scope, 'r')} and r.order_id = ${orderId})) as state`.execute(db);
  return rows[0]?.state ?? '';
}
