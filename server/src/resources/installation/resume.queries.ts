/** What becomes of a held store's rows when it goes on. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { toDueWorkDeletion } from '../due-work/due-work.sql.ts';
import { LOST } from '../sealed-values/lost.sql.ts';

export async function letGo(tx: Tx, scope: Scope): Promise<void> {
  await tx.updateTable('stores').set({ heldSince: null, heldReason: null }).where(inScope(scope)).execute();
}

/** Mails that the lost one may have sent: all that wait, or those of these events. Answers how many. */
export async function dropWaitingMails(
  tx: Tx,
  scope: Scope,
  reason: string,
  eventIds?: string[],
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update mails m set status = 'dropped', last_error = ${reason}::text
    where ${inScope(scope, 'm')} and m.status = 'queued' ${ofEvents('m', eventIds)} returning m.id`.execute(
    tx,
  );
  const refIds = rows.map(({ id }) => id);
  const ended = await toDueWorkDeletion(scope, { kind: 'send_mail', refIds }).execute(tx);
  return Number(ended.numAffectedRows ?? 0);
}

/** Deliveries that the lost one may have made, likewise. */
export async function dropWaitingDeliveries(
  tx: Tx,
  scope: Scope,
  reason: string,
  eventIds?: string[],
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    update webhook_deliveries d set status = 'dropped', reason = ${reason}::text
    where ${inScope(scope, 'd')} and d.status = 'waiting' ${ofEvents('d', eventIds)} returning d.id`.execute(
    tx,
  );
  const refIds = rows.map(({ id }) => id);
  const ended = await toDueWorkDeletion(scope, { kind: 'deliver_webhook', refIds }).execute(tx);
  return Number(ended.numAffectedRows ?? 0);
}

const ofEvents = (alias: 'm' | 'd', eventIds: string[] | undefined) =>
  eventIds ? sql`and ${sql.ref(`${alias}.event_id`)} = any(${eventIds}::uuid[])` : sql``;

/** The next number of the series comes after those that are left out, which are noted as left out. */
export async function skipNumbers(
  tx: Tx,
  { workspaceId, testMode }: Scope,
  { series, skip, nowMs }: { series: string; skip: number; nowMs: number },
): Promise<{ series: string; from: number; to: number }> {
  const { rows: stands } = await sql<{ last: number }>`
    insert into invoice_series as s (workspace_id, test_mode, series, last_number)
    values (${workspaceId}::uuid, ${testMode}::boolean, ${series}::text, ${skip}::bigint)
    on conflict (workspace_id, test_mode, series) do update set last_number = s.last_number + ${skip}::bigint
    returning s.last_number as last`.execute(tx);
  const { rows } = await sql<{ from: number; to: number }>`
    insert into invoice_gaps (workspace_id, test_mode, series, from_number, to_number, created_at)
    select ${workspaceId}::uuid, ${testMode}::boolean, ${series}::text, n.last - ${skip}::bigint + 1, n.last,
      ${nowMs}::bigint from unnest(${stands.map(({ last }) => last)}::bigint[]) as n (last)
    returning from_number as "from", to_number as "to"`.execute(tx);
  const [gap] = rows;
  return { series, from: gap?.from ?? 0, to: gap?.to ?? 0 };
}

/**
 * A copy for tries asks no account that is paid in earnest, tells no webhook, and is known to processors as another: its
 * test store, too, which goes on over the same test accounts as the original's and would take the charges of that for its
 * own.
 */
export async function eraseLiveAccess(tx: Tx, scope: Scope, realMs: number): Promise<void> {
  await tx
    .updateTable('processors')
    .set({ credentials: LOST, health: 'broken', healthReason: 'credentials_lost', healthSince: realMs })
    .where(inScope(scope))
    .where('credentials', 'is not', null)
    .execute();
  await tx.updateTable('processorEndpoints').set({ secret: LOST }).where(inScope(scope)).execute();
  await tx.updateTable('webhooks').set({ status: 'inactive' }).where(inScope(scope)).execute();
  for (const testMode of [false, true])
    await sql`update stores set install_id = ${randomUUID()}::uuid
      where ${inScope({ ...scope, testMode })}`.execute(tx);
}
