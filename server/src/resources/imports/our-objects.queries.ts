/** SQL of what an import looks up of ours: versions, buyers by e-mail, codes, offers. */
import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope } from '../../db/scope.ts';
import type { LineKind } from '../../domain/imports/lines.ts';

/** Tables whose rows bear a version that edits raise. */
const VERSIONED: Partial<Record<LineKind, string>> = {
  product: 'products',
  variant: 'variants',
  offer: 'offers',
  discount: 'discounts',
  customer: 'users',
  subscription: 'subscriptions',
};

/** Versions of our objects of a kind, by id; what bears none, or is gone, is missing. */
export async function listVersions(
  db: Db,
  scope: Scope,
  { kind, ids }: { kind: LineKind; ids: readonly string[] },
): Promise<Map<string, number>> {
  const table = VERSIONED[kind];
  if (table === undefined || ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; version: number }>`
    select o.id, o.version from ${sql.table(table)} o
    where ${inScope(scope, 'o')} and o.id = any(${[...ids]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/** Of these subscriptions those that wait. */
export async function listWaitingIds(db: Db, scope: Scope, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where(inScope(scope))
    .where('id', 'in', [...ids])
    .where('waiting', '=', true)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function listUsersByEmail(
  db: Db,
  scope: Scope,
  emails: readonly string[],
): Promise<Array<Row<'users'>>> {
  if (emails.length === 0) return [];
  return db
    .selectFrom('users')
    .selectAll()
    .where(inScope(scope))
    .where('emailNormal', 'in', [...emails])
    .execute();
}

export async function listUsersById(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<Array<Row<'users'>>> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('users')
    .selectAll()
    .where(inScope(scope))
    .where('id', 'in', [...ids])
    .execute();
}

/** Of these codes, as they are compared, those that a discount has, and which. */
export async function listTakenCodes(
  db: Db,
  scope: Scope,
  codes: readonly string[],
): Promise<Map<string, string>> {
  if (codes.length === 0) return new Map();
  const rows = await db
    .selectFrom('discounts')
    .select(['id', 'codeNormal'])
    .where(inScope(scope))
    .where('codeNormal', 'in', [...codes])
    .execute();
  return new Map(rows.flatMap(({ id, codeNormal }) => (codeNormal === null ? [] : [[codeNormal, id]])));
}

export async function listDiscountsById(
  db: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<Array<Row<'discounts'>>> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('discounts')
    .selectAll()
    .where(inScope(scope))
    .where('id', 'in', [...ids])
    .execute();
}

/** The connection over which methods of a kind of processor are charged; the first by the store's own order. */
export async function findConnection(
  db: Db,
  scope: Scope,
  { kind, accountId }: { kind: string; accountId: string | null },
): Promise<string | null> {
  const rows = await db
    .selectFrom('processors')
    .select(['id', 'accountId'])
    .where(inScope(scope))
    .where('kind', '=', kind)
    .where('status', '<>', 'retired')
    .orderBy('priority', 'desc')
    .orderBy('createdAt')
    .execute();
  const named = accountId === null ? undefined : rows.find((row) => row.accountId === accountId);
  return (named ?? rows[0])?.id ?? null;
}

export interface BroughtKey {
  id: string;
  offerId: string;
  text: string;
  status: 'available' | 'sold' | 'revoked';
  orderId: string | null;
  orderItemId: string | null;
  createdAt: number;
  imported: string;
}

/** Adds a key as it was there. One that the offer has already stays as it is. */
export async function insertBroughtKey(tx: Tx, scope: Scope, key: BroughtKey): Promise<void> {
  const { text: keyText, createdAt, status, ...row } = key;
  await tx
    .insertInto('offerKeys')
    .values({
      workspaceId: scope.workspaceId,
      testMode: scope.testMode,
      ...row,
      ...{ status, keyText, createdAt, soldAt: status === 'available' ? null : createdAt },
    })
    .onConflict((oc) => oc.columns(['workspaceId', 'testMode', 'offerId', 'keyText']).doNothing())
    .execute();
  await tx
    .updateTable('offers')
    .set({ hasKeys: true })
    .where(inScope(scope))
    .where('id', '=', row.offerId)
    .where('hasKeys', '=', false)
    .execute();
}

/** The items of these orders, with how many keys each was given. */
export async function listItemsWithKeys(db: Db, scope: Scope, orderIds: readonly string[]) {
  if (orderIds.length === 0) return [];
  return db
    .selectFrom('orderItems as i')
    .select(['i.id', 'i.orderId', 'i.offerId', 'i.quantity'])
    .select((eb) =>
      eb
        .selectFrom('offerKeys as k')
        .where(inScope(scope, 'k'))
        .whereRef('k.orderItemId', '=', 'i.id')
        .where('k.status', '=', 'sold')
        .select((sub) => sub.fn.countAll<number>().as('count'))
        .as('keys'),
    )
    .where(inScope(scope, 'i'))
    .where('i.orderId', 'in', [...orderIds])
    .execute();
}
