/** What of ours a processor's books are compared with. */
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';

/** Charges of a connection by the processor's names of them. */
export async function listChargesOfObjects(
  db: Db,
  scope: Scope,
  { connectionId, processorIds }: { connectionId: string; processorIds: readonly string[] },
): Promise<Array<Row<'charges'>>> {
  return db
    .selectFrom('charges')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where(sql<SqlBool>`processor_id = any(${[...processorIds]}::text[])`)
    .execute();
}

export interface UnprovenAsk {
  connectionId: string;
  /** Settled before, where the store's clock is the real one; null = whenever. */
  settledBefore: number | null;
  limit: number;
}

/** Charges that have taken money, of which no movement of the processor's has been seen; oldest first. */
export async function listUnproven(
  db: Db,
  scope: Scope,
  { connectionId, settledBefore, limit }: UnprovenAsk,
): Promise<Array<Row<'charges'>>> {
  let query = db
    .selectFrom('charges')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where('status', '=', 'succeeded')
    .where('amount', '>', 0n)
    .where(
      sql<SqlBool>`not exists (
      select from processor_movements m where ${inScope(scope, 'm')} and m.charge_id = charges.id)`,
    );
  if (settledBefore !== null) query = query.where('settledAt', '<', settledBefore);
  return query.orderBy('settledAt').orderBy('id').limit(limit).execute();
}

export interface BalanceSum {
  currency: string;
  amount: bigint;
}

/** What our books say that the connection's account holds. */
export async function sumClearing(
  db: Db,
  { workspaceId, testMode }: Scope,
  connectionId: string,
): Promise<BalanceSum[]> {
  const { rows } = await sql<{ currency: string; amount: string }>`
    select l.currency, sum(l.amount)::text as amount from ledger_entries l
    where l.workspace_id = ${workspaceId} and l.test_mode = ${testMode} and l.account = 'processor_clearing'
      and (
        exists (select from charges c where c.workspace_id = ${workspaceId} and c.test_mode = ${testMode}
          and c.id = l.source_id and c.connection_id = ${connectionId})
        or exists (select from refunds r where r.workspace_id = ${workspaceId} and r.test_mode = ${testMode}
          and r.id = l.source_id and r.connection_id = ${connectionId})
        or exists (select from disputes d where d.workspace_id = ${workspaceId} and d.test_mode = ${testMode}
          and d.id = l.source_id and d.connection_id = ${connectionId})
        or exists (select from processor_movements m where m.workspace_id = ${workspaceId}
          and m.test_mode = ${testMode} and m.id = l.source_id and m.connection_id = ${connectionId}))
    group by l.currency`.execute(db);
  return rows.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
}

/** What open disputes of the connection are about, but for what a movement says has left its account. */
export async function sumWithheld(
  db: Db,
  { workspaceId, testMode }: Scope,
  connectionId: string,
): Promise<BalanceSum[]> {
  const { rows } = await sql<{ currency: string; amount: string }>`
    select d.currency, sum(d.amount)::text as amount from disputes d
    where d.workspace_id = ${workspaceId} and d.test_mode = ${testMode}
      and d.connection_id = ${connectionId} and d.status = 'open'
      and not exists (select from processor_movements m
        where m.workspace_id = ${workspaceId} and m.test_mode = ${testMode}
          and m.charge_id = d.charge_id and m.kind = 'dispute' and m.source = d.processor_id)
      and not exists (select from charges c
        join processor_movements m on m.workspace_id = ${workspaceId} and m.test_mode = ${testMode}
          and m.connection_id = ${connectionId} and m.status = 'waiting'
          and m.kind = 'dispute' and m.source_charge = c.processor_id
        where c.workspace_id = ${workspaceId} and c.test_mode = ${testMode} and c.id = d.charge_id)
    group by d.currency`.execute(db);
  return rows.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
}

/** By which what this store has told a processor is known from a copy's, and from before a reset. */
export async function findInstallId(db: Db, { workspaceId, testMode }: Scope): Promise<string> {
  const { installId } = await db
    .selectFrom('stores')
    .select('installId')
    .where('workspaceId', '=', workspaceId)
    .where('testMode', '=', testMode)
    .executeTakeFirstOrThrow();
  return installId;
}

/** The refund of a connection that the processor calls so, or that has our own id. */
export async function findBookedRefund(
  db: Db,
  scope: Scope,
  {
    connectionId,
    processorId,
    ownId,
  }: { connectionId: string; processorId: string | null; ownId: string | null },
): Promise<Row<'refunds'> | undefined> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where(inScope(scope))
    .where('connectionId', '=', connectionId)
    .where((eb) =>
      eb.or([
        ...(processorId === null ? [] : [eb('processorId', '=', processorId)]),
        ...(ownId === null ? [] : [eb('id', '=', ownId)]),
      ]),
    )
    .executeTakeFirst();
}

/** What has left the account by refunds that are pending here: ours are posted once they have succeeded. */
export async function sumOnItsWay(
  db: Db,
  { workspaceId, testMode }: Scope,
  connectionId: string,
): Promise<BalanceSum[]> {
  const { rows } = await sql<{ currency: string; amount: string }>`
    select m.currency, sum(m.amount - m.fee)::text as amount from processor_movements m
    join refunds r on r.workspace_id = ${workspaceId} and r.test_mode = ${testMode} and r.id = m.source_own
    where m.workspace_id = ${workspaceId} and m.test_mode = ${testMode}
      and m.connection_id = ${connectionId} and m.status = 'waiting' and m.kind = 'refund'
      and r.status = 'pending'
    group by m.currency`.execute(db);
  return rows.map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
}
