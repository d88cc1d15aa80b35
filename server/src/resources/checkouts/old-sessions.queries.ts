/** Sessions of the checkout that came to nothing. */
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { OverRow, OverRows } from '../../db/over-rows.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { DAY_MS } from '../../domain/figures/utc-days.ts';

const KEPT_MS = 7 * DAY_MS;

/**
 * Those that made no order, 7 days of real time after their end. On a moved clock a session may have ended long before its
 * time: it is kept for as long as without the move.
 */
export const OLD_SESSIONS: OverRows = {
  table: 'checkout_sessions',
  key: { id: 'uuid' },
  isOver: sql`r.order_id is null
    and coalesce(r.written_real_ms, r.created_at) <= (select real_now_ms()) - ${KEPT_MS}::bigint
    and coalesce(r.written_real_ms, r.created_at) + r.expires_at - r.created_at
      <= (select real_now_ms()) - ${KEPT_MS}::bigint`,
  since: sql`coalesce(r.written_real_ms, r.created_at)`,
};

interface Gone {
  viewedAt: number | null;
  frame: string | null;
  elementId: string | null;
  offerIds: string[];
  started: boolean;
}

/** Deletes those of a store that still are; answers how many. What their days count of them stays. */
export async function deleteOldSessions(tx: Tx, scope: Scope, over: readonly OverRow[]): Promise<number> {
  const ids = over.map(({ key: [id] }) => id);
  const { rows } = await sql<Gone>`
    delete from checkout_sessions where ${inScope(scope)} and id in (
      select r.id from checkout_sessions r
      where ${inScope(scope, 'r')} and r.id = any(${ids}::uuid[]) and ${OLD_SESSIONS.isOver}
      for update of r skip locked)
    returning viewed_at, frame, element_id, offer_ids, started`.execute(tx);
  const days = toDays(rows);
  if (days.length > 0) {
    await tx
      .insertInto('checkoutDays')
      .values(days.map((day) => ({ ...scopeColumns(scope), ...day })))
      .onConflict((on) =>
        on.columns(['workspaceId', 'testMode', 'day', 'frame', 'cart']).doUpdateSet((eb) => ({
          viewed: eb('checkoutDays.viewed', '+', eb.ref('excluded.viewed')),
          started: eb('checkoutDays.started', '+', eb.ref('excluded.started')),
        })),
      )
      .execute();
  }
  return rows.length;
}

/** What days of theirs count, in an order that is the same for all who add to them. */
function toDays(rows: readonly Gone[]) {
  const days = new Map<string, ReturnType<typeof toDay> & { viewed: number; started: number }>();
  for (const row of rows) {
    if (row.viewedAt === null) continue;
    const day = toDay(row, row.viewedAt);
    const name = JSON.stringify([day.day, day.frame, day.cart]);
    const known = days.get(name) ?? { ...day, viewed: 0, started: 0 };
    days.set(name, { ...known, viewed: known.viewed + 1, started: known.started + Number(row.started) });
  }
  return [...days.keys()].sort().flatMap((name) => days.get(name) ?? []);
}

function toDay({ frame, elementId, offerIds }: Gone, viewedAt: number) {
  const day = Math.floor(viewedAt / DAY_MS);
  return { day, frame: frame ?? 'page', cart: elementId ?? offerIds.join(','), elementId, offerIds };
}
