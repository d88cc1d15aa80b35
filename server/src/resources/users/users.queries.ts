/** All SQL of users. */
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { type Archived, containing, onlyArchived, onPage, type Page } from '../../db/list.ts';
import type { BillingDetailsJson, Row, UsersTable } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { parseEmail, toEmailNormal } from '../../domain/email.ts';

interface NewBuyer extends Scope {
  id: string;
  email: string;
  emailNormal: string;
  createdAt: number;
}

const buyerInsertion = keepQuery((db, row: NewBuyer) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'emailNormal'])
        // Of no key: setting a column of one would lock the row against all that comes to refer to it.
        .doUpdateSet((eb) => ({ createdAt: eb.ref('users.createdAt') })),
    )
    .returningAll(),
);

/**
 * The buyer with this e-mail, found or made; two checkouts of one buyer at once get the same row. One that is made has
 * no billing details until something is paid.
 */
export async function findOrInsertBuyer(
  tx: Tx,
  scope: Scope,
  buyer: { id: string; email: string; createdAt: number },
): Promise<Row<'users'>> {
  const email = parseEmail(buyer.email);
  assert(email, 'the form of an e-mail is checked before anything is bought');
  const [row] = await buyerInsertion(tx, {
    ...scopeColumns(scope),
    id: buyer.id,
    email: email.address,
    emailNormal: email.normal,
    createdAt: buyer.createdAt,
  });
  assert(row, 'an upsert returns its row');
  return row;
}

export async function findUserByEmail(
  db: Db,
  scope: Scope,
  email: string,
): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(inScope(scope))
    .where('emailNormal', '=', toEmailNormal(email))
    .executeTakeFirst();
}

/**
 * Gives billing details to a user who has none; answers whether it did. A user who has some keeps them: whoever typed
 * their e-mail has proved nothing.
 */
export async function fillBillingDetails(
  tx: Tx,
  scope: Scope,
  user: { id: string; billingDetails: BillingDetailsJson },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ billingDetails: toJson(user.billingDetails) })
    .where(inScope(scope))
    .where('id', '=', user.id)
    .where(sql<SqlBool>`billing_details = '{}'`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const userById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('users').selectAll().where(inScope(scope)).where('id', '=', id),
);

export async function getUser(db: Db, scope: Scope, id: string): Promise<Row<'users'>> {
  const [row] = await userById(db, { ...scope, id });
  assert(row, 'a user that is referred to exists');
  return row;
}

export async function findUser(db: Db, scope: Scope, id: string): Promise<Row<'users'> | undefined> {
  const [row] = await userById(db, { ...scope, id });
  return row;
}

export async function lockUser(tx: Tx, scope: Scope, id: string): Promise<Row<'users'> | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where(inScope(scope))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

type NewUser = Omit<Insertable<UsersTable>, 'workspaceId' | 'testMode'>;

/** Fails on the unique key `users_workspace_id_test_mode_email_normal_key` when the e-mail is taken. */
export async function insertUser(tx: Tx, scope: Scope, user: NewUser): Promise<Row<'users'>> {
  return tx
    .insertInto('users')
    .values({ ...user, ...scopeColumns(scope) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** As `insertUser`, a taken e-mail fails on its unique key. */
export async function updateUser(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: { id: string } & Updateable<UsersTable>,
): Promise<Row<'users'>> {
  return tx
    .updateTable('users')
    .set(changes)
    .where(inScope(scope))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export interface UserFilter {
  email?: string;
  term?: string;
  createdAfter?: number;
  createdBefore?: number;
  archived: Archived;
}

export async function listUsers(db: Db, scope: Scope, filter: UserFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page).execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

function filtered(db: Db, scope: Scope, filter: UserFilter) {
  const { email, term, createdAfter, createdBefore } = filter;
  let query = onlyArchived(db.selectFrom('users').where(inScope(scope)), filter.archived);
  if (email !== undefined) query = query.where('emailNormal', '=', toEmailNormal(email));
  if (createdAfter !== undefined) query = query.where('createdAt', '>=', createdAfter);
  if (createdBefore !== undefined) query = query.where('createdAt', '<=', createdBefore);
  if (term === undefined) return query;
  const pattern = containing(term);
  return query.where((eb) =>
    eb.or([
      eb('email', 'ilike', pattern),
      eb('username', 'ilike', pattern),
      eb('internalId', 'ilike', pattern),
    ]),
  );
}
