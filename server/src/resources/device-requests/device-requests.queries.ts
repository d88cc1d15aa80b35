/** All SQL of machines that ask for a key pair. They are of no workspace until somebody allows them. */
import { type Insertable, type SqlBool, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { DeviceRequestsTable } from '../../db/schema/accounts.ts';
import type { Row } from '../../db/schema.ts';
import { toJson } from '../../db/scope.ts';

export type DeviceRequestRow = Row<'deviceRequests'>;
type NewDeviceRequest = Omit<Insertable<DeviceRequestsTable>, 'scopes'> & { scopes: string[] | null };

/** False where another living request bears the user's code. */
export async function insertDeviceRequest(
  db: Db,
  { scopes, ...request }: NewDeviceRequest,
): Promise<boolean> {
  const row = await db
    .insertInto('deviceRequests')
    .values({ ...request, scopes: scopes === null ? null : toJson(scopes) })
    .onConflict((oc) => oc.column('userCode').doNothing())
    .returning('userCode')
    .executeTakeFirst();
  return row !== undefined;
}

/** One that waits for its person at `realMs`. */
export async function findPendingDevice(
  db: Db,
  { userCode, realMs }: { userCode: string; realMs: number },
): Promise<DeviceRequestRow | undefined> {
  return db
    .selectFrom('deviceRequests')
    .selectAll()
    .where('userCode', '=', userCode)
    .where('status', '=', 'pending')
    .where('endsRealMs', '>', realMs)
    .executeTakeFirst();
}

/** What a person has decided; null scopes = all that need no naming. */
export type Decision =
  | { status: 'denied'; accountId: string }
  | { status: 'allowed'; accountId: string; workspaceId: string; testMode: boolean; scopes: string[] | null };

/** False where somebody has decided it before, or its time is over. */
export async function decideDevice(
  tx: Tx,
  { userCode, realMs, decision }: { userCode: string; realMs: number; decision: Decision },
): Promise<boolean> {
  const changes =
    decision.status === 'denied'
      ? decision
      : { ...decision, scopes: decision.scopes === null ? null : toJson(decision.scopes) };
  const row = await tx
    .updateTable('deviceRequests')
    .set(changes)
    .where('userCode', '=', userCode)
    .where('status', '=', 'pending')
    .where('endsRealMs', '>', realMs)
    .returning('userCode')
    .executeTakeFirst();
  return row !== undefined;
}

export async function lockDevice(tx: Tx, deviceCodeHash: string): Promise<DeviceRequestRow | undefined> {
  return tx
    .selectFrom('deviceRequests')
    .selectAll()
    .where('deviceCodeHash', '=', deviceCodeHash)
    .forUpdate()
    .executeTakeFirst();
}

export async function updateDevice(
  tx: Tx,
  deviceCodeHash: string,
  changes: Partial<Pick<DeviceRequestRow, 'status' | 'polledRealMs' | 'intervalS'>>,
): Promise<void> {
  await tx.updateTable('deviceRequests').set(changes).where('deviceCodeHash', '=', deviceCodeHash).execute();
}

/** A member who may sign in still, in a workspace that can be written. */
export async function findAllowingMember(
  db: Db,
  { workspaceId, accountId }: { workspaceId: string; accountId: string },
): Promise<Pick<Row<'memberships'>, 'role' | 'permissions'> | undefined> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('accounts as a', 'a.id', 'm.accountId')
    .innerJoin('workspaces as w', 'w.id', 'm.workspaceId')
    .select(['m.role', 'm.permissions'])
    .where('m.workspaceId', '=', workspaceId)
    .where('m.accountId', '=', accountId)
    .where('a.disabledAt', 'is', null)
    .where(sql<SqlBool>`w.state not in ('suspended', 'archived')`)
    .executeTakeFirst();
}

/** Deletes up to `limit` requests whose time is long over; answers how many. */
export async function deleteOldDevices(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from device_requests where device_code_hash in (
      select device_code_hash from device_requests
      where ends_real_ms <= real_now_ms() - 3600000 order by ends_real_ms limit ${limit}::int)`.execute(db);
  return Number(numAffectedRows ?? 0n);
}
