/** All SQL of users and their stored payment methods. */
import type { Db, Tx } from '../../db/database.ts';
import { keepQuery } from '../../db/kept-query.ts';
import type { BillingDetailsJson, Row } from '../../db/schema.ts';
import { inScope, type Scope, scopeColumns, toJson } from '../../db/scope.ts';
import { assert } from '../../domain/assert.ts';

/** One documented normal form of an e-mail: trimmed, NFC, lower case. */
export function toEmailNormal(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

interface NewBuyer extends Scope {
  id: string;
  email: string;
  emailNormal: string;
  billingDetails: string;
  createdAt: number;
}

const buyerInsertion = keepQuery((db, row: NewBuyer) =>
  db
    .insertInto('users')
    .values(row)
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'emailNormal'])
        .doUpdateSet((eb) => ({ emailNormal: eb.ref('users.emailNormal') })),
    )
    .returningAll(),
);

/** The buyer with this e-mail, found or made; two checkouts of one buyer at once get the same row. */
export async function findOrInsertBuyer(
  tx: Tx,
  scope: Scope,
  buyer: { id: string; email: string; billingDetails: BillingDetailsJson; createdAt: number },
): Promise<Row<'users'>> {
  const [row] = await buyerInsertion(tx, {
    ...scopeColumns(scope),
    id: buyer.id,
    email: buyer.email.trim(),
    emailNormal: toEmailNormal(buyer.email),
    billingDetails: toJson(buyer.billingDetails),
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

export async function updateBillingDetails(
  tx: Tx,
  scope: Scope,
  user: { id: string; billingDetails: BillingDetailsJson },
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ billingDetails: toJson(user.billingDetails) })
    .where(inScope(scope))
    .where('id', '=', user.id)
    .execute();
}

/** Keeps what the processor can charge again; the same method twice is one row. Returns its id. */
export async function insertPaymentMethod(
  tx: Tx,
  scope: Scope,
  method: {
    id: string;
    userId: string;
    processor: string;
    reference: string;
    details: unknown;
    createdAt: number;
  },
): Promise<string> {
  const row = await tx
    .insertInto('paymentMethods')
    .values({ ...scopeColumns(scope), ...method, details: toJson(method.details) })
    .onConflict((oc) =>
      oc
        .columns(['workspaceId', 'testMode', 'userId', 'processor', 'reference'])
        .doUpdateSet({ details: toJson(method.details) }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const userById = keepQuery((db, { id, ...scope }: Scope & { id: string }) =>
  db.selectFrom('users').selectAll().where(inScope(scope)).where('id', '=', id),
);

export async function getUser(db: Db, scope: Scope, id: string): Promise<Row<'users'>> {
  const [row] = await userById(db, { ...scope, id });
  assert(row, 'a user that is referred to exists');
  return row;
}
