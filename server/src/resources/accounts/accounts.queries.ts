/** Accounts: people who sign in. One per e-mail, whatever they are members of. */
import { type Expression, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';
import { countPaidOrders } from '../workspaces/paid-orders.queries.ts';

export interface NewAccount {
  id: string;
  /** As it was typed, and in its normal form. */
  email: string;
  emailNormal: string;
  name?: string;
  passwordHash: string | null;
  installationAdmin?: boolean;
  setupOpen?: boolean;
  emailProvedAt?: number | null;
  confinedWorkspaceId?: string | null;
  createdAt: number;
}

export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.insertInto('accounts').values(account).execute();
}

export type AccountRow = Row<'accounts'>;

export async function findAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function findAccountByEmail(db: Db, emailNormal: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('emailNormal', '=', emailNormal).executeTakeFirst();
}

export async function lockAccount(tx: Tx, id: string): Promise<AccountRow | undefined> {
  return tx.selectFrom('accounts').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export type AccountChanges = Partial<Omit<AccountRow, 'id' | 'createdAt'>>;

export async function updateAccount(
  tx: Tx,
  { id, ...changes }: AccountChanges & { id: string },
): Promise<void> {
  await tx.updateTable('accounts').set(changes).where('id', '=', id).execute();
}

/** Every account, the oldest first, for the operator. */
export async function listAccounts(db: Db): Promise<AccountRow[]> {
  return db.selectFrom('accounts').selectAll().orderBy('createdAt').orderBy('id').execute();
}

/** Who runs the installation for longest. */
export async function findFirstAdmin(db: Db): Promise<AccountRow | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('installationAdmin', '=', true)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** The account that a start made and that nobody has made theirs yet; none once a live order of its was paid. */
export async function findAccountToSetUp(db: Db): Promise<AccountRow | undefined> {
  const open = await db
    .selectFrom('accounts')
    .selectAll()
    .where('setupOpen', '=', true)
    .where('passwordHash', 'is not', null)
    .orderBy('createdAt')
    .execute();
  for (const account of open) {
    const of = await db
      .selectFrom('memberships')
      .select('workspaceId')
      .where('accountId', '=', account.id)
      .execute();
    const ids = of.map(({ workspaceId }) => workspaceId);
    const paid = await countPaidOrders(db, ids, 1);
    if ([...paid.values()].every((count) => count === 0)) return account;
  }
  return undefined;
}

/** A session has made something: whoever holds the link of the set-up is no newcomer any more. */
export async function closeSetup(tx: Tx): Promise<void> {
  await tx.updateTable('accounts').set({ setupOpen: false }).where('setupOpen', '=', true).execute();
}

/** What proves an account beside its password. */
export interface Factors {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

export async function findFactors(db: Db, accountId: string): Promise<Factors> {
  const count = (table: string, of: Expression<unknown>) =>
    sql<number>`(select count(*)::int from ${sql.table(table)} where account_id = ${accountId} and ${of})`;
  const { rows } = await sql<Factors>`select
    ${count('account_totp', sql`confirmed_at is not null`)} > 0 as totp,
    ${count('account_passkeys', sql`true`)} as passkeys,
    ${count('account_recovery_codes', sql`used_at is null`)} as "recoveryCodes"`.execute(db);
  return rows[0] ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}
