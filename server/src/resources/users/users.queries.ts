/** All SQL of users. */
import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import { type Archived, containing, onlyArchived, onPage, type Page } from '../../db/list.ts';
import type { BillingDetailsJson, UsersTable } from '../../db/schema/users.ts';
import type { Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';
import { parseEmail, toEmailNormal } from '../../domain/email.ts';
import { emailHolds } from './emails.sql.ts';

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

const billingFilling = keepQuery(
  (db, { id, billingDetails, ...scope }: Scope & { id: string; billingDetails: string }) =>
    db
      .updateTable('users')
      .set({ billingDetails })
      .where(inScope(scope))
      .where('id', '=', id)
      .where('erasedAt', 'is', null)
      .where(sql<SqlBool>`billing_details = '{}'`)
      .returning('id'),
);

/**
 * Gives billing details to a user who has none; answers whether it did. A user who has some keeps them: whoever typed
 * their e-mail has proved nothing.
 */
export async function fillBillingDetails(
  tx: Tx,
  scope: Scope,
  user: { id: string; billingDetails: BillingDetailsJson },
): Promise<boolean> {
  const billingDetails = toJson(user.billingDetails);
  const rows = await billingFilling(tx, { ...scopeColumns(scope), id: user.id, billingDetails });
  return rows.length > 0;
}

const userById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('users').selectAll().where(inScope(scope)).where('id', '=', id),
);

export async function getUser(db: Db, scope: Scope, id: string): Promise<Row<'users'>> {
  const [row] = await userById(db, { ...scope, id });
  assert(row, 'a user that is referred to exists');
  return row;
}

/** What is set for whoever bought an order; null = nothing. */
export async function findBuyerLanguage(db: Db, scope: Scope, orderId: string): Promise<string | null> {
  const { rows } = await sql<{ language: string | null }>`
    select u.language from orders o
    join users u on ${inScope(scope, 'u')} and u.id = o.user_id
    where ${inScope(scope, 'o')} and o.id = ${orderId}::uuid`.execute(db);
  return rows[0]?.language ?? null;
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

/** As many as tell that it is ambiguous: an internalId need not be one user's alone. */
export async function listUsersByInternalId(
  db: Db,
  scope: Scope,
  internalId: string,
): Promise<Array<Row<'users'>>> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(inScope(scope))
    .where('internalId', '=', internalId)
    .where('erasedAt', 'is', null)
    .orderBy('archivedAt', (order) => order.asc().nullsFirst())
    .limit(2)
    .execute();
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

/** An edit, which raises the version. As `insertUser`, a taken e-mail fails on its unique key. */
export async function updateUser(
  tx: Tx,
  scope: Scope,
  { id, ...changes }: { id: string } & Updateable<UsersTable>,
): Promise<Row<'users'>> {
  return tx
    .updateTable('users')
    .set((eb) => ({ ...changes, version: eb('version', '+', 1) }))
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
  /** Of the billing details. */
  countries?: string[];
  /** Whether a subscription of theirs runs. */
  hasSubscription?: boolean;
  /** How far the request stands that they be erased. */
  deletion?: 'requested' | 'accepted';
  archived: Archived;
}

export async function listUsers(db: Db, scope: Scope, filter: UserFilter, page: Page) {
  const [rows, { count }] = await Promise.all([
    onPage(filtered(db, scope, filter).selectAll(), page)
      .select([toSpent(scope).as('spent'), toSubscriptionCount(scope).as('subscriptionCount')])
      .execute(),
    filtered(db, scope, filter)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, count };
}

export type ListedUserRow = Awaited<ReturnType<typeof listUsers>>['rows'][number];

/** What was paid and not given back, in the store's currency. */
const toSpent = (scope: Scope) => sql<bigint>`(
  select coalesce(sum(p.value - p.refunded_value), 0)
  from payments p join stores s on s.workspace_id = p.workspace_id and s.test_mode = p.test_mode
  where ${inScope(scope, 'p')} and p.user_id = users.id
    and p.status = any(array['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED']) and p.currency = s.currency)`;

const RUNNING = sql`array['active', 'trialing', 'past_due', 'paused', 'unpaid']`;

const toRunning = (scope: Scope) => sql`
  from subscriptions r
  where ${inScope(scope, 'r')} and r.user_id = users.id
    and r.status = any(${RUNNING})`;

const toSubscriptionCount = (scope: Scope) => sql<number>`(select count(*)::integer ${toRunning(scope)})`;

function filtered(db: Db, scope: Scope, filter: UserFilter) {
  const { email, term, createdAfter, createdBefore } = filter;
  let query = onlyArchived(db.selectFrom('users').where(inScope(scope)), filter.archived);
  if (email !== undefined) query = query.where('emailNormal', '=', toEmailNormal(email));
  if (createdAfter !== undefined) query = query.where('createdAt', '>=', createdAfter);
  if (createdBefore !== undefined) query = query.where('createdAt', '<=', createdBefore);
  if (filter.countries)
    query = query.where(sql<SqlBool>`billing_details ->> 'countryCode' = any(${filter.countries})`);
  if (filter.hasSubscription !== undefined)
    query = query.where(
      filter.hasSubscription
        ? sql<SqlBool>`exists (select ${toRunning(scope)})`
        : sql<SqlBool>`not exists (select ${toRunning(scope)})`,
    );
  if (filter.deletion)
    query = query
      .where('deletionRequestedAt', 'is not', null)
      .where('erasedAt', 'is', null)
      .where('deletionAcceptedAt', filter.deletion === 'accepted' ? 'is not' : 'is', null);
  if (term === undefined) return query;
  const pattern = containing(term);
  return query.where((eb) =>
    eb.or([
      eb('email', 'ilike', pattern),
      emailHolds('users.email_normal', term),
      eb('username', 'ilike', pattern),
      eb('internalId', 'ilike', pattern),
    ]),
  );
}
