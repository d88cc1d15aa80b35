/** SQL of the movements of monthly recurring revenue. */
import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { MrrMovementsTable } from '../../db/schema/figures.ts';
import type { IntervalUnit } from '../../db/schema/offers.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import type { LastMovement, Recurring } from '../../domain/figures/mrr.ts';

export interface RecurringState extends Omit<Recurring, 'items'> {
  userId: string;
  broughtBy: string | null;
  currency: string;
  recurringInterval: IntervalUnit;
  last: (LastMovement & { position: number; at: number }) | null;
}

/** A subscription that the transaction has locked, as it is now, with its latest movement. */
export async function getRecurringState(tx: Tx, scope: Scope, id: string): Promise<RecurringState> {
  const row = await tx
    .selectFrom('subscriptions as s')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('mrrMovements as m')
          .select(['m.position', 'm.kind', 'm.cause', 'm.after', 'm.at'])
          .where(inScope(scope, 'm'))
          .whereRef('m.subscriptionId', '=', 's.id')
          .orderBy('m.position', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['s.status', 's.currency', 's.recurringInterval', 's.recurringIntervalCount', 's.discount'])
    .select(['s.broughtBy', 's.waiting'])
    .select(['s.userId', 'last.position', 'last.kind', 'last.cause', 'last.after', 'last.at'])
    .where(inScope(scope, 's'))
    .where('s.id', '=', id)
    .executeTakeFirst();
  assert(row, 'a locked subscription exists');
  const { position, kind, cause, after, at, ...state } = row;
  if (position === null || kind === null || cause === null || after === null || at === null)
    return { ...state, last: null };
  return { ...state, last: { position, kind, cause, after, at } };
}

/** Whether the subscription has brought revenue before. */
export async function wasEverAbove(tx: Tx, scope: Scope, subscriptionId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('mrrMovements')
    .select('position')
    .where(inScope(scope))
    .where('subscriptionId', '=', subscriptionId)
    .where('after', '>', 0n)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the user had other subscriptions that brought revenue, and every other one has ended. */
export async function hasOnlyEnded(
  tx: Tx,
  scope: Scope,
  { userId, exceptId }: { userId: string; exceptId: string },
): Promise<boolean> {
  const { rows } = await sql<{ had: boolean | null; lives: boolean | null }>`
    select bool_or(exists (select from mrr_movements m where ${inScope(scope, 'm')}
        and m.subscription_id = s.id and m.after > 0)) as had,
      bool_or(s.ended_at is null and s.status <> 'incomplete') as lives
    from subscriptions s
    where ${inScope(scope, 's')} and s.user_id = ${userId} and s.id <> ${exceptId}`.execute(tx);
  const { had = false, lives = false } = rows[0] ?? {};
  return had === true && lives !== true;
}

type NewMovement = Omit<Insertable<MrrMovementsTable>, 'workspaceId' | 'testMode'>;

export async function insertMovement(tx: Tx, scope: Scope, movement: NewMovement): Promise<void> {
  await tx
    .insertInto('mrrMovements')
    .values({ ...scopeColumns(scope), ...movement })
    .execute();
}

/** When the books of a store from before were opened: of the time before that nothing is known. Null = it has none. */
export async function findOpeningMs(db: Db, scope: Scope): Promise<number | null> {
  const { at } = await db
    .selectFrom('mrrMovements')
    .select((eb) => eb.fn.min<number | null>('at').as('at'))
    .where(inScope(scope))
    .where('kind', '=', 'opening')
    .executeTakeFirstOrThrow();
  return at;
}
