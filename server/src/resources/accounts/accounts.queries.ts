/** Accounts: people who sign in. One per e-mail, whatever they are members of. */
import { type Expression, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Row } from '../../db/schema.ts';

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

export type OpenAccount = AccountRow & { workspaceIds: string[] };

/** Accounts that a start made and that nobody has made theirs yet, with their workspaces; the oldest first. */
export async function listAccountsToSetUp(db: Db): Promise<OpenAccount[]> {
  return db
    .selectFrom('accounts as a')
    .selectAll('a')
    .select(
      sql<string[]>`array(select m.workspace_id from memberships m where m.account_id = a.id)`.as(
        'workspaceIds',
      ),
    )
    .where('a.setupOpen', '=', true)
    .where('a.passwordHash', 'is not', null)
    .orderBy('a.createdAt')
    .execute();
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
