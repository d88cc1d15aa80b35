/** Audit rows of workspaces as a whole and of accounts: of no store. */
import { sql } from 'kysely';
import { allowChange } from '../../db/allow-change.ts';
import type { Db, Tx } from '../../db/database.ts';
import { isOfWorkspaces } from '../../db/scope.ts';
import { HELD_SINCE } from '../installation/held.sql.ts';
import { isSeen } from '../workspaces/restoring.sql.ts';
import { isAfter, type KeptPlace, type KeptRow, toCutMs } from './age.sql.ts';

export interface OldAudit {
  days: number;
  limit: number;
}

/** Missing = all that is old. */
const isOnly = (only?: readonly string[]) => (only ? sql`and r.id = any(${only}::uuid[])` : sql``);

/** Those of these workspaces whose own audit rows are beyond their time, and for how long the oldest has been (ms). */
export async function listWorkspacesWithOldAudit(
  db: Db,
  { workspaceIds, days }: { workspaceIds: readonly string[]; days: number },
): Promise<Array<{ id: string; behindMs: number }>> {
  const { rows } = await sql<{ id: string; behindMs: number }>`
    select w.id, ${toCutMs(days)} - min(a.created_at) as behind_ms
    from workspace_audit a join workspaces w on w.id = a.workspace_id
    where ${isOfWorkspaces('a', workspaceIds)} and a.created_at <= ${toCutMs(days)}
      and ${HELD_SINCE} is null and ${isSeen('w')}
      and not exists (select from stores s where s.workspace_id = w.id and s.held_since is not null)
    group by w.id`.execute(db);
  return rows;
}

/** For how long the oldest audit row of an account has been beyond its time (ms); null = none is. */
export async function findOldAccountAudit(db: Db, days: number): Promise<number | null> {
  const { rows } = await sql<{ behindMs: number }>`
    select ${toCutMs(days)} - r.created_at as behind_ms from account_audit r
    where r.created_at <= ${toCutMs(days)} order by r.created_at limit 1`.execute(db);
  return rows[0]?.behindMs ?? null;
}

/** The workspace's own audit rows that would be deleted, oldest first, as they are to be written down before. */
export async function listOldWorkspaceAudit(
  db: Db,
  workspaceId: string,
  { days, limit, after }: OldAudit & { after: KeptPlace | null },
): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    select r.id, r.created_at as at_ms,
      jsonb_build_object('workspace_audit', jsonb_build_array(to_jsonb(r)))::text as line
    from workspace_audit r
    where r.workspace_id = ${workspaceId} and r.created_at <= ${toCutMs(days)}
      ${isAfter(sql`r.created_at`, after)}
    order by r.created_at, r.id limit ${limit}`.execute(db);
  return rows;
}

/** Deletes at most `limit` of the workspace's own audit rows; answers how many. */
export async function deleteOldWorkspaceAudit(
  tx: Tx,
  workspaceId: string,
  { days, limit, only }: OldAudit & { only?: readonly string[] },
): Promise<number> {
  await allowChange(tx, 'retention', workspaceId);
  const { numAffectedRows } = await sql`
    delete from workspace_audit where workspace_id = ${workspaceId} and id in (
      select r.id from workspace_audit r
      where r.workspace_id = ${workspaceId} and r.created_at <= ${toCutMs(days)} ${isOnly(only)}
      order by r.created_at limit ${limit})`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/** As of a workspace. */
export async function listOldAccountAudit(
  db: Db,
  { days, limit, after }: OldAudit & { after: KeptPlace | null },
): Promise<KeptRow[]> {
  const { rows } = await sql<KeptRow>`
    select r.id, r.created_at as at_ms,
      jsonb_build_object('account_audit', jsonb_build_array(to_jsonb(r)))::text as line
    from account_audit r where r.created_at <= ${toCutMs(days)} ${isAfter(sql`r.created_at`, after)}
    order by r.created_at, r.id limit ${limit}`.execute(db);
  return rows;
}

/** Deletes at most `limit` audit rows of accounts; answers how many. */
export async function deleteOldAccountAudit(
  db: Db,
  { days, limit, only }: OldAudit & { only?: readonly string[] },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from account_audit where id in (
      select r.id from account_audit r where r.created_at <= ${toCutMs(days)} ${isOnly(only)}
      order by r.created_at limit ${limit})`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
