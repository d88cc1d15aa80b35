/** Workspaces and their stores (live and test). */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { Refusal } from '../../domain/errors.ts';
import type { WorkspaceState } from '../../domain/states/workspace.ts';
import { isHeld } from '../installation/held.sql.ts';
import { isSeen } from './restoring.sql.ts';

export interface NewWorkspaceRow {
  id: string;
  name: string;
  portalSlug: string;
  createdAt: number;
  /** Of both stores. */
  currency?: string | null;
  settings?: Record<string, unknown>;
}

export async function insertWorkspace(
  tx: Tx,
  { currency = null, settings = {}, ...workspace }: NewWorkspaceRow,
): Promise<void> {
  const made = await tx
    .insertInto('workspaces')
    .values(workspace)
    .onConflict((oc) => oc.column('portalSlug').doNothing())
    .returning('id')
    .execute();
  // Another one of this name has the slug: this one's ends in what no other has.
  if (made.length === 0) {
    const portalSlug = `${workspace.portalSlug.slice(0, 27)}-${workspace.id.slice(-12)}`;
    await tx
      .insertInto('workspaces')
      .values({ ...workspace, portalSlug })
      .execute();
  }
  await tx
    .insertInto('stores')
    .values(
      [true, false].map((testMode) => ({
        workspaceId: workspace.id,
        testMode,
        currency,
        settings: toJson(settings),
      })),
    )
    .execute();
  await insertSandbox(tx, workspace);
}

/** Each test store has one, whose id follows from the workspace's: nobody reads a row to charge a test card. */
async function insertSandbox(
  tx: Tx,
  { id, createdAt }: Pick<NewWorkspaceRow, 'id' | 'createdAt'>,
): Promise<void> {
  await sql`
    insert into processors (workspace_id, test_mode, id, kind, name, health_since, created_at)
    select ${id}::uuid, true,
      (substr(h, 1, 8) || '-' || substr(h, 9, 4) || '-8' || substr(h, 14, 3) || '-8' || substr(h, 18, 3) || '-'
        || substr(h, 21, 12))::uuid, 'sandbox', 'Sandbox', ${createdAt}::bigint, ${createdAt}::bigint
    from (select encode(sha256(convert_to(${`sandbox:${id}`}::text, 'utf8')), 'hex') as h) as hashed`.execute(
    tx,
  );
}

export async function countWorkspaces(db: Db): Promise<number> {
  const row = await db
    .selectFrom('workspaces')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

const storeOfScope = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('stores')
    .innerJoin('workspaces', 'workspaces.id', 'stores.workspaceId')
    .selectAll('stores')
    .select(['workspaces.name', 'workspaces.state', 'workspaces.portalSlug'])
    .select(isHeld('stores').$castTo<boolean>().as('isHeld'))
    .where(inScope(scope, 'stores'))
    .where(isSeen('workspaces')),
);

export async function getStore(
  db: Db,
  scope: Scope,
): Promise<
  Row<'stores'> & { name: string; state: Row<'workspaces'>['state']; portalSlug: string; isHeld: boolean }
> {
  const [row] = await storeOfScope(db, scope);
  // Links of a workspace whose rows are still coming in lead nowhere yet.
  if (!row) throw new Refusal('not_found');
  return row;
}

/** The store's row, locked until the transaction ends: of two changes of its settings neither gets lost. */
export async function lockStore(tx: Tx, scope: Scope): Promise<Row<'stores'>> {
  return tx.selectFrom('stores').selectAll().where(inScope(scope)).forNoKeyUpdate().executeTakeFirstOrThrow();
}

const FILE_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Uploads that the settings name are kept from then on. */
export async function updateSettings(tx: Tx, scope: Scope, settings: Record<string, unknown>): Promise<void> {
  const text = toJson(settings);
  await Promise.all([
    tx
      .updateTable('stores')
      .set((eb) => ({ settings: text, settingsVersion: eb('settingsVersion', '+', 1) }))
      .where(inScope(scope))
      .execute(),
    tx
      .updateTable('files')
      .set({ usedAt: sql<number>`real_now_ms()` })
      .where(inScope(scope))
      .where('usedAt', 'is', null)
      .where('id', '=', sql<string>`any(${text.match(FILE_ID) ?? []}::uuid[])`)
      .execute(),
  ]);
}

export async function updateRedirectSecret(tx: Tx, scope: Scope, redirectSecret: string): Promise<void> {
  await tx.updateTable('stores').set({ redirectSecret }).where(inScope(scope)).execute();
}

const clockOfScope = keepQuery((db, scope: Scope) =>
  db
    .selectFrom('stores')
    .select(['clockOffsetMs as offsetMs', 'clockAdvancingTo as advancingTo', 'clockFence as fence'])
    .where(inScope(scope)),
);

/** The test clock of a store: its offset from real time, during an advance where it goes, and how often it was held. */
export async function getClock(
  db: Db,
  scope: Scope,
): Promise<{ offsetMs: number; advancingTo: number | null; fence: number }> {
  const [row] = await clockOfScope(db, scope);
  assert(row, 'a scope names a store that exists');
  return row;
}

/** Sets the store's currency by its first offer; returns the currency that holds. */
export async function claimCurrency(tx: Tx, scope: Scope, currency: string): Promise<string> {
  const store = await tx
    .updateTable('stores')
    .set((eb) => ({ currency: eb.fn.coalesce('currency', eb.val(currency)) }))
    .where(inScope(scope))
    .returning('currency')
    .executeTakeFirstOrThrow();
  return store.currency ?? currency;
}

export async function listWorkspaceIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('workspaces').select('id').execute();
  return rows.map(({ id }) => id);
}

/** Every workspace, oldest first, for the operator. */
export async function listWorkspaces(db: Db): Promise<Array<Row<'workspaces'>>> {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .where(isSeen('workspaces'))
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function findWorkspace(db: Db, id: string): Promise<Row<'workspaces'> | undefined> {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .where(isSeen('workspaces'))
    .executeTakeFirst();
}

export async function lockWorkspace(tx: Tx, id: string): Promise<Row<'workspaces'> | undefined> {
  return tx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', id)
    .where(isSeen('workspaces'))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateWorkspaceState(
  tx: Tx,
  {
    id,
    ...changes
  }: Pick<Row<'workspaces'>, 'id' | 'stateBy' | 'stateSince' | 'archivedAt'> & {
    state: WorkspaceState;
  } & Partial<Pick<Row<'workspaces'>, 'keptByAdmin'>>,
): Promise<void> {
  await tx.updateTable('workspaces').set(changes).where('id', '=', id).execute();
}

export type WorkspaceChanges = Partial<
  Pick<Row<'workspaces'>, 'name' | 'portalSlug' | 'requireSecondFactor'>
>;

export async function updateWorkspace(tx: Tx, id: string, changes: WorkspaceChanges): Promise<void> {
  await tx.updateTable('workspaces').set(changes).where('id', '=', id).execute();
}

export async function isPortalSlugTaken(
  db: Db,
  { portalSlug, by }: { portalSlug: string; by: string },
): Promise<boolean> {
  const other = await db
    .selectFrom('workspaces')
    .select('id')
    .where('portalSlug', '=', portalSlug)
    .where('id', '!=', by)
    .executeTakeFirst();
  return other !== undefined;
}
