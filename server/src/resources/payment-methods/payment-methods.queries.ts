/** All SQL of stored payment methods: what a processor can charge again. */

import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { findNextWarning } from '../../domain/subscriptions/card-expiry.ts';
import { tellWorkPut } from '../../domain/trace-points.ts';
import { toDueWorkInsertion } from '../due-work/due-work.sql.ts';

export interface NewPaymentMethod {
  id: string;
  userId: string;
  processor: string;
  connectionId: string | null;
  reference: string;
  details: unknown;
  expiry: { month: number; year: number } | null;
  createdAt: number;
  /**
   * `chosen`: by the user's or the merchant's word it is charged where none is named. `kept`: the user's, and chosen
   * only where the user has none. `apart`: for the subscription that it was given for, by whoever holds its link.
   */
  as: 'chosen' | 'kept' | 'apart';
}

/**
 * Keeps a method and answers its id; the same method twice is one row. What is given apart changes nothing of a
 * method that the user has. Lock the user first where it is the user's: of two at once one is the first.
 */
export async function insertPaymentMethod(tx: Tx, scope: Scope, method: NewPaymentMethod): Promise<string> {
  const { id, userId, processor, connectionId, reference, expiry, createdAt } = method;
  const kept = method.as !== 'apart';
  const hasOther = sql<boolean>`exists (select from payment_methods m
    where ${inScope(scope, 'm')} and m.user_id = ${userId} and m.kept)`;
  const chosenAt = sql<
    number | null
  >`case when ${method.as} = 'chosen' or (${method.as} = 'kept' and not ${hasOther})
    then ${createdAt}::bigint end`;
  const values = {
    ...scopeColumns(scope),
    ...{ id, userId, processor, connectionId, reference, kept, chosenAt, createdAt },
    details: toJson(method.details),
    expMonth: expiry?.month ?? null,
    expYear: expiry?.year ?? null,
  };
  // An object's own keys.
  const columns = Object.keys(values) as Array<keyof typeof values>;
  const row = await tx
    .insertInto('paymentMethods')
    .columns(columns)
    // Not as VALUES: those of a spread store ask nothing.
    .expression(sql`select ${sql.join(columns.map((column) => sql`${values[column]}`))}`)
    .onConflict((oc) =>
      oc.columns(['workspaceId', 'testMode', 'userId', 'processor', 'reference']).doUpdateSet({
        kept: sql<boolean>`payment_methods.kept or excluded.kept`,
        endedAt: sql<null>`null`,
        chosenAt: sql<number>`coalesce(excluded.chosen_at, payment_methods.chosen_at)`,
        ...toNewer('details'),
        ...toNewer('expMonth'),
        ...toNewer('expYear'),
      }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await expectWarning(tx, scope, { id: row.id, expiry, at: createdAt });
  return row.id;
}

/** Its holder is told before it expires. */
async function expectWarning(
  tx: Tx,
  scope: Scope,
  { id: refId, expiry, at }: { id: string; expiry: NewPaymentMethod['expiry']; at: number },
): Promise<void> {
  const warning = expiry && findNextWarning(expiry, at);
  const work = warning && { kind: 'warn_of_card' as const, refId, dueMs: warning.atMs };
  if (!work) return;
  tellWorkPut(() => [refId]);
  await toDueWorkInsertion(scope, [work]).execute(tx);
}

/** Its bank has made another card of it. */
export async function renewPaymentMethod(
  tx: Tx,
  scope: Scope,
  { id, details, expiry, at }: Pick<NewPaymentMethod, 'id' | 'expiry'> & { details: string; at: number },
): Promise<void> {
  const { month: expMonth = null, year: expYear = null } = expiry ?? {};
  await tx
    .updateTable('paymentMethods')
    .set({ details, expMonth, expYear })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
  await expectWarning(tx, scope, { id, expiry, at });
}

/** It is charged no more, and shown to nobody; what it has paid still names it. */
export async function endPaymentMethod(
  tx: Tx,
  scope: Scope,
  { id, endedAt }: { id: string; endedAt: number },
): Promise<void> {
  await tx
    .updateTable('paymentMethods')
    .set({ kept: false, chosenAt: null, endedAt })
    .where(inScope(scope))
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .execute();
}

/** What was given apart does not rewrite what the user keeps. */
function toNewer(column: 'details' | 'expMonth' | 'expYear') {
  const name = sql.ref(`paymentMethods.${column}`);
  const given = sql.ref(`excluded.${column}`);
  return {
    [column]: sql`case when payment_methods.kept and not excluded.kept then ${name} else ${given} end`,
  };
}

const methodById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('paymentMethods').selectAll().where(inScope(scope)).where('id', '=', id),
);

/** The stored method behind an id; null where there is none. */
export async function findPaymentMethod(
  db: Db,
  scope: Scope,
  id: string | null,
): Promise<Row<'paymentMethods'> | null> {
  if (id === null) return null;
  const [row] = await methodById(db, { ...scopeColumns(scope), id });
  return row ?? null;
}

/** What a charge without its buyer was meant for, also where that is gone and nothing was asked: as it was kept. */
export async function findMeantMethod(
  db: Db,
  scope: Scope,
  chargeId: string,
): Promise<Row<'paymentMethods'>['details'] | null> {
  const { rows } = await sql<Pick<Row<'paymentMethods'>, 'details'>>`
    select m.details from charges c
    join payments p on ${inScope(scope, 'p')} and p.id = c.payment_id
    left join subscriptions s on ${inScope(scope, 's')} and s.id = p.subscription_id
    join payment_methods m on ${inScope(scope, 'm')}
      and m.id = coalesce(c.payment_method_id, case when c.off_session then s.payment_method_id end)
    where ${inScope(scope, 'c')} and c.id = ${chargeId}::uuid`.execute(db);
  return rows[0]?.details ?? null;
}

/** A user's own methods; what is charged when none is named comes first. */
export async function listPaymentMethods(
  db: Db,
  scope: Scope,
  userId: string,
): Promise<Array<Row<'paymentMethods'>>> {
  return db
    .selectFrom('paymentMethods')
    .selectAll()
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('kept', '=', true)
    .orderBy('chosenAt', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .execute();
}

/** What pays a running subscription of theirs and is not kept for anything else. */
export async function listMethodsApart(
  db: Db,
  scope: Scope,
  userId: string,
): Promise<Array<Row<'paymentMethods'>>> {
  return db
    .selectFrom('paymentMethods as m')
    .selectAll('m')
    .where(inScope(scope, 'm'))
    .where('m.userId', '=', userId)
    .where('m.kept', '=', false)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('subscriptions as s')
          .select('s.id')
          .where(inScope(scope, 's'))
          .where('s.userId', '=', userId)
          .whereRef('s.paymentMethodId', '=', 'm.id')
          .where('s.endedAt', 'is', null),
      ),
    )
    .orderBy('m.id', 'desc')
    .execute();
}

/** What is charged when no method is named: the one that was chosen last. */
export async function findDefaultPaymentMethod(
  db: Db,
  scope: Scope,
  userId: string,
): Promise<Row<'paymentMethods'> | undefined> {
  const [first] = await listPaymentMethods(db, scope, userId);
  return first?.chosenAt == null ? undefined : first;
}

/** By its user's own word it is charged where none is named. */
export async function choosePaymentMethod(
  tx: Tx,
  scope: Scope,
  { userId, id, chosenAt }: { userId: string; id: string; chosenAt: number },
): Promise<void> {
  await tx
    .updateTable('paymentMethods')
    .set({ chosenAt })
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('id', '=', id)
    .execute();
}

/** It is the user's no more; what it has paid still names it. */
export async function letGoPaymentMethod(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx
    .updateTable('paymentMethods')
    .set({ kept: false, chosenAt: null })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}

/** A method that somebody wants to be let go of where it is kept, and what speaks against it. */
export interface DroppedMethod {
  method: Row<'paymentMethods'>;
  /** Its user is erased: nothing of it is to be read here either. */
  isErased: boolean;
  /** It pays something, is kept again, or another user has the very same one. */
  isInUse: boolean;
  /** A charge by it is not decided yet. */
  isCharged: boolean;
}

export async function findDroppedMethod(db: Db, scope: Scope, id: string): Promise<DroppedMethod | null> {
  const method = await findPaymentMethod(db, scope, id);
  if (!method) return null;
  const { connectionId, reference } = method;
  const { rows } = await sql<Omit<DroppedMethod, 'method'>>`
    select u.id is null or u.erased_at is not null as is_erased,
      exists (select from payment_methods m
        where ${inScope(scope, 'm')} and m.connection_id = ${connectionId}::uuid and m.reference = ${reference}
          and m.ended_at is null and (m.kept or exists (select from subscriptions s
            where ${inScope(scope, 's')} and s.payment_method_id = m.id and s.ended_at is null))) as is_in_use,
      exists (select from charges c
        where ${inScope(scope, 'c')} and c.payment_method_id = d.id and c.status = 'pending') as is_charged
    from payment_methods d left join users u on ${inScope(scope, 'u')} and u.id = d.user_id
    where ${inScope(scope, 'd')} and d.id = ${id}::uuid`.execute(db);
  const [found] = rows;
  return found ? { method, ...found } : null;
}

/** What is left to be let go of: methods of a user that a processor keeps. */
export async function listDetachable(db: Db, scope: Scope, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('paymentMethods')
    .select('id')
    .where(inScope(scope))
    .where('userId', '=', userId)
    .where('connectionId', 'is not', null)
    .where('endedAt', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** How it is called at its processor goes out of the row of a user who is erased. */
export async function blankReference(tx: Tx, scope: Scope, id: string): Promise<void> {
  await tx
    .updateTable('paymentMethods')
    .set({ reference: `erased-${id}` })
    .where(inScope(scope))
    .where('id', '=', id)
    .execute();
}
