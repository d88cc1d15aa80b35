/** What the installation was when it last ran, and which of its stores are held. */
import { type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import { HELD_SINCE, isHeld } from './held.sql.ts';

export type InstallationState = Row<'installationState'>;

export async function getInstallationState(db: Db): Promise<InstallationState> {
  return db.selectFrom('installationState').selectAll().executeTakeFirstOrThrow();
}

/** Locked, so that of several processes that start at once one compares after the other. */
export async function lockInstallationState(tx: Tx): Promise<InstallationState> {
  return tx.selectFrom('installationState').selectAll().forUpdate().executeTakeFirstOrThrow();
}

export async function updateInstallationState(
  tx: Tx,
  changes: Partial<Omit<InstallationState, 'name'>>,
): Promise<void> {
  await tx.updateTable('installationState').set(changes).execute();
}

/** Whether the whole is held. */
export async function isInstallationHeld(db: Db): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select ${HELD_SINCE} is not null as held`.execute(db);
  return rows[0]?.held ?? false;
}

export async function isStoreHeld(db: Db, scope: Scope): Promise<boolean> {
  const row = await db
    .selectFrom('stores')
    .select(isHeld('stores').as('isHeld'))
    .where(inScope(scope))
    .executeTakeFirst();
  return row?.isHeld === true;
}

/** How many live stores are held, alone or with the whole. */
export async function countHeldStores(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from stores s where ${isHeld('s')}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Live stores, locked, of one workspace or of all. */
export async function listLiveStores(tx: Tx, workspaceId: string | null): Promise<Array<Row<'stores'>>> {
  const live = tx.selectFrom('stores').selectAll().where('testMode', '=', false).forUpdate();
  return (
    workspaceId === null ? live : live.where(sql<SqlBool>`workspace_id = ${workspaceId}::uuid`)
  ).execute();
}

/** Holds the live store alone. */
export async function holdLiveStore(
  tx: Tx,
  scope: Scope,
  held: Pick<Row<'stores'>, 'heldSince' | 'heldReason'>,
): Promise<void> {
  await tx.updateTable('stores').set(held).where(inScope(scope)).execute();
}

/** Of a copy: whoever had taken its due work works on in the other. */
export async function endLeases(tx: Tx): Promise<void> {
  await sql`update due_work set lease_until_ms = null where lease_until_ms is not null`.execute(tx);
}

/** Whether this is a copy for tries. */
export async function isInstallationCopy(db: Db): Promise<boolean> {
  return (await getInstallationState(db)).isCopy;
}

/** Whether any live store has taken money: a new address of such an installation may be a copy's. */
export async function hasPaidLiveStore(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from stores s where not s.test_mode and exists (
      select from payments p where p.workspace_id = s.workspace_id and p.test_mode = s.test_mode
        and p.paid_at is not null)) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/** Names the cluster, the same in all its databases and in its standbys. */
export async function findSystemIdentifier(db: Db): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select system_identifier::text as id from pg_control_system()`.execute(db);
  return rows[0]?.id ?? null;
}
