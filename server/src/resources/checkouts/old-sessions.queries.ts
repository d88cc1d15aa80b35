/**
 * Sessions of the checkout that are over: those that came to nothing, and those whose order is long ago. What the day of
 * their view counts of them stays.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import type { OverRow, OverRows } from '../../db/over-rows.ts';
import { inScope, type Scope, scopeColumns } from '../../db/scope.ts';
import { DAY_MS } from '../../domain/figures/utc-days.ts';

const KEPT_MS = 7 * DAY_MS;
const SOLD_KEPT_MS = 400 * DAY_MS;

const written = sql`coalesce(r.written_real_ms, r.created_at)`;
// Not as a question of its own, which an update must not ask (docs/decisions/0047).
const isOlderThan = (ms: number) => sql`${written} <= real_now_ms() - ${ms}::bigint`;

/**
 * Those that made no order, 7 days of real time after their end. On a moved clock a session may have ended long before its
 * time: it is kept for as long as without the move.
 */
export const OLD_SESSIONS: OverRows = {
  table: 'checkout_sessions',
  key: { id: 'uuid' },
  isOver: sql`r.order_id is null and ${isOlderThan(KEPT_MS)}
    and ${written} + r.expires_at - r.created_at <= real_now_ms() - ${KEPT_MS}::bigint`,
  since: written,
};

/** Those that made one. */
export const OLD_SOLD_SESSIONS: OverRows = {
  table: 'checkout_sessions',
  key: { id: 'uuid' },
  isOver: sql`r.order_id is not null and ${isOlderThan(SOLD_KEPT_MS)}`,
  since: written,
};

interface Gone {
  viewedAt: number | null;
  frame: string | null;
  elementId: string | null;
  offerIds: string[];
  started: boolean;
  submitted: number;
  declined: number;
  paid: number;
  value: bigint;
}

/** Deletes those of a store that still are; answers how many. */
export async function deleteOldSessions(tx: Tx, scope: Scope, over: readonly OverRow[]): Promise<number> {
  const { rows } = await sql<Gone>`
    delete from checkout_sessions where ${inScope(scope)} and id in (
      select r.id from checkout_sessions r
      where ${isAmong(scope, over)} and ${OLD_SESSIONS.isOver} for update of r skip locked)
    returning viewed_at, frame, element_id, offer_ids, started, 0 as submitted, 0 as declined, 0 as paid,
      0::minor_units as value`.execute(tx);
  await countDays(tx, scope, rows);
  return rows.length;
}

/** The same of those that made an order, which keeps their language and when it was looked at. */
export async function deleteOldSoldSessions(tx: Tx, scope: Scope, over: readonly OverRow[]): Promise<number> {
  // The orders first, as everybody locks them.
  await sql`
    update orders o set language = r.language, viewed_at = r.viewed_at from checkout_sessions r
    where ${inScope(scope, 'o')} and ${isAmong(scope, over)} and ${OLD_SOLD_SESSIONS.isOver}
      and o.id = r.order_id`.execute(tx);
  const { rows } = await sql<Gone & { id: string }>`
    select r.id, r.viewed_at, r.frame, r.element_id, r.offer_ids, true as started, 1 as submitted,
      (exists (select from payments p
        join charges c on ${inScope(scope, 'c')} and c.payment_id = p.id and c.status = 'failed'
        where ${inScope(scope, 'p')} and p.order_id = r.order_id and p.number = o.number))::int as declined,
      (o.paid_at is not null)::int as paid,
      (case when o.paid_at is not null then o.value else 0 end)::minor_units as value
    from checkout_sessions r join orders o on ${inScope(scope, 'o')} and o.id = r.order_id
    where ${isAmong(scope, over)} and ${OLD_SOLD_SESSIONS.isOver}
    for update of r`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await tx.deleteFrom('checkoutSessions').where(inScope(scope)).where('id', 'in', ids).execute();
  await countDays(tx, scope, rows);
  return rows.length;
}

const isAmong = (scope: Scope, over: readonly OverRow[]): RawBuilder<unknown> =>
  sql`${inScope(scope, 'r')} and r.id = any(${over.map(({ key: [id] }) => id)}::uuid[])`;

async function countDays(tx: Tx, scope: Scope, rows: readonly Gone[]): Promise<void> {
  const days = toDays(rows);
  if (days.length === 0) return;
  await tx
    .insertInto('checkoutDays')
    .values(days.map((day) => ({ ...scopeColumns(scope), ...day })))
    .onConflict((on) =>
      on.columns(['workspaceId', 'testMode', 'day', 'frame', 'cart']).doUpdateSet((eb) => ({
        viewed: eb('checkoutDays.viewed', '+', eb.ref('excluded.viewed')),
        started: eb('checkoutDays.started', '+', eb.ref('excluded.started')),
        submitted: eb('checkoutDays.submitted', '+', eb.ref('excluded.submitted')),
        declined: eb('checkoutDays.declined', '+', eb.ref('excluded.declined')),
        paid: eb('checkoutDays.paid', '+', eb.ref('excluded.paid')),
        value: eb('checkoutDays.value', '+', eb.ref('excluded.value')),
      })),
    )
    .execute();
}

/** What days of theirs count, in an order that is the same for all who add to them. */
function toDays(rows: readonly Gone[]) {
  const days = new Map<string, ReturnType<typeof toDay> & Counts>();
  for (const row of rows) {
    if (row.viewedAt === null) continue;
    const day = toDay(row, row.viewedAt);
    const name = JSON.stringify([day.day, day.frame, day.cart]);
    days.set(name, { ...day, ...addTo(days.get(name), row) });
  }
  return [...days.keys()].sort().flatMap((name) => days.get(name) ?? []);
}

interface Counts extends Pick<Gone, 'submitted' | 'declined' | 'paid' | 'value'> {
  viewed: number;
  started: number;
}

const NONE: Counts = { viewed: 0, started: 0, submitted: 0, declined: 0, paid: 0, value: 0n };

function addTo(known: Counts = NONE, row: Gone): Counts {
  return {
    viewed: known.viewed + 1,
    started: known.started + Number(row.started),
    submitted: known.submitted + row.submitted,
    declined: known.declined + row.declined,
    paid: known.paid + row.paid,
    value: known.value + row.value,
  };
}

function toDay({ frame, elementId, offerIds }: Gone, viewedAt: number) {
  const day = Math.floor(viewedAt / DAY_MS);
  return { day, frame: frame ?? 'page', cart: elementId ?? offerIds.join(','), elementId, offerIds };
}
